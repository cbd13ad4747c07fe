const rootDir = require('node:path').join(__dirname, '..');

const common = {
	rootDir,
	testEnvironment: 'node',
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	modulePathIgnorePatterns: ['<rootDir>/scripts/n8n/host/', '<rootDir>/dist/', '<rootDir>/.cache/'],
	setupFilesAfterEnv: ['<rootDir>/test/support/followOpenApi.ts'],
	transform: { '\\.ts$': '<rootDir>/test/support/esbuild-transform.cjs' },
};

module.exports = {
	rootDir,
	projects: [
		{
			...common,
			displayName: 'as documented',
			testMatch: ['<rootDir>/test/**/*.test.ts'],
		},
		{
			// The document hides what the service and the network are called: once more by other names.
			...common,
			displayName: 'other words',
			globals: { SERVICE_WORDS: { service: 'acme_io2', network: 'pronet' } },
			testMatch: [
				'contract/{canary,endpoints,failures,outputSchemas}',
				'operations/{activity,lead,networkOrganization,post.delete,post.update}',
				'operations/socialAction.reasons',
				'run/retryOnFail',
				'watch/n8n/pollContext',
			].map((name) => `<rootDir>/test/${name}.test.ts`),
		},
	],
	// Nothing here is timed; this only ends what hangs.
	testTimeout: 120_000,
	maxWorkers: 2,
};
