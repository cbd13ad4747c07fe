import { fileURLToPath } from 'node:url';

// What `main.ts` hands to StrykerJS; which lines get faults it says itself.
export default {
	testRunner: 'jest',
	plugins: [fileURLToPath(new URL('runner.mjs', import.meta.url))],
	testRunnerNodeArgs: ['--experimental-vm-modules', '--max-old-space-size=4096'],
	jest: { configFile: 'night/mutation/jest.config.cjs', enableFindRelatedTests: true },
	coverageAnalysis: 'perTest',
	// The first run is that of all tests that reach the code.
	dryRunTimeoutMinutes: 90,
	concurrency: 2,
	// jest keeps something of every file of tests.
	maxTestRunnerReuse: 20,
	// The machine may be busier than it was in the first run.
	timeoutFactor: 4,
	timeoutMS: 90_000,
	disableTypeChecks: false,
	incremental: true,
	incrementalFile: '.cache/stryker/incremental.json',
	tempDirName: '.cache/stryker/sandbox',
	ignorePatterns: ['.cache', '.demo', 'docs/images', 'scripts/n8n/host'],
	reporters: ['clear-text', 'json', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
	jsonReporter: { fileName: '.cache/stryker/mutation.json' },
};
