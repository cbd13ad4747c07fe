// `npm run test:mutation`: StrykerJS puts small faults into the code, and asks the tests.
export default {
	mutate: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	testRunnerNodeArgs: ['--experimental-vm-modules'],
	jest: { configFile: 'test/mutation/jest.config.cjs', enableFindRelatedTests: true },
	coverageAnalysis: 'perTest',
	incremental: true,
	incrementalFile: '.cache/stryker/incremental.json',
	tempDirName: '.cache/stryker/sandbox',
	concurrency: 2,
	reporters: ['clear-text', 'json'],
	jsonReporter: { fileName: '.cache/stryker/mutation.json' },
	ignorePatterns: ['.cache', '.demo', 'scripts/n8n/host', 'docs/images'],
	disableTypeChecks: false,
};
