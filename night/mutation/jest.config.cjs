// As `npm test`, in the one project that StrykerJS can run, without what says nothing about the code.
const { projects } = require('../../test/short.config.cjs');

const [asDocumented] = projects;
const { displayName: _, ...config } = asDocumented;
// `main.ts` names the folders whose tests have to notice what it has drawn.
const folders = process.env.NOTICING?.split(',') ?? ['**'];

module.exports = {
	...config,
	testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
	testEnvironment: require.resolve('./environment.cjs'),
	testPathIgnorePatterns: [
		...config.testPathIgnorePatterns,
		// They test other code, or look at how the code is written, which StrykerJS changes.
		...['docs', 'e2e', 'fake-service', 'scripts', 'contract/(house|linear)'].map(
			(path) => `<rootDir>/test/${path}`,
		),
	],
	testTimeout: 300_000,
};
