/** Which settings Schedule > Spread takes, and where the limits of its plans lie. */
import { InputError } from '../../nodes/LeadGenPublishing/words/inputError';
import { rhythmOf } from '../../nodes/LeadGenPublishing/planning/pacing/rhythm';
import { seeded } from '../../nodes/LeadGenPublishing/planning/slots/randomness';
import { timesOf } from '../../nodes/LeadGenPublishing/operations/schedule/spread';
import {
	spreadTimes,
	type SpreadRequest,
} from '../../nodes/LeadGenPublishing/planning/pacing/spreadTimes';
import { Values } from '../../nodes/LeadGenPublishing/panel/parameters/values';

const MINUTE = 60_000;
/** A Monday. */
const NOW = Date.parse('2030-01-28T09:00:00Z');
const DEFAULTS = {
	...{ workingDays: ['monday', 'tuesday'], fromTime: '09:00', toTime: '17:00' },
	timeZone: 'UTC',
};

function times(parameters: Record<string, unknown> = {}, count = 1): string[] {
	const given: Record<string, unknown> = { ...DEFAULTS, ...parameters };
	const context = { now: NOW, timeZone: 'Asia/Tokyo', notice: () => undefined };
	return timesOf(new Values((name) => given[name]), { ...context, count });
}
function problem(...given: Parameters<typeof times>): string | undefined {
	try {
		times(...given);
		return undefined;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		expect(`${error.message}. ${error.remedy}`).toMatchSnapshot();
		return error.message;
	}
}
/** One time for each of many seeds, between the first and the last. */
const range = (parameters: Record<string, unknown>): [earliest: string, latest: string] => {
	const all = Array.from(
		{ length: 60 },
		(_, seed) => times({ ...parameters, options: { seed } })[0],
	);
	const sorted = all.map(String).sort();
	return [sorted[0] ?? '', sorted.at(-1) ?? ''];
};

describe('the first time', () => {
	it.each([
		['in a minute, where no start is given', {}],
		['in a minute, where the start is past', { start: '2030-01-28T08:00:00Z' }],
		['in a minute, where the start is in less', { start: '2030-01-28T09:00:59Z' }],
	])('is at the earliest %s', (_, start) => {
		const [earliest, latest] = range({ ...start, toTime: '09:10', options: {} });
		expect(earliest >= '2030-01-28T09:01:00').toBe(true);
		expect(earliest < '2030-01-28T09:03:00').toBe(true);
		expect(latest < '2030-01-28T09:10:00').toBe(true);
	});

	it('is at the start otherwise, in the time zone of the working hours', () => {
		const [earliest] = range({ start: '2030-01-28T10:00:00', toTime: '10:10' });
		expect(earliest >= '2030-01-28T10:00:00').toBe(true);
		expect(earliest < '2030-01-28T10:03:00').toBe(true);
	});

	it('is in the time zone of the workflow where none is given', () => {
		// 09:00 in Tokyo is midnight in UTC, so Monday is over there.
		expect(times({ timeZone: '' })[0]).toMatch(/^2030-01-29T0[0-7]:/);
		expect(times({ timeZone: ' UTC ' })[0]).toMatch(/^2030-01-28T(09|1[0-6]):/);
	});
});

describe('a setting', () => {
	it.each<[string, Record<string, unknown>]>([
		['days in any case, with blanks around them', { workingDays: ' Monday, TUESDAY' }],
		['one day', { workingDays: ['sunday'] }],
		['an hour of one digit', { fromTime: '9:00' }],
		['the end of the day', { toTime: '24:00' }],
		['a day of one minute', { toTime: '09:01', options: { minimumGapMinutes: 1 } }],
		['a gap as long as the day', { options: { minimumGapMinutes: 480 } }],
		['an error in the name of the field', { options: { outputField: 'error_at' } }],
	])('may be %s', (_, parameters) => {
		expect(problem(parameters)).toBeUndefined();
		expect(times(parameters)).toHaveLength(1);
	});

	it.each<[string, Record<string, unknown>]>([
		['a day that is none', { workingDays: ['monday', 'noday'] }],
		['no day', { workingDays: '' }],
		['more than a time', { fromTime: '09:00 h' }],
		['an hour of three digits', { fromTime: '009:00' }],
		['minutes of one digit', { toTime: '17:5' }],
		['sixty minutes', { toTime: '16:60' }],
		['a minute past the end of the day', { toTime: '24:01' }],
		['hours without length', { toTime: '09:00' }],
		['no time', { toTime: '' }],
		['a gap longer than the day', { options: { minimumGapMinutes: 481 } }],
		['a field called error', { options: { outputField: ' error ' } }],
		['another time zone', { timeZone: 'Mars/Base' }],
	])('may not be %s', (_, parameters) => {
		expect(problem(parameters, 2)).toBeDefined();
	});

	it('may be a day with blanks around it, of a list', () => {
		expect(times({ workingDays: [' Tuesday '] })[0]).toMatch(/^2030-01-29T/);
	});

	it('may not make a plan take more than ten years', () => {
		const weekly = { workingDays: ['monday'], options: { minimumGapMinutes: 480 } };
		expect(problem(weekly, 524)).toBe(
			'The parameter "Options > Minimum Gap (Minutes)" is too large for 524 items: to spread them would take more than ten years',
		);
		expect(problem(weekly, 523)).toBeUndefined();
	});

	it('is read from the first item, of which there may be none', () => {
		expect(times({}, 0)).toEqual([]);
		expect(times({ options: { seed: 'a' } }, 3)).toHaveLength(3);
	});
});

it.each([
	['', [0.6112444521859288, 0.4935242917854339, 0.7740248835179955]],
	['week-12', [0.029333839658647776, 0.33191080088727176, 0.4704565345309675]],
	['😀', [0.8756062220782042, 0.9839987698942423, 0.6914342551026493]],
])('the seed "%s" gives the same in every version', (seed, expected) => {
	const random = seeded(seed);
	expect([random(), random(), random()]).toEqual(expected);
});

describe('a plan', () => {
	const request = (given: Partial<SpreadRequest>): SpreadRequest => ({
		...{ count: 1, start: NOW, gapMs: 60 * MINUTE, random: () => 0 },
		hours: { days: new Set([0, 1, 2, 3, 4, 5, 6]), from: 540, to: 620, timeZone: 'UTC' },
		...given,
	});
	const hours = (from: number, to: number) => ({ hours: { ...request({}).hours, from, to } });
	const perDay = (given: Partial<SpreadRequest>): number[] => {
		const days = (spreadTimes(request(given)) ?? []).map((time) => new Date(time).getUTCDate());
		return [...new Set(days)].map((day) => days.filter((one) => one === day).length);
	};

	it('leaves a quarter of each day free, but puts one into every day', () => {
		const random = Math.random.bind(Math);
		expect(perDay({ ...hours(540, 620), count: 4, random })).toEqual([2, 2]);
		expect(perDay({ ...hours(540, 619), count: 2, random })).toEqual([1, 1]);
		expect(perDay({ ...hours(540, 600), count: 2, random })).toEqual([1, 1]);
	});

	it('uses what is left of a day only if a quarter of the gap is', () => {
		const from = (minutes: number) =>
			spreadTimes(request({ start: NOW + minutes * MINUTE, random: () => 0.5 }))?.[0];
		expect(from(65)).toBe(NOW + 72.5 * MINUTE);
		expect(from(66)).toBe(NOW + (24 * 60 + 40) * MINUTE);
	});

	it('reaches from the first moment of the hours to the last', () => {
		expect(spreadTimes(request({ random: () => 0 }))).toEqual([NOW]);
		expect(spreadTimes(request({ random: () => 1 - 2 ** -52 }))).toEqual([NOW + 80 * MINUTE - 1]);
	});

	it.each([
		['at the beginning', [0.1, 0.2, 0.3, 0.7]],
		['in the middle', [0.1, 0.15, 0.35, 0.55, 0.9]],
		['at the end', [0.1, 0.5, 0.6, 0.7]],
	])('is drawn again where only two gaps in a row are alike, %s', (_, cuts) => {
		const second = cuts.map((_, index) => (index * (index + 3)) / 40);
		const chance = [...cuts, ...second];
		const given = { ...hours(0, 1440), count: cuts.length, start: NOW - 540 * MINUTE };
		const found = spreadTimes(request({ ...given, random: () => chance.shift() ?? 0.5 })) ?? [];
		const free = 1440 - (cuts.length - 1) * 60;
		expect(found.map((time) => Math.round((time - given.start) / MINUTE))).toEqual(
			second.map((cut, index) => Math.round(cut * free + index * 60)),
		);
	});

	it('is drawn again where the gap over the night is like the one before', () => {
		const given = { ...hours(0, 1440), count: 4, gapMs: 1440 * MINUTE, start: NOW - 540 * MINUTE };
		// One a day, so that without chance each is due a day after the one before it.
		const chance = [0.5, 0.3, 0, 0, 0.4];
		const found = spreadTimes(request({ ...given, random: () => chance.shift() ?? 0.5 })) ?? [];
		const [, first, second, third] = found.map((time, index) => time - (found[index - 1] ?? 0));
		expect(first).toBe((1440 + 0.3 * 720) * MINUTE);
		expect(second).toBe(1440 * MINUTE);
		expect(third).toBeGreaterThan(1440 * MINUTE);
		expect(chance).toEqual([]);
	});

	it('comes to an end even if chance gives nothing but a rhythm', () => {
		let asked = 0;
		const random = () => {
			asked += 1;
			return 0.5;
		};
		const found = spreadTimes(request({ ...hours(540, 1020), count: 3, random })) ?? [];
		expect(rhythmOf(found)).toBe('equidistant');
		// Three times, drawn a thousand times.
		expect(asked).toBe(3_000);
	});
});
