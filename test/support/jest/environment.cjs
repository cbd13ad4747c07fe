/**
 * jest gives every test file a world of its own, and so would load n8n, which takes half a second and
 * 80 MB, for each of them again. Here the files that one process runs share a world, and in it the
 * libraries and the one instance of n8n (`runtime.cjs`); what is ours is loaded for each file.
 */
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');
const { ModuleMocker } = require('jest-mock');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');

/** What jest leaves behind of a file, which would be called for, and remembered with, all later ones. */
const OF_ONE_FILE = new Set(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/** By project, since projects differ in their globals. */
const worlds = new Map();

module.exports = class SharedEnvironment {
	constructor(options, context) {
		const { projectConfig: config } = options;
		const world = worlds.get(config.id) ?? new NodeEnvironment(options, context);
		worlds.set(config.id, world);
		this.world = world;
		this.global = world.global;
		this.moduleMocker = new ModuleMocker(this.global);
		const given = { config, global: this.global };
		this.fakeTimers = new LegacyFakeTimers({ ...given, moduleMocker: this.moduleMocker });
		this.fakeTimersModern = new ModernFakeTimers(given);
		// jest wraps this for each file.
		this.exit = this.global.process.exit;
	}

	async setup() {}

	async teardown() {
		this.fakeTimers.dispose();
		this.fakeTimersModern.dispose();
		this.moduleMocker.restoreAllMocks();
		this.global.process.exit = this.exit;
		for (const symbol of Object.getOwnPropertySymbols(this.global))
			if (OF_ONE_FILE.has(symbol.description)) delete this.global[symbol];
	}

	exportConditions() {
		return this.world.exportConditions();
	}

	getVmContext() {
		return this.world.getVmContext();
	}
};
