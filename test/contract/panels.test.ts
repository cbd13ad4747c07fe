/**
 * What a person sees when a panel opens, over all operations and events: nothing in it that few
 * need, what is required marked, short descriptions, units, calendar order.
 */
import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { issuesIn, membersOf, openIn, operations, VERSION } from './forms';
import { action, trigger } from './nodes';

const tool: INodeTypeDescription = { ...action, name: `${action.name}Tool` };

/** Whatever has a body or a query, unless the user writes all of it. */
const TAKES_CUSTOM_FIELDS = [
	...['activity.getAll', 'client.getAll', 'lead.getAll', 'leadMagnet.create', 'leadMagnet.getAll'],
	...['leadMagnet.update', 'media.createUploadUrl', 'media.delete', 'media.upload', 'post.create'],
	...['post.getAll', 'post.startFastResponse', 'post.stopFastResponse', 'post.update'],
];

const MAX_DESCRIPTION = 80;

/** What can be added to a collection. */
const addable = (field: INodeProperties, of: INodeTypeDescription): INodeProperties[] =>
	membersOf(field).filter((one) => NodeHelpers.displayParameter({}, one, VERSION, of));

const inside = (fields: readonly INodeProperties[], of = action): INodeProperties[] =>
	fields.flatMap((field) => [
		field,
		...inside(addable(field, of), of),
		...(field.options ?? []).flatMap((option) =>
			'values' in option ? inside(option.values, of) : [],
		),
	]);

describe.each(operations)('the panel of $name', ({ name, values, operation }) => {
	const open = openIn(action, values);

	it('opens no editor for JSON, unless the user has to write it', () => {
		const editors = open.filter(({ type }) => type === 'json').map((field) => field.name);
		const written = operation.fields.some((field) => field.name === 'body') ? ['body'] : [];
		expect(editors).toEqual(written);
	});

	it('has Custom Fields among the options, unless the user writes the whole body', () => {
		const names = open.flatMap((field) => addable(field, action).map((one) => one.name));
		const takesThem = TAKES_CUSTOM_FIELDS.includes(name);
		expect(names.filter((one) => one === 'customFields')).toHaveLength(takesThem ? 1 : 0);
	});

	it('says in a few words what happens', () => {
		expect(operation.description.length).toBeLessThanOrEqual(MAX_DESCRIPTION);
		expect(operation.description).not.toMatch(/[.:;] /);
		expect(operation.description).toMatch(/^[A-Z][a-z]+ /);
	});

	it('requires nothing that n8n does not see', () => {
		// n8n looks at these types alone, and into collections even where they are not shown.
		// Of JSON it sees nothing either: the node itself refuses an empty body.
		const required = inside(open).filter(
			(field) => field.required === true && field.name !== 'body',
		);
		const unseen = required.filter(({ type }) => !/^(string|dateTime|resourceLocator)$/.test(type));
		const hidden = open
			.flatMap((field) => addable(field, action))
			.filter((field) => field.required === true);
		expect([...unseen, ...hidden].map((field) => field.name)).toEqual([]);
	});

	it('names the unit of every duration and size', () => {
		const numbers = inside(open).filter(
			({ type, name: field }) =>
				(type === 'number' || /interval|duration|seconds|minutes|hours|size/i.test(field)) &&
				field !== 'limit',
		);
		const units = /\((Seconds|Minutes|Hours|Days|Bytes)\)$/;
		expect(numbers.map(({ displayName }) => displayName).filter((one) => !units.test(one))).toEqual(
			[],
		);
	});

	it('switches or chooses, as a person or as an agent, where records are simplified', () => {
		// What a diagnosis puts out is no record.
		const shapes = name === 'account.diagnose' ? ['simplify'] : ['simplify', 'output'];
		const namesIn = (description: INodeTypeDescription) =>
			openIn(description, values)
				.map((field) => field.name)
				.filter((one) => shapes.includes(one));
		const can = operation.simplification !== undefined;
		expect([namesIn(action), namesIn(tool)]).toEqual(can ? [['simplify'], ['output']] : [[], []]);
		expect(name.replace(/\.(create|get|getAll|update)$/, '')).toMatch(
			can ? /^(post|leadMagnet|lead|activity)$/ : /./,
		);
	});
});

it('records of posts and lead magnets have ten fields at most, that of the client included', () => {
	const few = operations.filter(({ name }) =>
		/^(post|leadMagnet)\.(create|get|getAll|update)$/.test(name),
	);
	expect(few).toHaveLength(8);
	for (const { name, operation } of few) {
		const { fields = [] } = operation.simplification ?? {};
		expect({ name, count: fields.length }).toEqual({ name, count: 9 });
		expect(new Set(fields).size).toBe(fields.length);
	}
});

it.each<[string, INodeParameters, string[]]>([
	['post.create', { text: 'a' }, []],
	['post.create', { text: '={{ $json.text }}' }, []],
	['post.create', {}, ['text']],
	['post.create', { text: 'a', status: 'scheduled' }, ['scheduledAt']],
	['post.create', { text: 'a', status: 'scheduled', scheduledAt: '2090-01-01T09:00' }, []],
	['post.create', { text: 'a', status: 'published' }, []],
	['post.create', { text: 'a', status: '={{ $json.status }}' }, []],
	['leadMagnet.create', {}, ['resourceLink']],
	['leadMagnet.create', { resourceLink: 'https://example.com' }, []],
	['leadMagnet.create', { deliveryMode: 'gated_external' }, []],
	['leadMagnet.create', { deliveryMode: 'hosted_content' }, []],
	['leadMagnet.create', { deliveryMode: '={{ $json.mode }}' }, []],
	['media.delete', {}, ['path']],
	['media.delete', { path: 'a.png' }, []],
	['media.createUploadUrl', { fileName: 'a.png' }, ['fileSize']],
	['media.createUploadUrl', { fileName: 'a.png', fileSize: 7 }, []],
	['media.createUploadUrl', { fileName: 'a.png', fileSize: '7' }, []],
])('n8n’s own check of %s with %j finds %j', (name, given, missing) => {
	const [resource, operation] = name.split('.');
	expect(issuesIn(action, { resource, operation, ...given })).toEqual(missing);
});

describe('the fields of a post and of a lead magnet', () => {
	const optionsOf = (name: string, group: string) => {
		const [resource = '', operation = ''] = name.split('.');
		const collection = openIn(action, { resource, operation }).find((one) => one.name === group);
		return collection === undefined ? [] : addable(collection, action);
	};

	it.each([
		['post.create', 'additionalFields', 'images', 'Add Image'],
		['post.update', 'updateFields', 'images', 'Add Image'],
		['leadMagnet.create', 'additionalFields', 'linkedPosts', 'Add Post'],
		['leadMagnet.update', 'updateFields', 'linkedPosts', 'Add Post'],
	])('%s has a list for %s.%s', (name, group, field, multipleValueButtonText) => {
		const [list, ...others] = optionsOf(name, group).filter((one) => one.name === field);
		expect(others).toEqual([]);
		expect(list?.typeOptions).toEqual({ multipleValues: true, multipleValueButtonText });
	});

	it.each([
		['leadMagnet.create', 'additionalFields'],
		['leadMagnet.update', 'updateFields'],
	])('%s has one group for the call to action in %s', (name, group) => {
		const cta = optionsOf(name, group).filter((one) => one.name.startsWith('cta'));
		expect(cta.map((one) => one.type)).toEqual(['fixedCollection']);
		expect(inside(cta).map((one) => one.name)).toEqual(['cta', 'ctaLabel', 'ctaUrl']);
	});

	it('Fast Response starts with what the service takes by itself', () => {
		const defaults = Object.fromEntries(
			openIn(action, { resource: 'post', operation: 'startFastResponse' }).map((one) => [
				one.name,
				one.default,
			]),
		);
		expect(defaults).toMatchObject({ interval: 'default', duration: 'default' });
	});
});

it('the days of the week stand as in a calendar', () => {
	const days = openIn(action, { resource: 'schedule', operation: 'spread' }).find(
		({ name }) => name === 'workingDays',
	);
	expect(days?.options?.map((option) => option.name)).toEqual([
		...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
	]);
});

it('Schedule > Spread opens with what most set', () => {
	const open = openIn(action, { resource: 'schedule', operation: 'spread' });
	expect(open.map(({ name }) => name).slice(2)).toEqual([
		...['start', 'workingDays', 'fromTime', 'toTime', 'timeZone', 'options'],
	]);
});

describe.each(['newLead', 'leadChanged', 'newActivity', 'postStatusChanged'])(
	'the panel of the trigger on %s',
	(event) => {
		const open = openIn(trigger, { event });

		it('has Simplify at the top, once', () => {
			const all = inside(open, trigger).filter(({ name }) => name === 'simplify');
			expect(all).toHaveLength(1);
			expect(open).toContain(all[0]);
		});

		it('has one notice at most, below the event, in few words', () => {
			const notices = open.filter(({ type }) => type === 'notice');
			const isChange = event === 'leadChanged' || event === 'postStatusChanged';
			expect(notices).toHaveLength(isChange ? 1 : 0);
			for (const notice of notices) {
				expect(open.indexOf(notice)).toBe(1);
				expect(notice.displayName.length).toBeLessThanOrEqual(160);
			}
		});

		it('names the unit of every duration', () => {
			const { displayName = '' } =
				inside(open, trigger).find(({ name }) => name === 'completeCheckEvery') ?? {};
			expect(displayName).toMatch(/\(Hours\)$/);
		});
	},
);
