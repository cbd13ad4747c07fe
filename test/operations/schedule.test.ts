import { rhythmOf } from '../../nodes/LeadGenPublishing/operations/pacing/rhythm';
import { seeded } from '../../nodes/LeadGenPublishing/operations/schedule/randomness';
import {
	spreadTimes,
	type SpreadRequest,
} from '../../nodes/LeadGenPublishing/operations/schedule/spreadTimes';
import { setUpKit } from '../support/kit/index';

const MINUTE = 60_000;
const WEEKDAYS = new Set([1, 2, 3, 4, 5]);

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
	const known = clocks.get(timeZone);
	if (known !== undefined) return known;
	const clock = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		weekday: 'short',
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
		hourCycle: 'h23',
	});
	clocks.set(timeZone, clock);
	return clock;
}

/** Weekday and minutes from midnight, as a clock in the zone shows them. */
function shown(instant: number, timeZone: string) {
	const parts = clockOf(timeZone).formatToParts(instant);
	const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
	return {
		day: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(part('weekday')),
		minutes: Number(part('hour')) * 60 + Number(part('minute')) + Number(part('second')) / 60,
	};
}

const request = (given: Partial<SpreadRequest> & { seed: string }): SpreadRequest => ({
	count: 20,
	start: Date.parse('2030-03-28T10:00:00Z'),
	hours: { days: WEEKDAYS, from: 9 * 60, to: 17 * 60, timeZone: 'Europe/Berlin' },
	gapMs: 5 * MINUTE,
	random: seeded(given.seed),
	...given,
});

describe('whatever the settings', () => {
	const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'UTC'];
	const any = seeded('settings');
	const pick = <T>(values: readonly T[]) => values[Math.floor(any() * values.length)] as T;
	const settings = Array.from({ length: 300 }, (_, index) => {
		const from = Math.floor(any() * 20) * 60;
		const to = Math.min(24 * 60, from + 60 + Math.floor(any() * 600));
		return request({
			seed: `s${index}`,
			count: 1 + Math.floor(any() * 120),
			// Around the changes of the clocks of 2030, too.
			start: Date.parse('2030-01-01T00:00:00Z') + Math.floor(any() * 365 * 24 * 60) * MINUTE,
			gapMs: Math.min(to - from, 1 + Math.floor(any() * 45)) * MINUTE,
			hours: {
				days: pick([WEEKDAYS, new Set([0, 6]), new Set([3]), new Set([0, 1, 2, 3, 4, 5, 6])]),
				from,
				to,
				timeZone: pick(ZONES),
			},
		});
	});

	it('every time is in working hours, after the start, a gap apart and without a rhythm', () => {
		for (const given of settings) {
			const times = spreadTimes(given) ?? [];
			expect(times).toHaveLength(given.count);
			const { days, from, to, timeZone } = given.hours;
			const broken = times.filter((time, index) => {
				const { day, minutes } = shown(time, timeZone);
				const before = times[index - 1] ?? -Infinity;
				return (
					time < given.start ||
					!days.has(day) ||
					minutes < from ||
					minutes >= to ||
					time - before < given.gapMs
				);
			});
			expect(broken).toEqual([]);
			expect(rhythmOf(times)).toBeUndefined();
		}
	});

	it('a seed repeats the times, another seed gives others', () => {
		const first = spreadTimes(request({ seed: 'a' }));
		expect(spreadTimes(request({ seed: 'a' }))).toEqual(first);
		expect(spreadTimes(request({ seed: 'b' }))).not.toEqual(first);
	});
});

it('goes on with the next working day when a day is full', () => {
	const times = spreadTimes(request({ seed: 'x', count: 10, gapMs: 120 * MINUTE })) ?? [];
	const dates = new Set(times.map((time) => new Date(time).toISOString().slice(0, 10)));
	expect(dates.size).toBeGreaterThan(2);
	expect([...dates].some((date) => ['2030-03-30', '2030-03-31'].includes(date))).toBe(false);
});

it('keeps to the clock of the zone over the change to summer time', () => {
	// In Berlin the clocks change on Sunday, 31 March 2030: 17:00 is 16:00 UTC before, 15:00 after.
	const hours = { days: new Set([6, 0]), from: 16 * 60, to: 17 * 60, timeZone: 'Europe/Berlin' };
	const start = Date.parse('2030-03-30T00:00:00Z');
	const times = spreadTimes(request({ seed: 'd', count: 2, start, hours, gapMs: 50 * MINUTE }));
	expect(times?.map((time) => new Date(time).toISOString().slice(0, 13))).toEqual([
		'2030-03-30T15',
		'2030-03-31T14',
	]);
});

describe('as an operation', () => {
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
			options: { seed: 'week-1', timeZone: 'Asia/Tokyo', outputField: 'due_at' },
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
		const { json } = await kit.item(spread({ start: START, options: { timeZone: '' } }));
		expect(json.scheduled_at).toEqual(expect.any(String));
	});

	it.each([
		[
			'a gap longer than the day',
			{ options: { minimumGapMinutes: 481 } },
			/"Options > Minimum Gap \(Minutes\)" is longer/,
		],
		[
			'no gap',
			{ options: { minimumGapMinutes: 0 } },
			/"Options > Minimum Gap \(Minutes\)" must be/,
		],
		['hours that end before they begin', { fromTime: '18:00' }, /"To Time" is not after/],
		['a time that is none', { fromTime: '9 am' }, /"From Time" is not a time of day/],
		['a minute that is none', { toTime: '16:60' }, /"To Time" is not a time of day/],
		['no days', { workingDays: [] }, /"Working Days" is empty/],
		['an unknown day', { workingDays: ['someday'] }, /"Working Days" has an unknown day/],
		[
			'an unknown zone',
			{ options: { timeZone: 'Mars/Base' } },
			/"Options > Time Zone" is not a time zone/,
		],
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
});
