// `main.ts` says which lines get faults.
export default {
	testRunner: 'jest',
	testRunnerNodeArgs: ['--experimental-vm-modules'],
	// The tests of a room, until one fails.
	jest: { configFile: 'night/mutants/jest.config.cjs', enableFindRelatedTests: false },
	coverageAnalysis: 'off',
	concurrency: 2,
	// jest keeps something of every file of tests.
	maxTestRunnerReuse: 20,
	timeoutFactor: 4,
	disableTypeChecks: false,
	incremental: true,
	incrementalFile: '.cache/mutants/incremental.json',
	tempDirName: '.cache/mutants/sandbox',
	ignorePatterns: ['.cache', '.demo', 'docs/images', 'scripts/n8n/host'],
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
};
