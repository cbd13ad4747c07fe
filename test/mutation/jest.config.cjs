// As `npm test`, in the one project and the environment that StrykerJS can watch.
const { projects } = require('../jest.config.cjs');

const [asDocumented] = projects;
const { displayName: _, ...config } = asDocumented;

module.exports = {
	...config,
	testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
	testTimeout: 120_000,
};
