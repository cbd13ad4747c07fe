import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { endpoint } from '../../nodes/LeadGenPublishing/api/endpoints';
import { isAgency } from '../../nodes/LeadGenPublishing/operations/index';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { labelOf } from '../../nodes/LeadGenPublishing/parameters/labels';
import { CHOICES, OPERATIONS, PARAMETERS, TRIGGER_CHOICES, TRIGGER_PARAMETERS } from './names';

const action = new LeadGenPublishing();
const trigger = new LeadGenPublishingTrigger();
const credential = new LeadGenPublishingApi();
const { properties } = action.description;

const entriesOf = (field: INodeProperties): INodeProperties[] =>
	(field.type === 'collection' ? (field.options ?? []) : []) as INodeProperties[];

/** `name`, and `group.name` for what stands in a collection. */
const namesOf = (fields: readonly INodeProperties[]): string[] =>
	fields.flatMap((field) => [
		field.name,
		...entriesOf(field).map(({ name }) => `${field.name}.${name}`),
	]);

const shownFor = (name: string): INodeProperties[] => {
	const [resource = '', operation = ''] = name.split('.');
	return properties.filter(({ displayOptions }) => {
		const { show } = displayOptions ?? {};
		return show?.resource?.includes(resource) && show.operation?.includes(operation);
	});
};

const choicesOf = (fields: readonly INodeProperties[], name: string): unknown[] => {
	const [group = '', inner] = name.split('.');
	return fields
		.filter((field) => field.name === group)
		.flatMap((field) => (inner === undefined ? [field] : entriesOf(field)))
		.filter((field) => inner === undefined || field.name === inner)
		.flatMap(({ options }) => (options ?? []).map((option) => 'value' in option && option.value));
};

const operations = RESOURCES.flatMap((resource) =>
	resource.operations.map((operation) => ({
		name: `${resource.value}.${operation.value}`,
		operation,
	})),
);

describe('the package', () => {
	const manifest = JSON.parse(
		readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'),
	) as { name: string; n8n: { nodes: string[]; credentials: string[] } };

	it('is called as released', () => {
		expect(manifest.name).toBe('n8n-nodes-leadgen-publishing');
	});

	it('names files that exist, by the class that they hold', () => {
		for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
			const source = join(__dirname, '..', '..', file.replace('dist/', '').replace(/\.js$/, '.ts'));
			expect({ file, exists: existsSync(source) }).toEqual({ file, exists: true });
		}
		expect(manifest.n8n.nodes.join()).toContain('LeadGenPublishing.node.js');
		expect(manifest.n8n.nodes.join()).toContain('LeadGenPublishingTrigger.node.js');
		expect(manifest.n8n.credentials.join()).toContain('LeadGenPublishingApi.credentials.js');
	});
});

describe('the node types', () => {
	it('have their names, labels and versions', () => {
		expect(action.description).toMatchObject({
			name: 'leadGenPublishing',
			displayName: 'Lead Gen & Publishing',
			version: [1],
		});
		expect(trigger.description).toMatchObject({
			name: 'leadGenPublishingTrigger',
			displayName: 'Lead Gen & Publishing Trigger',
			version: [1],
		});
	});

	it('use the credential by its name, with its fields', () => {
		for (const { description } of [action, trigger])
			expect(description.credentials?.map(({ name }) => name)).toEqual(['leadGenPublishingApi']);
		expect(credential.name).toBe('leadGenPublishingApi');
		expect(credential.displayName).toBe('Lead Gen & Publishing API');
		expect(credential.properties.map(({ name }) => name)).toEqual([
			'baseUrl',
			'apiKey',
			'setWords',
			'serviceWord',
			'networkWord',
		]);
	});
});

describe('resources and operations', () => {
	it('are those of the contract', () => {
		const found = Object.fromEntries(
			RESOURCES.map(({ value, operations: of }) => [value, of.map((one) => one.value).sort()]),
		);
		expect(found).toEqual(OPERATIONS);
	});

	it('are offered in the description as they are defined', () => {
		expect(choicesOf(properties, 'resource').sort()).toEqual(Object.keys(OPERATIONS).sort());
		for (const [resource, values] of Object.entries(OPERATIONS)) {
			const field = properties.find(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show?.resource?.includes(resource),
			);
			expect(choicesOf(field ? [field] : [], 'operation').sort()).toEqual([...values].sort());
		}
	});

	it('have values that are unique in their resource', () => {
		const names = operations.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
	});
});

describe('parameters', () => {
	it.each(Object.entries(PARAMETERS))('of %s are there', (name, parameters) => {
		expect(namesOf(shownFor(name))).toEqual(expect.arrayContaining([...parameters]));
	});

	it('are fixed for each operation', () => {
		expect(Object.keys(PARAMETERS).sort()).toEqual(operations.map(({ name }) => name).sort());
	});

	it.each(Object.entries(CHOICES))('%s offers its values', (name, values) => {
		expect([...new Set(choicesOf(properties, name))].sort()).toEqual([...values].sort());
	});

	it('have a default, in collections, too', () => {
		const without = properties
			.flatMap((field) => [field, ...entriesOf(field)])
			.filter((field) => field.default === undefined);
		expect(without.map(({ name }) => name)).toEqual([]);
	});

	it('of JSON start with valid JSON, so that the editor marks nothing red', () => {
		const json = properties
			.flatMap((field) => [field, ...entriesOf(field)])
			.filter(({ type }) => type === 'json');
		expect(json.length).toBeGreaterThan(5);
		for (const field of json) expect(() => void JSON.parse(String(field.default))).not.toThrow();
	});

	it('are called in errors as they are labelled', () => {
		for (const { name, displayName } of properties.flatMap((one) => [one, ...entriesOf(one)]))
			expect({ name, label: labelOf(name) }).toEqual({ name, label: displayName });
	});

	it('say explicitly for which resource and operation they are shown', () => {
		for (const { name, displayOptions } of properties) {
			if (name === 'resource') continue;
			expect({ name, resource: displayOptions?.show?.resource?.length }).toEqual({
				name,
				resource: 1,
			});
			if (name !== 'operation') expect(displayOptions?.show?.operation?.length).toBeGreaterThan(0);
		}
	});

	it('offer "Act As" exactly where there is an agency path', () => {
		for (const { name, operation } of operations)
			expect({ name, actAs: namesOf(shownFor(name)).includes('actAs') }).toEqual({
				name,
				actAs: isAgency(operation),
			});
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

	it('come once for each operation', () => {
		for (const { name } of operations) {
			// Of a parameter for each choice of another, at most one is shown.
			const shown = shownFor(name);
			for (const choice of CHOICES.deliveryMode?.flatMap((deliveryMode) =>
				(CHOICES.status ?? []).map((status) => ({ deliveryMode, status })),
			) ?? []) {
				const [resource = '', operation = ''] = name.split('.');
				const values = { resource, operation, output: 'selectedFields', ...choice };
				const names = shown
					.filter((field) =>
						NodeHelpers.displayParameter(values, field, { typeVersion: 1 }, action.description),
					)
					.map((field) => field.name);
				expect(names).toEqual([...new Set(names)]);
			}
		}
	});
});

describe('the trigger', () => {
	it('has its parameters', () => {
		expect(namesOf(trigger.description.properties)).toEqual(
			expect.arrayContaining([...TRIGGER_PARAMETERS]),
		);
	});

	it.each(Object.entries(TRIGGER_CHOICES))('%s offers its values', (name, values) => {
		expect(choicesOf(trigger.description.properties, name).sort()).toEqual([...values]);
	});

	it('gives every parameter a default', () => {
		for (const field of trigger.description.properties.flatMap((one) => [one, ...entriesOf(one)]))
			expect({ name: field.name, missing: field.default === undefined }).toEqual({
				name: field.name,
				missing: false,
			});
	});
});
