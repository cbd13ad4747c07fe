// `LONG=1 npm test`: all tests, with the searches of the night in full (`test/support/long.ts`).
const short = require('./short.config.cjs');
const { testFiles } = require('./support/jest/testFiles.cjs');

const [asDocumented, likelyShapes] = short.projects;
const LONG = true;

module.exports = {
	...short,
	projects: [
		{
			...asDocumented,
			globals: { LONG },
			// And the tests of the programs that run at night.
			testMatch: [...asDocumented.testMatch, '<rootDir>/night/**/*.test.ts'],
		},
		{
			...likelyShapes,
			globals: { ...likelyShapes.globals, LONG },
			testMatch: ['<rootDir>/test/contract/*.test.ts'],
		},
		{
			// The document hides what the service and the network are called: once more by other names.
			...asDocumented,
			displayName: 'other words',
			globals: { LONG, SERVICE_WORDS: { service: 'acme_io2', network: 'pronet' } },
			testMatch: testFiles([
				'contract/canary',
				'contract/endpoints',
				'contract/failures',
				'contract/outputSchemas',
				'diagnose/diagnose',
				'diagnose/differences',
				'operations/deletions',
				'operations/listing',
				'operations/postChanges/deletions',
				'operations/postChanges/updates',
				'operations/simplify',
				'operations/vendorWords',
				'run/retryOnFail',
				'watch/modes',
			]),
		},
	],
	testTimeout: 1_200_000,
};
