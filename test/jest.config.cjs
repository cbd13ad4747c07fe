module.exports = {
	rootDir: '..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	modulePathIgnorePatterns: ['<rootDir>/test/e2e/host/', '<rootDir>/dist/', '<rootDir>/.cache/'],
	transform: { '\\.ts$': '<rootDir>/test/support/esbuild-transform.cjs' },
	testTimeout: 30_000,
	maxWorkers: 2,
};
