// What `main.ts` hands to StrykerJS; which lines get faults it says itself.
export default {
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	testRunnerNodeArgs: ['--experimental-vm-modules'],
	jest: { configFile: 'test/mutation/jest.config.cjs', enableFindRelatedTests: true },
	coverageAnalysis: 'perTest',
	// The first run is that of all tests that reach the code.
	dryRunTimeoutMinutes: 90,
	concurrency: 2,
	incremental: true,
	incrementalFile: '.cache/stryker/incremental.json',
	tempDirName: '.cache/stryker/sandbox',
	ignorePatterns: ['.cache', '.demo', 'docs/images', 'scripts/n8n/host'],
	reporters: ['clear-text', 'json', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
	jsonReporter: { fileName: '.cache/stryker/mutation.json' },
};
