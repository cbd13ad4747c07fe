/** Rules for every parameter of the forms. `form.jsonl` has all names and values. */
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { endpoint } from '../../nodes/LeadGenPublishing/api/endpoints';
import { isAgency } from '../../nodes/LeadGenPublishing/operations/index';
import { labelOf } from '../../nodes/LeadGenPublishing/panel/parameters/labels';
import manifest from '../../package.json';
import { choicesOf, membersOf, operations, VERSION, withMembers } from './forms';
import { action, trigger } from './nodes';

const { properties } = action;

/** `name`, or `group.name` for a member of a collection. Hidden parameters are left out. */
const namesOf = (fields: readonly INodeProperties[]): string[] =>
	fields
		.filter(({ type }) => type !== 'hidden')
		.flatMap((field) => [
			field.name,
			...membersOf(field).map(({ name }) => `${field.name}.${name}`),
		]);

const shownFor = (name: string): INodeProperties[] => {
	const [resource = '', operation = ''] = name.split('.');
	return properties.filter(({ displayOptions }) => {
		const { show } = displayOptions ?? {};
		return show?.resource?.includes(resource) && show.operation?.includes(operation);
	});
};

it('the package has its released name, and each file the name of its class', () => {
	expect(manifest.name).toBe('n8n-nodes-leadgen-publishing');
	const { nodes, credentials } = manifest.n8n;
	expect([...nodes, ...credentials].map((file) => file.split('/').at(-1))).toEqual([
		'LeadGenPublishing.node.js',
		'LeadGenPublishingTrigger.node.js',
		'LeadGenPublishingApi.credentials.js',
	]);
});

describe('parameters', () => {
	it('have a default, and a JSON one starts with valid JSON, so that nothing is marked red', () => {
		const all = withMembers([...properties, ...trigger.properties]);
		const without = all.filter((field) => field.default === undefined);
		expect(without.map(({ name }) => name)).toEqual([]);
		const json = all.filter(({ type }) => type === 'json');
		expect(json.length).toBeGreaterThan(5);
		for (const field of json) expect(() => void JSON.parse(String(field.default))).not.toThrow();
	});

	it('have the same name in errors and labels', () => {
		for (const { name, displayName } of withMembers(properties))
			expect({ name, label: labelOf(name) }).toEqual({ name, label: displayName });
	});

	it('say explicitly for which resource and operation they are shown', () => {
		for (const { name, displayOptions } of properties.slice(1)) {
			const { resource = [], operation = [] } = displayOptions?.show ?? {};
			expect({ name, resources: resource.length }).toEqual({ name, resources: 1 });
			if (name !== 'operation') expect(operation.length).toBeGreaterThan(0);
		}
	});

	it('offer "Act As" exactly where there is an agency path', () => {
		for (const { name, operation } of operations)
			expect([name, namesOf(shownFor(name)).includes('actAs')]).toEqual([
				...[name, isAgency(operation)],
			]);
	});

	it('offer "Custom Fields" wherever a body or a query is sent', () => {
		for (const { name, operation } of operations) {
			// Posts that a query left out of a calendar would look like free time.
			if (operation.keepsItem === true) continue;
			const sends = operation.endpoints.some((one) => {
				const { method, answer } = endpoint(one);
				return method === 'POST' || method === 'PATCH' || answer === 'list';
			});
			const names = namesOf(shownFor(name));
			// If the user writes the whole body, there is nothing to add.
			const place = names.includes('body') ? 'body' : 'options.customFields';
			if (sends) expect([name, ...names]).toContain(place);
		}
	});

	it('appear once for each operation, even if there is one for each value of another parameter', () => {
		const choices = choicesOf(properties, 'deliveryMode').flatMap((deliveryMode) =>
			choicesOf(properties, 'status').map((status) => ({ deliveryMode, status })),
		);
		expect(choices.length).toBeGreaterThan(5);
		for (const { name, values } of operations)
			for (const choice of choices) {
				const given = { ...values, output: 'selectedFields', ...choice } as never;
				const names = shownFor(name)
					.filter((field) => NodeHelpers.displayParameter(given, field, VERSION, action))
					.map((field) => field.name);
				expect(names).toEqual([...new Set(names)]);
			}
	});
});
