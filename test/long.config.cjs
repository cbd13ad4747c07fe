// `npm run test:long`: all tests, with the searches of the night in full (`test/support/long.ts`).
const short = require('./jest.config.cjs');

const [asDocumented] = short.projects;
const globals = { LONG: true };

module.exports = {
	...short,
	projects: [
		{ ...asDocumented, globals },
		{
			// The document hides what the service and the network are called: once more by other names.
			...asDocumented,
			displayName: 'other words',
			globals: { ...globals, SERVICE_WORDS: { service: 'acme_io2', network: 'pronet' } },
			testMatch: [
				'contract/{canary,endpoints,failures,outputSchemas}',
				'{diagnose/diagnose,diagnose/differences,operations/activity,operations/lead,operations/networkOrganization,operations/post.delete,operations/post.update}',
				'run/retryOnFail',
				'watch/modes',
			].map((name) => `<rootDir>/test/${name}.test.ts`),
		},
	],
	testTimeout: 1_200_000,
};
