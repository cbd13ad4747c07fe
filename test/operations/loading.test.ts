/** Tables and limits that the code makes once, while it is loaded: each test loads it anew. */
import type * as Stored from '../../nodes/LeadGenPublishing/operations/storedValue';
import type * as DueTimes from '../../nodes/LeadGenPublishing/operations/pacing/dueTimes';
import type * as Rhythms from '../../nodes/LeadGenPublishing/operations/pacing/rhythm';
import type * as Hours from '../../nodes/LeadGenPublishing/operations/pacing/workingHours';
import type * as Spread from '../../nodes/LeadGenPublishing/operations/schedule/spread';
import type * as Plans from '../../nodes/LeadGenPublishing/operations/schedule/spreadTimes';
import { seeded } from '../../nodes/LeadGenPublishing/operations/schedule/randomness';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';
import { loadAnew } from '../support/loadAnew';

const load = <M>(path: string): M =>
	loadAnew((module) => module<M>(`nodes/LeadGenPublishing/${path}`));

const MINUTE = 60_000;
/** A Monday. */
const NOW = Date.parse('2030-01-28T09:00:00Z');
const valuesOf = (given: Readonly<Record<string, unknown>>) => new Values((name) => given[name]);

afterEach(() => jest.restoreAllMocks());

it('escapes of HTML are read in any case', () => {
	const { plainText } = load<typeof Stored>('operations/storedValue');
	expect(
		plainText('&amp;|&lt;|&gt;|&quot;|&#34;|&#x22;|&apos;|&#39;|&#x27;|&#47;|&#X2F;|&nbsp;|&copy;'),
	).toBe(`&|<|>|"|"|"|'|'|'|/|/| |&copy;`);
});

it('a due time is called so to the end of its name', () => {
	const { dueTimesOf } = load<typeof DueTimes>('operations/pacing/dueTimes');
	const times = (name: string) =>
		dueTimesOf({ [name]: '2030-01-28T09:00:00Z' }, { timeZone: 'UTC' }).times;
	expect([times('when'), times('whenever'), times('atlas')]).toEqual([[NOW], [], []]);
});

it('times are alike within a second, and a pattern is one of a thousand gaps at most', () => {
	const { rhythmOf } = load<typeof Rhythms>('operations/pacing/rhythm');
	expect([rhythmOf([0, 999]), rhythmOf([0, 1_000])]).toEqual(['simultaneous', undefined]);
	expect(rhythmOf([0, 60_000, 120_000, 180_000, 999_000])).toBe('equidistant');
	expect(rhythmOf([0, 60_000, 120_000, 300_000])).toBeUndefined();
	const random = seeded('loading');
	const repeated = (length: number) => {
		const gaps = Array.from({ length }, () => (5 + random() * 60) * MINUTE);
		let time = 0;
		return [0, ...[...gaps, ...gaps].map((gap) => (time += gap))];
	};
	expect(rhythmOf(repeated(1_000))).toBe('equidistant');
	expect(rhythmOf(repeated(1_001))).toBeUndefined();
});

it('usual hours are from nine to five, from Monday to Friday', () => {
	const { isInside, USUAL_HOURS } = load<typeof Hours>('operations/pacing/workingHours');
	const isUsual = (time: string) =>
		isInside(Date.parse(`2030-01-${time}:00Z`), { ...USUAL_HOURS, timeZone: 'UTC' });
	const noons = [21, 22, 23, 24, 25, 26, 27].map((day) => `${day}T12:00`);
	expect(noons.filter(isUsual)).toEqual(noons.slice(0, 5));
	const times = ['21T08:59', '21T09:00', '25T16:59', '25T17:00'];
	expect(times.filter(isUsual)).toEqual(['21T09:00', '25T16:59']);
});

describe('a plan of Schedule > Spread', () => {
	const first = (workingDays: string) => {
		const { spread } = load<typeof Spread>('operations/schedule/spread');
		const given = { workingDays, fromTime: '09:00', toTime: '17:00', timeZone: 'UTC' };
		const values = valuesOf({ ...given, minimumGapMinutes: 5, outputField: 'due_at' });
		const context = { now: NOW, timeZone: 'UTC', stored: {}, notice: () => undefined };
		return String(spread.planBatch?.([values], context).plans?.get(0));
	};

	it('knows each day of the week', () => {
		const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
		expect(days.map((day) => new Date(first(day)).getUTCDay())).toEqual([0, 1, 2, 3, 4, 5, 6]);
	});

	it('begins in a minute at the earliest', () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		expect(first('monday')).toBe('2030-01-28T09:01:00.000Z');
	});

	const planned = (days: readonly number[], count: number, random: () => number) => {
		const { spreadTimes } = load<typeof Plans>('operations/schedule/spreadTimes');
		const hours = { days: new Set(days), from: 540, to: 620, timeZone: 'UTC' };
		return spreadTimes({ count, start: NOW, gapMs: 60 * MINUTE, hours, random });
	};

	it('leaves a quarter of a day free, and takes ten years at most', () => {
		const dates = planned([0, 1, 2, 3, 4, 5, 6], 4, seeded('days'))?.map((time) =>
			new Date(time).getUTCDate(),
		);
		expect(dates).toEqual([28, 28, 29, 29]);
		// The Sunday after 3,660 days would be the next.
		expect(planned([0], 2 * 522, seeded('years'))).toHaveLength(2 * 522);
		expect(planned([0], 2 * 522 + 1, seeded('years'))).toBeUndefined();
	});
});
