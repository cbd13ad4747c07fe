/** Runs the checks of `npm run docs -- --check`, and tests that they find mistakes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { WATCH_EVENTS } from '../../nodes/LeadGenPublishing/feed/events/events';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { readReadme, TABLES } from '../../scripts/generate/readmeTables';
import { readItemsPage } from '../../scripts/generate/sampleItems';
import { readExamples, ROOT } from './example';
import { keysOf } from './exampleFile';
import { anchorsIn, commandsIn, linksIn, paragraphsIn, sectionsIn } from './markdown';
import { CHECKS, documents, fileNameProblems, isThere, linkProblem } from './problems';

describe('the documents', () => {
	it.each(Object.entries(CHECKS))('have nothing wrong with their %s', async (_, find) => {
		expect(await find()).toEqual([]);
	});

	it('are all checked, and have every generated part', () => {
		expect(documents().length).toBeGreaterThanOrEqual(7);
		for (const name of Object.keys(TABLES)) expect(readReadme()).toContain(`<!-- ${name} -->`);
		expect(readItemsPage().match(/```json/g)).toHaveLength(WATCH_EVENTS.length);
	});

	it.each([
		["n8n's own pause of a trigger ends", 'docs/trigger.md', 'Unpublish and publish'],
		["n8n's own network is protected", 'docs/installation.md', 'N8N_SSRF_PROTECTION_ENABLED=true'],
	])('say how %s, which no code of ours can do', (_, page, words) => {
		expect(readFileSync(join(ROOT, page), 'utf8')).toContain(words);
	});

	it('show the cost of every operation', () => {
		const usage = readFileSync(join(ROOT, 'docs', 'usage.md'), 'utf8');
		const costs = sectionsIn(usage).get('keys-and-costs');
		// Such as "| Client → Get; Lead, Post → Get Many |".
		const named = [...(costs ?? '').matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
			cell.split('; ').flatMap((group) => {
				const [resources = '', operations = ''] = group.split(' → ');
				return resources
					.split(', ')
					.flatMap((resource) => operations.split(', ').map((one) => `${resource} → ${one}`));
			}),
		);
		const all = RESOURCES.flatMap(({ name, operations }) =>
			operations.map((operation) => `${name} → ${operation.name}`),
		);
		expect(all.filter((one) => !named.includes(one))).toEqual([]);
	});

	it('have examples that find their rows, and differ in names and IDs', () => {
		const examples = readExamples();
		expect(examples.flatMap(keysOf)).toContain('={{ $json.id }}');
		expect(examples.filter((one) => keysOf(one).length > 0).length).toBeGreaterThan(6);
		const ids = examples.flatMap(({ nodes }) => nodes.map(({ id }) => id));
		expect(new Set(ids).size).toBe(ids.length);
		expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
	});
});

describe('reading a document', () => {
	it('finds links and pictures, but none in code', () => {
		const text = '[a](b.md#c) ![p](d.jpg) `[x](y)`\n```\n[x](y)\n```\n[![q](e.jpg)](f.md)';
		expect(linksIn(text)).toEqual([
			{ target: 'b.md#c', picture: false },
			{ target: 'd.jpg', picture: true },
			{ target: 'e.jpg', picture: true },
			{ target: 'f.md', picture: false },
		]);
	});

	it('names headings as GitHub does', () => {
		const text = '# What `it` does, and *why*?\n## Same\n### Same\n```\n# none\n```\n';
		expect([...anchorsIn(text)]).toEqual(['what-it-does-and-why', 'same', 'same-1']);
	});

	it('finds commands with and without arguments', () => {
		const text = '`npm run docs -- -x` and `npx tsx test/a.ts`\n```sh\nnpm ci && npm test\n```';
		expect(commandsIn(text).sort()).toEqual([
			'npm ci',
			'npm run docs',
			'npm test',
			'npx tsx test/a.ts',
		]);
	});

	it('finds passages', () => {
		const text = '# One\n\nTwo\ntwo\n- three [a](b.md)\n- four\n\n| five | six |\n|---|---|\n';
		expect(paragraphsIn(text)).toEqual([
			...['# One', 'Two\ntwo', '- three [a]', '- four'],
			...['five', 'six', '---', '---'],
		]);
	});

	it('takes a section up to the next heading', () => {
		expect([...sectionsIn('x\n## One\n1\n## Two, too\n2')]).toEqual([
			['one', '1\n'],
			['two-too', '2'],
		]);
	});
});

describe('a link', () => {
	it.each([
		['docs/trigger.md', undefined],
		['#operations', undefined],
		['docs/examples.md#content-calendar-of-all-clients', undefined],
		['https://example.com/a', undefined],
		['https://', 'is no address'],
		['docs/nothing.md', 'does not exist'],
		['#nothing', 'is no heading there'],
		['docs/trigger.md#nothing', 'is no heading there'],
		['..', 'leads out of the repository'],
	])('to %s is judged', (target, problem) => {
		expect(linkProblem('README.md', target)).toBe(problem);
	});
});

it('a file that a document names exists', () => {
	expect(fileNameProblems('`api/client.ts`, `client.ts` and `copied.test.ts`')).toEqual([]);
	const wrong = ['ient.ts', 'api/nothing.ts', 'nowhere.ts', 'test/docs/nothing.test.ts'];
	expect(fileNameProblems(wrong.map((name) => `\`${name}\``).join(' and '))).toEqual(
		wrong.map((name) => `there is no file ${name}`),
	);
});

it('a command that does not exist is found', () => {
	const wrong = ['npm run nonsense', 'npm nonsense', 'npx tsx test/nothing.ts'];
	const commands = [...wrong, 'npm run docs', 'npm ci', 'npx tsx night/simulate.ts'];
	expect(commands.map(isThere)).toEqual([false, false, false, true, true, true]);
});
