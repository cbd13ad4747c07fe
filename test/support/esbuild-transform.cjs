// Lets jest read TypeScript through esbuild; types are checked by `tsc`, not here.
const { transformSync } = require('esbuild');
const { version } = require('esbuild/package.json');
const { createHash } = require('node:crypto');
const { existsSync, readFileSync } = require('node:fs');
const { join, relative } = require('node:path');

/** The fault that `npm run test:mutation` puts into one file. */
const mutant = process.env.MUTANT === undefined ? undefined : JSON.parse(process.env.MUTANT);

function withMutant(source, file) {
	if (mutant === undefined || !file.replaceAll('\\', '/').endsWith(`/${mutant.file}`))
		return source;
	return source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end);
}

/** Where it keeps the files that have all their faults in them, each behind a switch. */
const switched = process.env.MUTANTS;

function withSwitches(source, file) {
	if (switched === undefined) return undefined;
	const path = join(switched, relative(join(__dirname, '../..'), file));
	return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

module.exports = {
	getCacheKey(source, file) {
		const text = withSwitches(source, file) ?? withMutant(source, file);
		return createHash('sha256').update(`${version}\0${file}\0${text}`).digest('hex');
	},
	process(source, file) {
		const text = withSwitches(source, file);
		const { code, map } = transformSync(text ?? withMutant(source, file), {
			loader: 'ts',
			format: 'cjs',
			target: 'es2022',
			sourcemap: true,
			sourcefile: file,
			sourcesContent: false,
			tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
		});
		// Before all it requires, since that may already call its functions.
		const first = text === undefined ? '' : '"use strict"; const $mutant = globalThis.$mutant; ';
		return { code: `${first}${code}`, map };
	},
};
