/**
 * The environment of all tests, whose world outlives a run: it has to hear which fault is active now,
 * since StrykerJS says so in a variable of the process, and jest copies those once for each world.
 */
const SharedEnvironment = require('../../test/support/jest/environment.cjs');

const ACTIVE = '__STRYKER_ACTIVE_MUTANT__';

/** The fault that a test has noticed: no other test has to. */
let noticed;

module.exports = class MutatedEnvironment extends SharedEnvironment {
	constructor(options, context) {
		super(options, context);
		this.testPath = context.testPath;
		const { env } = this.global.process;
		if (process.env[ACTIVE] === undefined) delete env[ACTIVE];
		else env[ACTIVE] = process.env[ACTIVE];
	}

	/** What runs while a file is loaded belongs to no test; `runner.mjs` asks whose loading it was. */
	async setup() {
		await super.setup();
		const counted = this.global.__stryker__;
		if (counted !== undefined) counted.currentTestId = this.testPath;
	}

	async handleTestEvent({ name, test }) {
		const active = process.env[ACTIVE];
		if (active === undefined) noticed = undefined;
		else if (name === 'test_fn_failure') noticed = active;
		else if (name === 'test_start' && noticed === active) test.mode = 'skip';
	}
};
