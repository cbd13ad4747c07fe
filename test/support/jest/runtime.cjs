/** Loads what all test files of a process share once, and everything else for each file: see `environment.cjs`. */
const { isBuiltin } = require('node:module');
const { sep } = require('node:path');

const { default: Runtime } = require('jest-runtime');

/** Libraries, and of our own what stands for n8n's process and what compiles the description of the API. */
const OURS_SHARED = ['instance.ts', 'openApi.ts'].map((name) =>
	['', 'test', 'support', name].join(sep),
);
const isShared = (path) =>
	path.includes(`${sep}node_modules${sep}`) || OURS_SHARED.some((end) => path.endsWith(end));

/** By the world of the environment. */
const libraries = new WeakMap();
const compiled = new WeakMap();

/**
 * Each file gets modules of its own, but made by the same function: to compile all of ours takes longer
 * than most files run.
 */
function compileOnce(executor, functions) {
	const compile = executor.compile.bind(executor);
	executor.compile = (source, filename) => {
		// It would import for the file that came first.
		if (source.includes('import(')) return compile(source, filename);
		const before = functions.get(filename);
		if (before?.source === source) return before.made;
		const made = compile(source, filename);
		if (made !== null) functions.set(filename, { source, made });
		return made;
	};
}

module.exports = class SharedRuntime extends Runtime {
	constructor(...given) {
		super(...given);
		const [config, environment, resolver, transformer, , coverage, path, globalConfig] = given;
		const { world } = environment;
		// Not torn down: what it has loaded may require more whenever it likes.
		if (!libraries.has(world))
			libraries.set(
				world,
				new Runtime(config, world, resolver, transformer, new Map(), coverage, path, globalConfig),
			);
		this.library = libraries.get(world);
		if (!compiled.has(world)) compiled.set(world, new Map());
		compileOnce(this.executor, compiled.get(world));
	}

	requireModule(from, name, options, isActual) {
		if (options?.isInternalModule || name === undefined || isBuiltin(name))
			return super.requireModule(from, name, options, isActual);
		const path = this._resolution.resolveCjs(from, name);
		return isShared(path)
			? this.library.requireModule(from, name)
			: super.requireModule(from, name, options, isActual);
	}
};
