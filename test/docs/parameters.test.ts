/** The check of parameters finds what n8n would drop or refuse without a word. */
import type { INode } from 'n8n-workflow';

import { readExample } from './example';
import { builtNodes } from './ours';
import { parameterProblems } from './parameters';

const built = builtNodes();

function problemsOf(place: { file: string; node: string }, change: INode['parameters']): string[] {
	const node = readExample(place.file).nodes.find(({ name }) => name === place.node);
	const description = built.get(node?.type ?? '');
	if (node === undefined || description === undefined) throw new Error('there is no such node');
	return parameterProblems({ ...node, parameters: { ...node.parameters, ...change } }, description);
}

const trigger = { file: 'new-leads-to-hubspot', node: 'New Lead With Email' };
const create = { file: 'content-calendar', node: 'Create Post' };
const spread = { file: 'content-calendar', node: 'Find a Free Time' };
const upload = { file: 'post-with-image', node: 'Upload Image' };
const analytics = { file: 'weekly-report', node: 'Get Analytics' };

it.each([
	['an unknown parameter', trigger, { evnt: 'newLead' }, 'evnt is not a parameter'],
	[
		'one inside a collection',
		trigger,
		{ filters: { mail: true } },
		'filters.mail is not a parameter',
	],
	['one of another event', trigger, { clientIds: ['x'] }, 'clientIds is not shown'],
	['one that its neighbour hides', create, { status: 'draft' }, 'scheduledAt is not shown'],
	[
		'an option that does not exist',
		trigger,
		{ watch: 'everyone' },
		'watch has no option "everyone"',
	],
	[
		'a day that does not exist',
		spread,
		{ workingDays: ['sun'] },
		'workingDays has no option "sun"',
	],
	[
		'what is required and empty',
		upload,
		{ binaryPropertyName: '' },
		'binaryPropertyName is required',
	],
	[
		'a number as text',
		spread,
		{ options: { randomMinutes: '5' } },
		'options.randomMinutes must be a number',
	],
	[
		'JSON that is no text',
		create,
		{ options: { customFields: {} } },
		'options.customFields must be text',
	],
	[
		'one that is of another operation',
		create,
		{ leadMagnetId: id('a') },
		'leadMagnetId is not shown',
	],
	[
		'a text where a list belongs',
		create,
		{ additionalFields: { images: 'a.png, b.png' } },
		'additionalFields.images must be a list of texts',
	],
	['an empty record', analytics, { leadMagnetId: id('') }, 'leadMagnetId is required'],
	['a plain value for a record', analytics, { leadMagnetId: 'abc' }, 'must be a resource locator'],
	['an expression where none may be', create, { operation: '={{ 1 }}' }, 'takes no expression'],
])('it finds %s', (_, place, change, expected) => {
	expect(problemsOf(place, change).join('\n')).toContain(expected);
});

function id(value: string) {
	return { __rl: true, mode: 'id', value };
}
