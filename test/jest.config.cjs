module.exports = {
	rootDir: '..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	modulePathIgnorePatterns: ['<rootDir>/test/e2e/host/', '<rootDir>/dist/', '<rootDir>/.cache/'],
	transform: { '\\.ts$': '<rootDir>/test/support/esbuild-transform.cjs' },
	// Nothing here is timed; this only ends what hangs.
	testTimeout: 120_000,
	maxWorkers: 2,
};
