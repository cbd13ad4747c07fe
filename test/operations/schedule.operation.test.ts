/** Schedule > Spread as the node runs it. */
import { rhythmOf } from '../../nodes/LeadGenPublishing/operations/pacing/rhythm';
import { setUpKit } from '../support/kit/index';

const MINUTE = 60_000;
const kit = setUpKit({ resource: 'post' });
const spread = (parameters: Record<string, unknown> = {}) => ({
	resource: 'schedule',
	operation: 'spread',
	workingDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
	fromTime: '09:00',
	toTime: '17:00',
	timeZone: 'UTC',
	minimumGapMinutes: 5,
	outputField: 'scheduled_at',
	...parameters,
});
const START = '2090-01-02T00:00:00Z';
const items = Array.from({ length: 30 }, (_, n) => ({ json: { n } }));

afterEach(() => expect(kit.service.requests).toHaveLength(0));

it('gives each item its due time and sends nothing', async () => {
	const run = await kit.run(spread({ start: START }), { items });
	const out = run.outputs[0] ?? [];
	expect(out.map(({ json, pairedItem }) => [json.n, pairedItem])).toEqual(
		items.map((_, item) => [item, { item }]),
	);
	const times = out.map(({ json }) => Date.parse(String(json.scheduled_at)));
	expect([...times].sort((a, b) => a - b)).toEqual(times);
	expect(rhythmOf(times)).toBeUndefined();
	// Monday, 2 January 2090.
	expect(out[0]?.json.scheduled_at).toMatch(/^2090-01-02T(09|1[0-6]):/);
});

it('repeats itself with a seed, under another field, from n8n’s date picker', async () => {
	const parameters = spread({
		// Without a zone: the time zone of the working hours.
		start: '2090-01-02T12:00:00',
		timeZone: 'Asia/Tokyo',
		options: { seed: 'week-1', outputField: 'due_at' },
	});
	const [one, two] = [await kit.run(parameters, { items }), await kit.run(parameters, { items })];
	expect(one.outputs).toEqual(two.outputs);
	const first = one.outputs[0]?.[0]?.json;
	expect(Date.parse(String(first?.due_at))).toBeGreaterThanOrEqual(
		Date.parse('2090-01-02T03:00:00Z'),
	);
	expect(first).toMatchObject({ n: 0 });
});

it('starts from now when the start is empty or past', async () => {
	for (const start of ['', '2001-01-01T00:00:00Z']) {
		const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
		const parameters = spread({ start, fromTime: '00:00', toTime: '24:00', workingDays: days });
		const { json } = await kit.item(parameters);
		const time = Date.parse(String(json.scheduled_at));
		expect(time).toBeGreaterThan(Date.now());
		expect(time).toBeLessThan(Date.now() + 2 * 24 * 60 * MINUTE);
	}
});

it('uses the time zone of the workflow when none is given', async () => {
	const { json } = await kit.item(spread({ start: START, timeZone: '' }));
	expect(json.scheduled_at).toEqual(expect.any(String));
});

it.each([
	[
		'a gap longer than the day',
		{ options: { minimumGapMinutes: 481 } },
		/"Options > Minimum Gap \(Minutes\)" is longer/,
	],
	['no gap', { options: { minimumGapMinutes: 0 } }, /"Options > Minimum Gap \(Minutes\)" must be/],
	['hours that end before they begin', { fromTime: '18:00' }, /"To Time" is not after/],
	['a time that is none', { fromTime: '9 am' }, /"From Time" is not a time of day/],
	['a minute that is none', { toTime: '16:60' }, /"To Time" is not a time of day/],
	['no days', { workingDays: [] }, /"Working Days" is empty/],
	['an unknown day', { workingDays: ['someday'] }, /"Working Days" has an unknown day/],
	['an unknown zone', { timeZone: 'Mars/Base' }, /"Time Zone" is not a time zone/],
	['a start that is none', { start: 'soon' }, /"Start" is not a date/],
	['no output field', { options: { outputField: ' ' } }, /"Options > Output Field" is empty/],
	[
		'"error" as output field',
		{ options: { outputField: 'error' } },
		/"Options > Output Field" cannot be "error"/,
	],
])('refuses %s and names the parameter', async (_, parameters, expected) => {
	const { error, details } = await kit.failure(spread(parameters));
	expect(error).toMatch(expected);
	expect(details).toMatchObject({ code: 'invalid_input' });
});

it('trims the name of the output field, and replaces what the item has there', async () => {
	const parameters = spread({ start: START, options: { outputField: ' due_at ' } });
	const { json } = await kit.item(parameters, { items: [{ json: { due_at: 'soon', n: 1 } }] });
	expect(json).toEqual({ due_at: expect.stringMatching(/^2090-01-02T/), n: 1 });
});

it('says so when ten years do not suffice', async () => {
	const many = Array.from({ length: 600 }, () => ({ json: {} }));
	const run = await kit.run(
		spread({ workingDays: ['monday'], options: { minimumGapMinutes: 480 } }),
		{
			items: many,
			onError: 'continueErrorOutput',
		},
	);
	expect(run.outputs[1]).toHaveLength(600);
	expect(run.outputs[1]?.[0]?.json.error).toMatch(/too large for 600 items/);
});
