/**
 * Part of `npm run lint`: pages, examples and codex files have none of the habits of `habits.json`, and
 * pages have no long paragraphs. `plainEnglish.mjs` checks strings and comments of the code.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { paragraphsIn } from '../test/docs/markdown.ts';
import { habitsIn } from './plainEnglish.mjs';

const LONGEST_PARAGRAPH = 400;
/** People read these from top to bottom. */
const PAGES = [
	'trigger',
	'usage',
	'publishing',
	'installation',
	'items',
	'examples',
	'evidence',
	'architecture',
];
const READ = ['README.md', ...PAGES.map((name) => `docs/${name}.md`)];

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
	.split('\n')
	.filter((file) => /\.md$|^examples\/.*\.json$|\.node\.json$/.test(file) && existsSync(file));

const textsIn = (value) =>
	typeof value === 'string' ? value.split('\n') : Object.values(value ?? {}).flatMap(textsIn);

const problems = files.flatMap((file) => {
	const content = readFileSync(file, 'utf8');
	const texts = file.endsWith('.md') ? paragraphsIn(content) : textsIn(JSON.parse(content));
	const isRead = READ.includes(file);
	return texts.flatMap((text) => [
		...habitsIn(text).map(
			({ found, instead }) => `${file}: "${found}" makes readers stop. Instead: ${instead}.`,
		),
		...(isRead && text.length > LONGEST_PARAGRAPH
			? [`${file}: "${text.slice(0, 60)}…" has more than ${LONGEST_PARAGRAPH} characters`]
			: []),
	]);
});
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
