import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readReadme, TABLES, withTables } from '../../scripts/generate/readmeTables';
import { readItemsPage, withSamples } from '../../scripts/generate/sampleItems';

const ROOT = join(__dirname, '..', '..');
const readme = readReadme();

test('the tables of the README are those of the code (npm run docs writes them)', () => {
	for (const name of Object.keys(TABLES)) expect(readme).toContain(`<!-- ${name} -->`);
	expect(readme).toBe(withTables(readme));
});

test('the sample items are those that the trigger makes (npm run docs writes them)', () => {
	const page = readItemsPage();
	expect(page.match(/```json/g)).toHaveLength(4);
	expect(page).toBe(withSamples(page));
});

test('every link of the README into the repository leads somewhere', () => {
	const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link ?? '');
	expect(links.length).toBeGreaterThan(3);
	for (const link of links)
		expect({ link, exists: existsSync(join(ROOT, link)) }).toEqual({ link, exists: true });
});

test('every npm script that the README names exists', () => {
	const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
	};
	const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script ?? '');
	for (const script of named) expect(Object.keys(manifest.scripts)).toContain(script);
});
