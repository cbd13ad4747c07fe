/** The check of parameters finds what n8n would drop or refuse without a word. */
import type { INode } from 'n8n-workflow';

import { byId } from '../upgrade/samples/sample';
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
	['evnt is not a parameter', trigger, { evnt: 'newLead' }],
	['filters.mail is not a parameter', trigger, { filters: { mail: true } }],
	['clientIds is not shown', trigger, { clientIds: ['x'] }],
	['scheduledAt is not shown', create, { status: 'draft' }],
	['leadMagnetId is not shown', create, { leadMagnetId: byId('a') }],
	['watch has no option "everyone"', trigger, { watch: 'everyone' }],
	['workingDays has no option "sun"', spread, { workingDays: ['sun'] }],
	['binaryPropertyName is required', upload, { binaryPropertyName: '' }],
	['leadMagnetId is required', analytics, { leadMagnetId: byId('') }],
	['options.randomMinutes must be a number', spread, { options: { randomMinutes: '5' } }],
	['options.customFields must be text', create, { options: { customFields: {} } }],
	[
		'additionalFields.images must be a list of texts',
		create,
		{ additionalFields: { images: 'a.png, b.png' } },
	],
	['must be a resource locator', analytics, { leadMagnetId: 'abc' }],
	['takes no expression', create, { operation: '={{ 1 }}' }],
])('it finds what %s', (expected, place, change) => {
	expect(problemsOf(place, change).join('\n')).toContain(expected);
});
