const { existsSync } = require('node:fs');
const { join } = require('node:path');

const TEST = join(__dirname, '../..');

/** Patterns for test files by their names, such as `contract/canary`. A name without a file is an error. */
module.exports.testFiles = (names) =>
	names.map((name) => {
		const file = `${name}.test.ts`;
		if (!existsSync(join(TEST, file))) throw new Error(`There is no test/${file}`);
		return `<rootDir>/test/${file}`;
	});
