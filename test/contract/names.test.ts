/** What workflows store: no name of it goes, and each is offered where it was. */
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { endpoint } from '../../nodes/LeadGenPublishing/api/endpoints';
import { isAgency } from '../../nodes/LeadGenPublishing/operations/index';
import { labelOf } from '../../nodes/LeadGenPublishing/parameters/labels';
import manifest from '../../package.json';
import { choicesOf, membersOf, operations, VERSION, withMembers } from './forms';
import { action, trigger } from './nodes';
import { CHOICES, PARAMETERS, TRIGGER_CHOICES, TRIGGER_PARAMETERS } from './names';

const credential = new LeadGenPublishingApi();
const { properties } = action;

/** `name`, and `group.name` for what stands in a collection; nothing of it is hidden. */
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

it('the package is called as released, and its files by the class that they hold', () => {
	expect(manifest.name).toBe('n8n-nodes-leadgen-publishing');
	const { nodes, credentials } = manifest.n8n;
	expect([...nodes, ...credentials].map((file) => file.split('/').at(-1))).toEqual([
		'LeadGenPublishing.node.js',
		'LeadGenPublishingTrigger.node.js',
		'LeadGenPublishingApi.credentials.js',
	]);
});

it('the node types have their names, labels and versions, and the credential with its fields', () => {
	const about = [action, trigger].map(({ name, displayName, version, credentials }) => [
		...[name, displayName, version, credentials?.map((one) => one.name)],
	]);
	expect(about).toEqual([
		['leadGenPublishing', 'Lead Gen & Publishing', [1], ['leadGenPublishingApi']],
		['leadGenPublishingTrigger', 'Lead Gen & Publishing Trigger', [1], ['leadGenPublishingApi']],
	]);
	expect([credential.name, credential.displayName]).toEqual([
		'leadGenPublishingApi',
		'Lead Gen & Publishing API',
	]);
	expect(credential.properties.map(({ name }) => name)).toEqual([
		...['baseUrl', 'apiKey', 'setWords', 'serviceWord', 'networkWord'],
	]);
});

it('the operations are those of the contract', () => {
	expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(PARAMETERS).sort());
});

describe('parameters', () => {
	it.each(Object.entries(PARAMETERS))('of %s are there', (name, parameters) => {
		expect(namesOf(shownFor(name))).toEqual(expect.arrayContaining([...parameters]));
	});

	it.each(Object.entries(CHOICES))('%s offers its values', (name, values) => {
		expect([...new Set(choicesOf(properties, name))].sort()).toEqual([...values].sort());
	});

	it('have a default, and a JSON one starts with valid JSON, so that nothing is marked red', () => {
		const all = withMembers([...properties, ...trigger.properties]);
		const without = all.filter((field) => field.default === undefined);
		expect(without.map(({ name }) => name)).toEqual([]);
		const json = all.filter(({ type }) => type === 'json');
		expect(json.length).toBeGreaterThan(5);
		for (const field of json) expect(() => void JSON.parse(String(field.default))).not.toThrow();
	});

	it('are called in errors as they are labelled', () => {
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
			// What a query left out of a calendar would look free.
			if (operation.keepsItem === true) continue;
			const sends = operation.endpoints.some((one) => {
				const { method, answer } = endpoint(one);
				return method === 'POST' || method === 'PATCH' || answer === 'list';
			});
			const names = namesOf(shownFor(name));
			// Where the user writes the whole body, there is nothing to add to it.
			const place = names.includes('body') ? 'body' : 'options.customFields';
			if (sends) expect([name, ...names]).toContain(place);
		}
	});

	it('come once for each operation, also where there is one for each choice of another', () => {
		const choices = CHOICES.deliveryMode?.flatMap((deliveryMode) =>
			(CHOICES.status ?? []).map((status) => ({ deliveryMode, status })),
		);
		expect(choices?.length).toBeGreaterThan(5);
		for (const { name, values } of operations)
			for (const choice of choices ?? []) {
				const given = { ...values, output: 'selectedFields', ...choice };
				const names = shownFor(name)
					.filter((field) => NodeHelpers.displayParameter(given, field, VERSION, action))
					.map((field) => field.name);
				expect(names).toEqual([...new Set(names)]);
			}
	});
});

it('the trigger has its parameters, and their values', () => {
	expect(namesOf(trigger.properties)).toEqual(expect.arrayContaining([...TRIGGER_PARAMETERS]));
	for (const [name, values] of Object.entries(TRIGGER_CHOICES))
		expect(choicesOf(trigger.properties, name).sort()).toEqual([...values]);
});
