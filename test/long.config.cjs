// `LONG=1 npm test`: all tests, with the searches of the night in full (`test/support/long.ts`).
const { testFiles } = require('./support/jest/testFiles.cjs');

const LONG = true;

/** Takes the configuration that every change has to pass. */
module.exports = (short) => {
	const [asDocumented, likelyShapes] = short.projects;
	const projects = [
		{ ...asDocumented, globals: { LONG } },
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
				'operations/post.changes',
				'operations/simplify',
				'operations/vendorWords',
				'run/retryOnFail',
				'watch/modes',
			]),
		},
	];
	return { ...short, projects, testTimeout: 1_200_000 };
};
