/**
 * Sentences to be read by a person: 20 of each page, of the panels, of the examples, of the errors
 * and of Diagnose, chosen by a seed. `npm run docs -- --sample SEED` prints them.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { wordsOf } from '../../nodes/LeadGenPublishing/diagnose/judge/words';
import { EVERY_FINDING } from '../diagnose/everyFinding';
import { everySentence } from '../support/sentences';
import { ROOT } from './example';
import { paragraphsIn } from './markdown';
import { documents } from './problems';

const SIZE = 20;
const PAGES = documents().filter((page) => page !== 'LICENSE.md');
const ERRORS = 'test/words/__snapshots__/words.test.ts.snap';

const sentencesIn = (text: string): string[] =>
	text
		.split(/(?<=[.!?])\s+(?=[A-Z*[`"])/)
		.map((sentence) =>
			sentence
				.replace(/\s+/g, ' ')
				.replace(/^[-#\d.]+ /, '')
				.trim(),
		)
		.filter((sentence) => sentence.split(' ').length > 3);

const linesOf = (file: string): string[] =>
	readFileSync(join(ROOT, file), 'utf8')
		.split('\n')
		.filter((line) => !/^exports\[|^\/\/|`;$|^\s*\(/.test(line));

function sources(): Array<[where: string, sentences: string[]]> {
	const shown = everySentence();
	const ofProduct = (isOfThis: (place: string) => boolean): string[] =>
		shown.filter(({ place }) => isOfThis(place)).flatMap(({ text }) => sentencesIn(text));
	return [
		...PAGES.map((page): [string, string[]] => [
			page,
			paragraphsIn(readFileSync(join(ROOT, page), 'utf8')).flatMap(sentencesIn),
		]),
		['panels', ofProduct((place) => !place.startsWith('examples/'))],
		['examples', ofProduct((place) => place.startsWith('examples/') && place.includes('content'))],
		['errors', linesOf(ERRORS).flatMap(sentencesIn)],
		[
			'Diagnose',
			EVERY_FINDING.map(wordsOf)
				.flatMap(({ means, next }) => [means, next])
				.flatMap(sentencesIn),
		],
	];
}

/** The same seed chooses the same sentences until they change. */
export function sampleTexts(seed: string): string {
	const order = (sentence: string): string =>
		createHash('sha256').update(`${seed} ${sentence}`).digest('hex');
	return sources()
		.map(([where, sentences]) => {
			const chosen = [...new Set(sentences)]
				.sort((a, b) => (order(a) < order(b) ? -1 : 1))
				.slice(0, SIZE);
			return [`## ${where}`, '', ...chosen.map((sentence) => `- ${sentence}`), ''].join('\n');
		})
		.join('\n');
}
