const documented = require('../jest.config.cjs');

// The other project runs some of the files once more, by other words.
const [{ displayName: _displayName, ...project }] = documented.projects;

module.exports = {
	...project,
	testEnvironment: '<rootDir>/test/mutation/environment.ts',
};
