// Apart from the other tests: these start a real n8n, which is installed at the first run.
module.exports = {
	rootDir: '../..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/e2e/*.test.ts'],
	modulePathIgnorePatterns: ['scripts/n8n/host/', 'dist/', '.cache/', '.demo/'].map(
		(folder) => `<rootDir>/${folder}`,
	),
	transform: { '\\.ts$': '<rootDir>/test/support/jest/transform.cjs' },
	testTimeout: 400_000,
	maxWorkers: 1,
};
