// Lets jest read TypeScript through esbuild; types are checked by `tsc`, not here.
const { transformSync } = require('esbuild');
const { version } = require('esbuild/package.json');
const { createHash } = require('node:crypto');

/** The fault that `npm run test:mutation` puts into one file. */
const mutant = process.env.MUTANT === undefined ? undefined : JSON.parse(process.env.MUTANT);

function withMutant(source, file) {
	if (mutant === undefined || !file.replaceAll('\\', '/').endsWith(`/${mutant.file}`))
		return source;
	return source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end);
}

module.exports = {
	getCacheKey(source, file) {
		const text = withMutant(source, file);
		return createHash('sha256').update(`${version}\0${file}\0${text}`).digest('hex');
	},
	process(source, file) {
		const { code, map } = transformSync(withMutant(source, file), {
			loader: 'ts',
			format: 'cjs',
			target: 'es2022',
			sourcemap: true,
			sourcefile: file,
			sourcesContent: false,
			tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
		});
		return { code, map };
	},
};
