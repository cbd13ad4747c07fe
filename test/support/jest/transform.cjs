// Lets jest read TypeScript through esbuild; types are checked by `tsc`, not here.
const { transformSync } = require('esbuild');
const { version } = require('esbuild/package.json');
const { createHash } = require('node:crypto');

module.exports = {
	getCacheKey: (source, file) =>
		createHash('sha256').update(`${version}\0${file}\0${source}`).digest('hex'),
	process: (source, file) =>
		transformSync(source, {
			loader: 'ts',
			format: 'cjs',
			target: 'es2022',
			sourcemap: true,
			sourcefile: file,
			sourcesContent: false,
			tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
		}),
};
