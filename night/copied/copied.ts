/**
 * Finds runs of eight or more words that this repository shares with the service's document. The
 * document itself is not here, only hashes of its runs of words: `sentences.txt`. With the
 * document, `npx tsx night/copied/copied.ts /path/to/document.md` writes them again.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(__dirname, 'sentences.txt');
const RUN = 8;
const DIGITS = 10;
/** A run without any of these is not a sentence, but a list of names, paths or values. */
const SMALL_WORDS = new Set(
	'a an and are as at be by can for from has if in is it may must not of on only or that the then to when with'.split(
		' ',
	),
);

interface Run {
	readonly words: string;
	readonly hash: string;
}

/** The cells of a table do not follow each other. */
function runsIn(text: string): Run[] {
	return text.split('|').flatMap((part) => {
		const words = part.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
		return words.flatMap((_, start): Run[] => {
			const run = words.slice(start, start + RUN);
			if (run.length < RUN || !run.some((word) => SMALL_WORDS.has(word))) return [];
			const joined = run.join(' ');
			const hash = createHash('sha256').update(joined).digest('hex').slice(0, DIGITS);
			return [{ words: joined, hash }];
		});
	});
}

export const hashesOf = (document: string): Set<string> =>
	// A line of the document is a paragraph.
	new Set(document.split('\n').flatMap((line) => runsIn(line).map(({ hash }) => hash)));

export const readHashes = (): Set<string> =>
	new Set(readFileSync(FILE, 'utf8').trim().split(/\s+/));

/** The runs of a text that are in the document. Overlapping runs count as one. */
export function copiedIn(text: string, hashes: ReadonlySet<string>): string[] {
	const found: string[] = [];
	let last = -2;
	runsIn(text).forEach(({ words, hash }, index) => {
		if (!hashes.has(hash)) return;
		if (index === last + 1) found.push(`${found.pop()} ${words.split(' ').at(-1)}`);
		else found.push(words);
		last = index;
	});
	return found;
}

if (require.main === module) {
	const hashes = [...hashesOf(readFileSync(process.argv[2] ?? '', 'utf8'))].sort();
	const lines = hashes.map((hash, index) => `${hash}${index % 9 === 8 ? '\n' : ' '}`);
	writeFileSync(FILE, `${lines.join('').trim()}\n`);
}
