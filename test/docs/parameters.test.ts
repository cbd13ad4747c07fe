/** The checks of the examples find what n8n would drop, refuse or leave empty without a word. */
import type { INode } from 'n8n-workflow';

import { byId } from '../support/kit/index';
import { readExample, type Example } from './example';
import { fileProblems } from './exampleFile';
import { expressionProblems } from './expressions';
import { builtNodes } from './ours';
import { parameterProblems } from './parameters';

let built: Awaited<ReturnType<typeof builtNodes>>;
beforeAll(async () => {
	built = await builtNodes();
});

function problemsOf(place: { file: string; node: string }, change: INode['parameters']): string[] {
	const node = readExample(place.file).nodes.find(({ name }) => name === place.node);
	const description = built.get(node?.type ?? '');
	if (node === undefined || description === undefined) throw new Error('there is no such node');
	return parameterProblems({ ...node, parameters: { ...node.parameters, ...change } }, description);
}

const trigger = { file: 'new-leads-to-hubspot', node: 'New Lead With Email' };
const create = { file: 'content-calendar', node: 'Write the Post' };
const analytics = { file: 'weekly-report', node: 'Get Analytics' };

// Any parameter of the same type will do. If one of these is removed, use another.
it.each([
	['evnt is unknown', trigger, { evnt: 'newLead' }],
	['filters.mail is unknown', trigger, { filters: { mail: true } }],
	['clientIds is unknown, or not shown', trigger, { clientIds: ['x'] }],
	['scheduledAt is unknown, or not shown', create, { status: 'draft' }],
	['leadMagnetId is unknown, or not shown', create, { leadMagnetId: byId('a') }],
	['watch has no option "everyone"', trigger, { watch: 'everyone' }],
	['workingDays has no option "sun"', create, { workingDays: ['sun'] }],
	['"Unique Key" is required', create, { uniqueKey: '' }],
	['"Lead Magnet" is required', analytics, { leadMagnetId: byId('') }],
	['options.randomMinutes must be a number', create, { options: { randomMinutes: '5' } }],
	['options.customFields must be text', create, { options: { customFields: {} } }],
	[
		'additionalFields.images must be a list of texts',
		create,
		{ additionalFields: { images: 'a.png, b.png' } },
	],
	['must be a resource locator', analytics, { leadMagnetId: 'abc' }],
	['takes no expression', create, { operation: '={{ 1 }}' }],
])('%s', (expected, place, change) => {
	expect(problemsOf(place, change).join('\n')).toContain(expected);
});

it.each([
	['reads "lead_idd", which nothing is called', 'reconcile-leads', '$json.id', '$json.lead_idd'],
	[
		'reads "Get Magnets", which does not lead',
		'weekly-report',
		"$('Get Lead Magnets')",
		"$('Get Magnets')",
	],
	['which does not lead to it', 'content-calendar', "$('Read Ready Rows')", "$('Note the Post')"],
	['cannot be read', 'reconcile-leads', '{{ $json.id }}', '{{ $json.id + }}'],
	['is active', 'read-leads', '"name":"Read leads by hand"', '"active":true'],
	['holds data', 'read-leads', '"pinData":{}', '"pinData":{"Get Leads":[]}'],
	['does not explain itself', 'read-leads', 'stickyNote', 'noOp'],
	['says how the network is called', 'read-leads', 'One item per', 'network_id of each'],
	['lies on Note', 'read-leads', '"height":144', '"height":500'],
	['has the id of a credential', 'read-leads', '"id":null', '"id":"1"'],
	['which a record may lack', 'reconcile-leads', '{{ $json.id }}', '{{ $json.email }}'],
	['goes on with continue', 'new-leads-to-crm', 'redeliverLast', 'continue'],
	[
		'goes on with redeliverLast',
		'fast-response-on-new-post',
		'"watch":"own","options":{',
		'"watch":"own","options":{"afterRestart":"redeliverLast"',
	],
	['without a unique key', 'content-calendar', '"uniqueKey"', '"key"'],
	[
		'connects "Upsrt Lead", which is no node',
		'reconcile-leads',
		'"node":"Upsert Into CRM"',
		'"node":"Upsrt Lead"',
	],
	[
		'"Upsert Into CRM": is reached from nowhere',
		'reconcile-leads',
		'"node":"Upsert Into CRM"',
		'"node":"Every Night"',
	],
])('%s', (expected, file, from, to) => {
	const text = JSON.stringify(readExample(file));
	expect(text).toContain(from);
	const problemsOf = (of: Example) => [...fileProblems(of), ...expressionProblems(of)];
	const changed = JSON.parse(text.replaceAll(from, to)) as Example;
	expect(problemsOf(changed).join('\n')).toContain(expected);
	expect(problemsOf(readExample(file))).toEqual([]);
});
