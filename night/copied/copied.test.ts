/** Nothing is copied from the service's document: no eight words in a row. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { copiedIn, hashesOf, readHashes } from './copied';
import { ROOT } from '../../test/docs/example';

const TEXTS = /\.(ts|js|cjs|mjs|md|ya?ml|json|html|css)$/;
const NOT_WRITTEN_HERE = /package-lock\.json$|^test\/upgrade\/frozen\//;

const files = () => {
	const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
		cwd: ROOT,
		encoding: 'utf8',
	});
	return tracked
		.split('\n')
		.filter((file) => TEXTS.test(file) && !NOT_WRITTEN_HERE.test(file))
		.filter((file) => existsSync(join(ROOT, file)));
};

it('no file contains a sentence of it', () => {
	const hashes = readHashes();
	expect(hashes.size).toBeGreaterThan(500);
	const found = files().flatMap((file) =>
		copiedIn(readFileSync(join(ROOT, file), 'utf8'), hashes).map((words) => `${file}: ${words}`),
	);
	expect(found).toEqual([]);
});

it('finds a sentence despite marks, line breaks and quotes, and ignores lists of names', () => {
	const document =
		'The quick fox is not to be seen in `winter` or at night.\n| a_path | /posts /leads |';
	const hashes = hashesOf(document);
	const quoted = "// the quick FOX is\n// not to be 'seen', in winter";
	expect(copiedIn(quoted, hashes)).toEqual(['the quick fox is not to be seen in winter']);
	expect(copiedIn('The quick fox is not to be found in winter or at night', hashes)).toEqual([]);
	const names = 'get post patch delete head options trace connect get';
	expect(copiedIn(names, hashesOf(names))).toEqual([]);
});
