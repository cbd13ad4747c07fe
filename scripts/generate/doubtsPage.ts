/** docs/doubts.md: the register of doubts as a page. `npm run docs` writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { DOUBTS, doubtNames } from '../diagnose/doubts';
import { replaceMarked } from './replaceMarked';

const PAGE = join(__dirname, '..', '..', 'docs', 'doubts.md');

const sectionOf = (name: (typeof doubtNames)[number]): string[] => {
	const { question, code, settledBy, then } = DOUBTS[name];
	return [
		`### ${name}`,
		'',
		question,
		'',
		`- **Code:** ${code.map((one) => `\`${one}\``).join(', ')}`,
		`- **Settled by:** ${settledBy}`,
		`- **Then delete:** ${then}`,
		'',
	];
};

export const readDoubtsPage = (): string => readFileSync(PAGE, 'utf8');

export const withDoubts = (page: string): string =>
	replaceMarked(page, 'doubts', `\n${doubtNames.flatMap(sectionOf).join('\n')}`);

export const writeDoubtsPage = (): void => writeFileSync(PAGE, withDoubts(readDoubtsPage()));
