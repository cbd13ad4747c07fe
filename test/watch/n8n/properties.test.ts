/**
 * What the trigger's panel offers. n8n stores only what differs from a default, so another default
 * or another type changes what stored workflows do.
 */
import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { LeadGenPublishingTrigger } from '../../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';

const node = new LeadGenPublishingTrigger();
const { description } = node;
const { properties } = description;
const VERSION = { typeVersion: 1 };

const entriesOf = ({ type, options = [] }: INodeProperties): INodeProperties[] =>
	type === 'collection' ? (options as INodeProperties[]) : [];
const all = properties.flatMap((field) => [
	{ path: field.name, field },
	...entriesOf(field).map((entry) => ({ path: `${field.name}.${entry.name}`, field: entry })),
]);
const fieldAt = (path: string): INodeProperties => {
	const found = all.find((one) => one.path === path);
	if (found === undefined) throw new Error(`There is no ${path}`);
	return found.field;
};

/** What is open with these values, and what can be added to its collections. */
function shownWith(given: INodeParameters) {
	const values =
		NodeHelpers.getNodeParameters(properties, given, true, false, VERSION, description) ?? {};
	const open = properties.filter((field) =>
		NodeHelpers.displayParameter(values, field, VERSION, description),
	);
	const addable = (name: string) =>
		open
			.filter((field) => field.name === name)
			.flatMap(entriesOf)
			.filter((entry) => NodeHelpers.displayParameter({}, entry, VERSION, description, values))
			.map((entry) => entry.name);
	return {
		open: open.map(({ name }) => name),
		filters: addable('filters'),
		options: addable('options'),
	};
}

it('a new trigger watches for new leads of the own account, and simplifies them', () => {
	expect(NodeHelpers.getNodeParameters(properties, {}, true, false, VERSION, description)).toEqual({
		event: 'newLead',
		watch: 'own',
		simplify: true,
		filters: {},
		options: {},
	});
});

it.each<[string, INodeProperties['type'], unknown]>([
	['event', 'options', 'newLead'],
	['delayNotice', 'notice', ''],
	['watch', 'options', 'own'],
	['clientIds', 'multiOptions', []],
	['simplify', 'boolean', true],
	['filters', 'collection', {}],
	['filters.hasEmail', 'boolean', true],
	['filters.keyword', 'string', ''],
	['filters.onlyWithIntent', 'boolean', true],
	['filters.qualificationStatus', 'string', ''],
	['filters.source', 'string', ''],
	['options', 'collection', {}],
	['options.afterRestart', 'options', 'continue'],
	['options.completeCheckEvery', 'number', 6],
	['options.emitExisting', 'boolean', false],
	['options.maxItemsPerPoll', 'number', 1_000],
	['options.share', 'string', ''],
])('%s is of the type %s, and begins with %j', (path, type, expected) => {
	const { type: shown, default: first } = fieldAt(path);
	expect([shown, first]).toEqual([type, expected]);
});

it('nothing else is offered', () => {
	expect([...new Set(all.map(({ path }) => path))]).toHaveLength(17);
});

it.each<[string, boolean, string[]]>([
	['newLead', false, ['hasEmail', 'keyword', 'onlyWithIntent', 'qualificationStatus']],
	['leadChanged', true, ['hasEmail', 'keyword', 'onlyWithIntent', 'qualificationStatus']],
	['newActivity', false, ['keyword', 'source']],
	['postStatusChanged', true, []],
])('on %s, changes are explained: %s, and the filters are %j', (event, isChange, filters) => {
	const shown = shownWith({ event, watch: 'own' });
	expect(shown.open).toEqual([
		...['event', ...(isChange ? ['delayNotice'] : []), 'watch'],
		...(filters.length > 0 ? ['filters'] : []),
		...['simplify', 'options'],
	]);
	expect(shown.filters).toEqual(filters);
	expect(shown.options).toEqual([
		...['afterRestart', 'completeCheckEvery', 'emitExisting', 'maxItemsPerPoll'],
	]);
});

it.each([
	['own', false, false],
	['clients', true, true],
	['allClients', false, true],
])('watching %s, clients are chosen: %s, and shared between triggers: %s', (watch, ...expected) => {
	const { open, options } = shownWith({ event: 'newLead', watch });
	expect([open.includes('clientIds'), options.includes('share')]).toEqual(expected);
});

it('clients have to be chosen, from a list that the node can load', () => {
	const { required, typeOptions } = fieldAt('clientIds');
	expect(required).toBe(true);
	expect(Object.keys(node.methods.loadOptions)).toContain(typeOptions?.loadOptionsMethod);
});

it('numbers can be entered as far as they mean something', () => {
	expect(fieldAt('options.maxItemsPerPoll').typeOptions).toEqual({ minValue: 1 });
	expect(fieldAt('options.completeCheckEvery').typeOptions).toEqual({
		...{ minValue: 0, maxValue: 7 * 24, numberPrecision: 2 },
	});
});

it('the event is no expression, since the panel depends on it', () => {
	expect(fieldAt('event').noDataExpression).toBe(true);
});

it('a restart goes on, or begins with the last batch', () => {
	const choices = (fieldAt('options.afterRestart').options ?? []).map((one) =>
		'value' in one ? [one.name, one.value] : [],
	);
	expect(choices).toEqual([
		['Continue', 'continue'],
		['Deliver the Last Batch Again', 'redeliverLast'],
	]);
});
