// What every change has to pass.
const rootDir = require('node:path').join(__dirname, '..');
const { testFiles } = require('./support/jest/testFiles.cjs');

const asDocumented = {
	rootDir,
	displayName: 'as documented',
	// A path that StrykerJS finds, too.
	testEnvironment: require.resolve('./support/jest/environment.cjs'),
	runtime: '<rootDir>/test/support/jest/runtime.cjs',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// These start a real n8n.
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	modulePathIgnorePatterns: [
		'<rootDir>/scripts/n8n/host/',
		'<rootDir>/dist/',
		'<rootDir>/.cache/',
		'<rootDir>/.demo/',
	],
	setupFilesAfterEnv: ['<rootDir>/test/support/followOpenApi.ts'],
	// In the world that jest makes, looking up a global takes longer than most of what it is used for.
	sandboxInjectedGlobals: [
		...['Array', 'Error', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Reflect'],
		...['RegExp', 'Set', 'String', 'Symbol', 'WeakMap'],
	],
	transform: { '\\.ts$': '<rootDir>/test/support/jest/transform.cjs' },
};

/** What is true of every operation, against a service that answers in the shapes of `likely.ts`. */
const likelyShapes = {
	...asDocumented,
	displayName: 'likely shapes',
	globals: { LIKELY_SHAPES: true },
	testMatch: testFiles([
		'contract/clientOfItems',
		'contract/endpoints',
		'contract/failures',
		'contract/outputSchemas',
		'contract/reads',
		'contract/sent',
	]),
};

module.exports = {
	rootDir,
	projects: [asDocumented, likelyShapes],
	// Nothing here is timed; this only ends what hangs.
	testTimeout: 120_000,
	maxWorkers: 2,
	// jest keeps something of every file that loaded n8n; a worker that has grown is replaced.
	workerIdleMemoryLimit: '1GB',
	// What n8n has loaded takes a while to take down, on a busy machine far longer than jest's half second.
	workerGracefulExitTimeout: 30_000,
};
