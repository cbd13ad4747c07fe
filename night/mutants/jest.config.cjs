// As `npm test`, in the one project that StrykerJS can run. Each file has a world of its own, because
// StrykerJS says in a variable of the process which fault is active.
const { projects } = require('../../test/short.config.cjs');

const [asDocumented] = projects;
const { displayName: _name, runtime: _runtime, ...config } = asDocumented;
const folders = process.env.TEST_FOLDERS?.split(',') ?? ['test'];

module.exports = {
	...config,
	testEnvironment: 'node',
	testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
	testTimeout: 300_000,
};
