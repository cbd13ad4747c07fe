/**
 * A label in italics on a page or a sticky note, or in quotes in a sentence of the code, must exist in the product.
 * After a label was renamed, this test lists the places that still have the old one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { labelOf } from '../../nodes/LeadGenPublishing/panel/parameters/labels';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { nodeIn } from '../../scripts/generate/form';
import { isNote, readExamples, ROOT } from './example';

/** Of n8n, GitHub and nodes in the examples. */
const OF_OTHERS = [
	...['Active', 'Allowed Domains', 'Allowed HTTP Request Domains', 'Approve', 'Ask First'],
	'Bearer Auth',
	'Error Workflow',
	...['Community Nodes', 'Every Minute', 'Executions', 'Fetch Test Event', 'Ignore SSL Issues'],
	...[
		'On Error',
		'Poll Times',
		'Publish',
		'Retry',
		'Retry On Fail',
		'Score',
		'Security',
		'Settings',
	],
	...['Specific Domains', 'SSL Certificates'],
];

/** Of other nodes and services, in the sticky notes of examples. */
const OF_OTHERS_IN_NOTES = [
	...['Base', 'Table', 'Cell Format', 'Filter', 'Production URL'],
	...['Website URL', 'Message', 'External ID', 'Unique'],
];

const labelsOf = (fields: readonly INodeProperties[]): string[] =>
	fields.flatMap(({ displayName, options = [], modes = [] }) => [
		displayName,
		...modes.map((mode) => mode.displayName),
		...options.flatMap((option) => {
			if ('values' in option) return [option.displayName, ...labelsOf(option.values)];
			return 'type' in option ? labelsOf([option]) : [option.name];
		}),
	]);

const KNOWN = new Set([
	...OF_OTHERS,
	...labelsOf(nodeIn('LeadGenPublishing').description.properties),
	...labelsOf(nodeIn('LeadGenPublishingTrigger').description.properties),
	...labelsOf(new LeadGenPublishingApi().properties),
	...RESOURCES.map(({ name }) => name),
]);

/** Every word begins with a capital letter, except short ones. */
const IN_TITLE =
	/^(?:\(?[A-Z\d]|(?:a|an|and|as|at|by|for|from|if|in|is|of|on|or|per|the|to|with)$)/;
const isTitle = (text: string): boolean =>
	/^[A-Z]\w/.test(text) && text.split(' ').every((word) => IN_TITLE.test(word));

const unknownIn = (text: string, pattern: RegExp): string[] =>
	[...text.matchAll(pattern)]
		.flatMap(([, inside = '']) => inside.split(/ [→>] |: /))
		.filter((part) => isTitle(part) && !/[.,!]$/.test(part) && !KNOWN.has(part));

const IN_ITALICS = /(?<![*\w])\*([^*\n]+)\*(?!\*)/g;
const IN_QUOTES = /"([^"\n$]+)"/g;
const withoutComments = (code: string): string => code.replace(/^\s*(?:\/?\*|\/\/).*$/gm, '');

const filesIn = (folder: string, ending: string): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(ending))
		.map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

it('pages name only labels that the product shows', () => {
	const old = ['README.md', 'SECURITY.md', ...filesIn('docs', '.md')].flatMap((page) =>
		unknownIn(read(page), IN_ITALICS).map((label) => `${page}: ${label}`),
	);
	expect(old).toEqual([]);
});

it('sticky notes of examples name only labels that the product shows, and their own nodes', () => {
	const old = readExamples().flatMap(({ file, name, nodes }) => {
		const others = new Set([...OF_OTHERS_IN_NOTES, name, ...nodes.map((node) => node.name)]);
		return nodes
			.filter(isNote)
			.flatMap(({ parameters }) => unknownIn(String(parameters.content), IN_ITALICS))
			.filter((label) => !others.has(label))
			.map((label) => `examples/${file}.json: ${label}`);
	});
	expect(old).toEqual([]);
});

it('sentences of the code name only labels that the product shows', () => {
	const old = ['nodes', 'credentials']
		.flatMap((folder) => filesIn(folder, '.ts'))
		.flatMap((file) =>
			unknownIn(withoutComments(read(file)), IN_QUOTES).map((label) => `${file}: ${label}`),
		);
	expect(old).toEqual([]);
});

it.each([
	['*Max Wait (Minutes)* of *Lead → Get Them*', ['Max Wait (Minutes)', 'Get Them']],
	[
		`*${labelOf('maxWaitSeconds')}* of *Lead → Get Many*, *draft* and *After a Restart: Continue*`,
		[],
	],
])('finds the old labels of %j', (text, old) => {
	expect(unknownIn(text, IN_ITALICS)).toEqual(old);
});
