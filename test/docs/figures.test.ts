/** The generated parts of the pages with figures. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { COMMANDS } from '../../scripts/generate/figuresCommands';
import { figuresIn, resultOf, withFigures } from '../../scripts/generate/figuresPage';
import { readOutcomesPage } from '../../scripts/generate/outcomes';
import { ROOT } from './example';

const figures = { command: 'npm run x', about: '2026-01-02; 3 min', result: 'missing: 0' };
const PAGE = [
	'# Page',
	'<!-- figures: npm run x -- --more -->\nkept\n<!-- /figures: npm run x -- --more -->',
	'<!-- figures: npm run x -->\nold\n<!-- /figures: npm run x -->',
	'the end\n',
].join('\n\n');

it('replaces what the same command showed before, and nothing else', () => {
	const once = withFigures(PAGE, figures);
	expect(once).toBe(PAGE.replace('old', '2026-01-02; 3 min\n\n```text\nmissing: 0\n```'));
	const later = withFigures(once, { ...figures, result: 'missing: $& 1' });
	expect(later).toBe(once.replace('missing: 0', () => 'missing: $& 1'));
});

it('refuses a page that has no place for them, and a result that would end its block', () => {
	expect(() => withFigures(PAGE, { ...figures, command: 'npm run y' })).toThrow('"npm run y"');
	expect(() => withFigures(PAGE, { ...figures, result: '```' })).toThrow('block of code');
});

it('keeps of what a command prints the result, not the progress', () => {
	const printed = [
		'',
		'> n8n-nodes@0.1.0 x',
		'> tsx x.ts',
		'',
		'… Starting n8n (15 s)',
		'✓ Starting n8n (22 s)',
		'kills:  20',
		'',
		'',
		'',
		'  0  missed\r',
		'',
	];
	expect(resultOf(printed.join('\n'))).toBe('kills:  20\n\n  0  missed');
});

it.each(COMMANDS)('"%s" has one place in %s, and is named in verification.md', (command, page) => {
	const text = readFileSync(join(ROOT, page), 'utf8');
	expect(text.split(`<!-- figures: ${command} -->`)).toHaveLength(2);
	expect(text.split(`<!-- /figures: ${command} -->`)).toHaveLength(2);
	expect(readFileSync(join(ROOT, 'docs/verification.md'), 'utf8')).toContain(`| \`${command}\` |`);
});

it('no other command has a place there', () => {
	const pages = [...new Set(COMMANDS.map(([, page]) => page))];
	const places = pages.flatMap((page) =>
		[...readFileSync(join(ROOT, page), 'utf8').matchAll(/<!-- figures: (.*?) -->/g)].map(
			([, command]) => [command, page],
		),
	);
	expect(places.sort()).toEqual([...COMMANDS].map((entry) => [...entry]).sort());
});

it('finds again what it has written', () => {
	expect(figuresIn(withFigures(PAGE, figures), 'npm run x')).toBe(
		'2026-01-02; 3 min\n\n```text\nmissing: 0\n```',
	);
	expect(figuresIn(PAGE, 'npm run y')).toBe('');
});

it.each([...COMMANDS.map(([command]) => command), 'npm run bench', 'npm run test:mutation'])(
	'verification.md tells how "%s" came out',
	(command) => {
		const [, table = ''] = readOutcomesPage().split('<!-- outcomes -->');
		const row = table.split('\n').find((line) => line.startsWith(`| \`${command}\` |`));
		const [, day, , came] = row?.split(' | ').map((cell) => cell.trim()) ?? [];
		expect(day ?? row).toMatch(/^\d{4}-\d\d-\d\d$/);
		expect(came).toMatch(/\d/);
	},
);
