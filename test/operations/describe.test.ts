/** What is chosen in a new node, who is asked for a client, and which labels an error may name. */
import type { Operation, Resource } from '../../nodes/LeadGenPublishing/operations/define';
import { describe as described, labelsOf } from '../../nodes/LeadGenPublishing/operations/describe';
import { findOperation, isAgency } from '../../nodes/LeadGenPublishing/operations/index';

const operation = (value: string, endpoints: Operation['endpoints'] = []): Operation => ({
	...{ value, name: value, action: value, description: value, kind: 'read', endpoints },
	...{ fields: [], run: async () => [] },
});
const resource = (value: string, ...names: string[]): Resource => ({
	...{ value, name: value, operations: names.map((name) => operation(name)) },
});
const chosen = (...resources: Resource[]) => described(resources).map((field) => field.default);

it('a new node begins with leads, or with the first resource, and there with a list', () => {
	expect(chosen(resource('a', 'b'), resource('lead', 'c', 'getAll', 'd'))).toEqual([
		...['lead', 'b', 'getAll'],
	]);
	expect(chosen(resource('a', 'b', 'c'), resource('d', 'e'))).toEqual(['a', 'b', 'e']);
	expect(chosen(resource('a'))).toEqual(['a', '']);
	expect(chosen()).toEqual(['']);
});

it('an operation may act for a client only if all that it sends may', () => {
	expect(isAgency(operation('a', ['post.get', 'post.update']))).toBe(true);
	expect(isAgency(operation('a', ['post.get', 'account.getSubject']))).toBe(false);
	expect(isAgency(operation('a'))).toBe(false);
});

it('the labels of an operation are those of its account, groups and lists, but not of choices', () => {
	expect([...new Set(labelsOf(findOperation('leadMagnet', 'create')))]).toEqual([
		...['Act As', 'Client', 'Delivery Mode', 'Keyword', 'Resource Name', 'Resource Link'],
		...['Hosted Page', 'Additional Fields', 'CTA', 'CTA Label', 'CTA URL', 'Description'],
		...['Linked Posts', 'Text Template', 'Simplify', 'Output', 'Fields', 'Options'],
		...['If Exists', 'Custom Fields', 'Dry Run', 'Max Wait (Seconds)', 'Model May Publish'],
	]);
	expect(labelsOf(findOperation('account', 'getSubject'))).toEqual([
		'Options',
		'Max Wait (Seconds)',
	]);
});
