// `npm run test:quick`: the tests that notice most of what a change forgets or breaks.
const { projects, ...rest } = require('./short.config.cjs');
const { testFiles } = require('./support/jest/testFiles.cjs');

const [asDocumented] = projects;

module.exports = {
	...rest,
	projects: [
		{
			...asDocumented,
			displayName: 'quick',
			testMatch: testFiles([
				'contract/document',
				'contract/endpoints',
				'contract/form',
				'contract/house',
				'contract/names',
				'contract/nothingGiven',
				'contract/openApi',
				'contract/outputSchemas',
				'contract/ownForm',
				'contract/reads',
				'contract/rows',
				'contract/sent',
				'contract/wrongValues',
				'docs/documents',
				'docs/labels',
				'operations/filters',
				'run/failedWrites',
				'watch/everyEvent',
				'words/words',
			]),
		},
	],
};
