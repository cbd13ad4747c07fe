/**
 * What a person sees when a panel opens, for all operations: nothing that only few need, required
 * parameters marked, short descriptions, units. `form.jsonl` has what each operation offers.
 */
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { issuesIn, membersOf, openIn, operations, VERSION } from './forms';
import { action } from './nodes';

const tool: INodeTypeDescription = { ...action, name: `${action.name}Tool` };

const MAX_DESCRIPTION = 80;

/** What can be added to a collection. */
const addable = (field: INodeProperties): INodeProperties[] =>
	membersOf(field).filter((one) => NodeHelpers.displayParameter({}, one, VERSION, action));

const inside = (fields: readonly INodeProperties[]): INodeProperties[] =>
	fields.flatMap((field) => [
		field,
		...inside(addable(field)),
		...(field.options ?? []).flatMap((option) => ('values' in option ? inside(option.values) : [])),
	]);

describe.each(operations)('the panel of $name', ({ name, values, operation }) => {
	const open = openIn(action, values);

	it('opens no editor for JSON, unless the user has to write it', () => {
		const editors = open.filter(({ type }) => type === 'json').map((field) => field.name);
		const written = operation.fields.some((field) => field.name === 'body') ? ['body'] : [];
		expect(editors).toEqual(written);
	});

	it('describes itself in a few words', () => {
		expect(operation.description.length).toBeLessThanOrEqual(MAX_DESCRIPTION);
		expect(operation.description).not.toMatch(/[.:;] /);
		expect(operation.description).toMatch(/^[A-Z][a-z]+ /);
	});

	it('requires nothing that n8n does not see', () => {
		// n8n checks only these types, and collections even if they are not shown. It does not check
		// JSON either: the node itself rejects an empty body.
		const required = inside(open).filter(
			(field) => field.required === true && field.name !== 'body',
		);
		const unseen = required.filter(({ type }) => !/^(string|dateTime|resourceLocator)$/.test(type));
		const hidden = open.flatMap(addable).filter((field) => field.required === true);
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

	it('has a switch for people and a choice for agents if records are simplified', () => {
		// The items of a diagnosis are not records.
		const shapes = name === 'account.diagnose' ? ['simplify'] : ['simplify', 'output'];
		const namesIn = (description: INodeTypeDescription) =>
			openIn(description, values)
				.map((field) => field.name)
				.filter((one) => shapes.includes(one));
		const can = operation.simplification !== undefined;
		expect([namesIn(action), namesIn(tool)]).toEqual(can ? [['simplify'], ['output']] : [[], []]);
		expect(name).toMatch(can ? /^(post|leadMagnet|lead|activity)\./ : /./);
	});
});

describe.each(['create', 'upsert'])('the panel of post.%s', (operation) => {
	const values = { resource: 'post', operation };
	const OF_SLOT = [
		...['planBy', 'slots', 'workingDays', 'fromTime', 'toTime'],
		...['timeZone', 'minimumGapMinutes'],
	];
	const timesIn = (status: string, more = {}) =>
		openIn(action, { ...values, status, ...more }).flatMap(({ name }) =>
			name === 'scheduledAt' || OF_SLOT.includes(name) ? [name] : [],
		);

	it.each([
		['draft', []],
		['published', []],
		['scheduled', ['scheduledAt']],
		['nextFreeSlot', OF_SLOT.filter((name) => !/Time$|Days$/.test(name))],
	])('shows what the status %s needs', (status, expected) => {
		expect(timesIn(status, { planBy: 'slots' })).toEqual(expected);
	});

	it('shows each parameter once if an expression gives the status, and requires none', () => {
		const status = "={{ $json.at ? 'scheduled' : 'nextFreeSlot' }}";
		for (const planBy of ['slots', 'hours', '={{ $json.planBy }}']) {
			const isFixed = !planBy.startsWith('=');
			const hidden = planBy === 'hours' ? ['slots'] : ['workingDays', 'fromTime', 'toTime'];
			const expected = OF_SLOT.filter((name) => !isFixed || !hidden.includes(name));
			expect(timesIn(status, { planBy })).toEqual(['scheduledAt', ...expected]);
			const given = { ...values, status, planBy, text: 'Hello', uniqueKey: 'row' };
			expect(issuesIn(action, given)).toEqual([]);
		}
	});
});
