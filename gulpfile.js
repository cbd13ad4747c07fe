/**
 * `gulp build` makes dist/, which is what n8n loads; `gulp compile` does so without checking types.
 * The code is one file there, because n8n loads one file much faster than a few hundred.
 * `gulp pack` also packs it, into one file whose name has no version, so that no older one is left
 * beside it. `gulp scan` checks that tarball the way n8n checks a published package, offline.
 */
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const esbuild = require('esbuild');
const { dest, series, src } = require('gulp');
const manifest = require('./package.json');

const DIST = path.join(__dirname, 'dist');
const PACK = path.join(__dirname, '.cache', 'pack');
const TARBALL = path.join(__dirname, `${manifest.name}.tgz`);
/** A limit for accidents. The package has 234 kB. */
const MAX_PACKED_BYTES = 260_000;
const PUBLISHED = /^(dist\/.+|README\.md|LICENSE\.md|package\.json)$/;

/** Icons, codex files, and the output schemas, which n8n looks for beside the node's file. */
const COPIED = ['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];
const OUTPUTS = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
/** The class that n8n looks for in each file. */
const CLASSES = OUTPUTS.map((output) => ({ output, name: path.basename(output).split('.')[0] }));
/** All code, and the packages it uses: a published node may have no dependencies. */
const BUNDLE = 'dist/bundle.js';

const say = (line) => console.log(`  ${line}`);

function demand(condition, message) {
	if (!condition) throw new Error(message);
}

function filesBelow(directory) {
	return fs
		.readdirSync(directory, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
		.map((file) => file.split(path.sep).join('/'))
		.sort();
}

async function clean() {
	fs.rmSync(DIST, { recursive: true, force: true });
}

async function types() {
	const tsc = require.resolve('typescript/bin/tsc');
	execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
		cwd: __dirname,
		stdio: 'inherit',
	});
}

/**
 * One bundle for all three, because they share what a process remembers. It is not minified: functions
 * in a stack trace have their names from the repository (where several have the same name, a number is
 * added), and the comment above them in the bundle names their file.
 */
async function bundle() {
	const { metafile } = await esbuild.build({
		absWorkingDir: __dirname,
		stdin: {
			contents: OUTPUTS.map((output) => `export * from './${sourceOf(output)}';`).join('\n'),
			resolveDir: __dirname,
		},
		outfile: BUNDLE,
		bundle: true,
		external: ['n8n-workflow'],
		// ES modules are strict without saying so. The bundle is not one, so it has to say it.
		banner: { js: '"use strict";' },
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		// As UTF-8, not as escapes.
		charset: 'utf8',
		metafile: true,
		logLevel: 'warning',
	});
	for (const { output, name } of CLASSES) {
		const file = path.join(__dirname, output);
		const from = path.posix.relative(path.posix.dirname(output), BUNDLE);
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(file, `exports.${name} = require('${from}').${name};\n`);
	}
	const packages = bundledPackages(metafile);
	for (const name of packages)
		demand(name in manifest.devDependencies, `"${name}" is bundled: pin it under devDependencies`);
	fs.writeFileSync(path.join(DIST, 'THIRD-PARTY-LICENSES.md'), licences(packages));
	say(`bundled packages: ${packages.join(', ')}`);
}

const sourceOf = (output) => output.replace(/^dist\/(.+)\.js$/, '$1');

function bundledPackages(metafile) {
	const names = Object.keys(metafile.inputs).flatMap(
		(input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
	);
	return [...new Set(names)].sort();
}

/** The licences of what is bundled ask that their text goes along. */
function licences(packages) {
	const sections = packages.map((name) => {
		const home = path.join(__dirname, 'node_modules', name);
		const file = fs.readdirSync(home).find((entry) => /^licen[cs]e/i.test(entry));
		demand(file, `"${name}" is bundled but brings no licence text`);
		return `## ${name}\n\n${fs.readFileSync(path.join(home, file), 'utf8').trim()}\n`;
	});
	return ['# Licences of bundled packages\n', ...sections].join('\n');
}

function copy() {
	// As bytes: gulp would otherwise read and write them as text.
	return src(COPIED, { base: '.', encoding: false }).pipe(dest('dist'));
}

async function pack() {
	fs.rmSync(PACK, { recursive: true, force: true });
	fs.mkdirSync(PACK, { recursive: true });
	execFileSync(
		'npm',
		['pack', '--silent', '--offline', '--ignore-scripts', '--pack-destination', PACK],
		{
			cwd: __dirname,
			stdio: ['ignore', 'ignore', 'inherit'],
			// npm is a .cmd file on Windows, which only a shell can start.
			shell: process.platform === 'win32',
		},
	);
	const packed = fs.readdirSync(PACK).find((file) => file.endsWith('.tgz'));
	demand(packed, 'npm pack wrote no tarball');
	execFileSync('tar', ['-xzf', packed], { cwd: PACK });
	fs.copyFileSync(path.join(PACK, packed), TARBALL);

	const { size } = fs.statSync(TARBALL);
	const files = filesBelow(path.join(PACK, 'package'));
	say(`${path.basename(TARBALL)}: ${(size / 1000).toFixed(1)} kB packed, ${files.length} files`);
	demand(size <= MAX_PACKED_BYTES, `packed size ${size} is above ${MAX_PACKED_BYTES} bytes`);
	const strangers = files.filter((file) => !PUBLISHED.test(file));
	demand(strangers.length === 0, `files that must not be published: ${strangers.join(', ')}`);
	const copied = COPIED.flatMap((pattern) => fs.globSync(pattern, { cwd: __dirname }));
	const expected = copied.map((file) => `dist/${file.split(path.sep).join('/')}`);
	for (const needed of [...OUTPUTS, ...expected, 'README.md', 'LICENSE.md'])
		demand(files.includes(needed), `${needed} is missing from the tarball`);
	for (const file of files.filter((name) => name.startsWith('dist/'))) {
		const text = fs.readFileSync(path.join(PACK, 'package', file), 'utf8');
		demand(!text.includes(__dirname), `${file} names the folder it was built in`);
	}
}

/** The two legs of n8n's package scanner, stricter in one point: a warning fails as well. */
async function scanner() {
	const { buildScanConfig, SOURCE_FILE_PATTERNS } =
		await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const { ESLint } = require('eslint');
	const legs = [
		{ name: 'source', cwd: __dirname, patterns: SOURCE_FILE_PATTERNS },
		{ name: 'tarball', cwd: path.join(PACK, 'package'), patterns: ['**/*.js', 'package.json'] },
	];

	for (const { name, cwd, patterns } of legs) {
		const eslint = new ESLint({
			cwd,
			allowInlineConfig: false,
			overrideConfigFile: true,
			overrideConfig: await buildScanConfig(),
		});
		const results = await eslint.lintFiles(patterns);
		const findings = results.filter(({ errorCount, warningCount }) => errorCount + warningCount);
		const { format } = await eslint.loadFormatter('stylish');
		if (findings.length > 0) console.error(await format(findings));
		demand(findings.length === 0, `n8n's package scanner objects to the ${name}`);
		say(`n8n's package scanner passes the ${name}: ${results.length} files`);
	}
}

/** The tarball must load where only n8n-workflow can be resolved, as in an n8n instance. */
async function loads() {
	const home = fs.mkdtempSync(path.join(os.tmpdir(), 'leadgen-publishing-'));
	try {
		fs.cpSync(path.join(PACK, 'package'), home, { recursive: true });
		fs.mkdirSync(path.join(home, 'node_modules'));
		const [from, to] = [__dirname, home].map((root) =>
			path.join(root, 'node_modules', 'n8n-workflow'),
		);
		fs.symlinkSync(from, to, 'junction');
		execFileSync(process.execPath, ['-e', `(${instantiate})(${JSON.stringify(CLASSES)})`], {
			cwd: home,
			stdio: 'inherit',
			env: { PATH: process.env.PATH },
		});
	} finally {
		fs.rmSync(home, { recursive: true, force: true });
	}
}

/** Runs in a process of its own, from its source text: it sees nothing of this file. */
function instantiate(classes) {
	const { existsSync } = require('node:fs');
	const { dirname, join, resolve } = require('node:path');

	for (const { output, name } of classes) {
		const Type = require(resolve(output))[name];
		if (typeof Type !== 'function') throw new Error(`${output} exports no class "${name}"`);
		const { icon } = new Type().description ?? new Type();
		const icons = typeof icon === 'string' ? [icon] : Object.values(icon);
		for (const reference of icons) {
			const file = join(dirname(output), reference.replace(/^file:/, ''));
			if (!existsSync(file)) throw new Error(`${output} refers to ${file}, which is not there`);
		}
		console.log(`  ${output} loads alone, with its icons`);
	}
}

const build = series(clean, types, bundle, copy);

module.exports = {
	build,
	compile: series(clean, bundle, copy),
	default: build,
	pack: series(build, pack),
	scan: series(build, pack, scanner, loads),
};
