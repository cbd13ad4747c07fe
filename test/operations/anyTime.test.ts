/**
 * Due times and free times in all time zones and around all changes of the clocks: a clock on the wall
 * decides.
 */
import * as fc from 'fast-check';
import { DateTime } from 'luxon';

import { rhythmOf } from '../../nodes/LeadGenPublishing/planning/pacing/rhythm';
import { isInside, spansFrom } from '../../nodes/LeadGenPublishing/planning/pacing/workingHours';
import {
	FreeTimes,
	TakenTimes,
	type FreeTime,
	type FreeTimesRequest,
} from '../../nodes/LeadGenPublishing/planning/slots/freeTimes';
import { seeded } from '../../nodes/LeadGenPublishing/planning/slots/randomness';
import { spreadTimes } from '../../nodes/LeadGenPublishing/planning/pacing/spreadTimes';
import { aroundChanges, ZONES } from '../support/clockChanges';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What a clock and a calendar show, in minutes of the week from Sunday on. */
const shownAt = (instant: number, zone: string): number => {
	const { weekday, hour, minute } = DateTime.fromMillis(instant, { zone });
	return ((weekday % 7) * 24 + hour) * 60 + minute;
};
type Search = FreeTimesRequest & { readonly start: number };

/** One free time after another, from the same moment on. */
function* freeTimes(
	{ start, ...request }: Search,
	taken: TakenTimes,
): Generator<FreeTime, undefined> {
	const times = new FreeTimes(request, taken);
	for (let found = times.next(start); found !== undefined; found = times.next(start)) yield found;
	return undefined;
}
const iso = (time: number | undefined): string => new Date(time ?? NaN).toISOString();

/** A moment near a change of the clocks, and what else any plan has. */
const any = fc
	.record({
		around: aroundChanges({ from: 2026, to: 2037 }),
		...{ daysBefore: fc.nat(3), gap: fc.integer({ min: 1, max: 300 }), seed: fc.string() },
	})
	.map(({ around: { zone, instant, minutes }, daysBefore, gap, seed }) => ({
		...{ start: instant + minutes * MINUTE - daysBefore * DAY, timeZone: zone },
		...{ gapMs: gap * MINUTE, seed },
	}));
/** In a quarter of an hour, more often than not in the night, when clocks are changed. */
const hours = fc
	.record({
		days: fc.oneof(fc.constant([0, 1, 2, 3, 4, 5, 6]), fc.uniqueArray(fc.nat(6), { minLength: 1 })),
		begin: fc.oneof(fc.nat(16), fc.nat(90)),
		length: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 40 })),
	})
	.map(({ days, begin, length }) => ({
		...{ days: new Set(days), from: begin * 15, to: Math.min(24 * 60, (begin + length) * 15) },
	}));

interface Hours {
	readonly days: ReadonlySet<number>;
	readonly from: number;
	readonly to: number;
	readonly timeZone: string;
}
function isWorkingTime(instant: number, { days, from, to, timeZone }: Hours): boolean {
	const shown = shownAt(instant, timeZone);
	const minutes = shown % 1440;
	return days.has(Math.floor(shown / 1440)) && minutes >= from && minutes < to;
}

describe('due times', () => {
	it('lie within the working hours, after the start, a gap apart, without a rhythm', () => {
		fc.assert(
			fc.property(
				any,
				hours,
				fc.integer({ min: 1, max: 25 }),
				({ seed, ...given }, open, count) => {
					const { start, timeZone } = given;
					const gapMs = Math.min(given.gapMs, (open.to - open.from) * MINUTE);
					const request = { start, gapMs, count, hours: { ...open, timeZone } };
					const times = spreadTimes({ ...request, random: seeded(seed) }) ?? [];
					expect(times).toHaveLength(count);
					expect(times.filter((time) => !isWorkingTime(time, request.hours))).toEqual([]);
					expect(times[0]).toBeGreaterThanOrEqual(start);
					const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
					expect(gaps.filter((gap) => gap < gapMs)).toEqual([]);
					expect(rhythmOf(times)).toBeUndefined();
					expect(spreadTimes({ ...request, random: seeded(seed) })).toEqual(times);
				},
			),
			{ numRuns: 150 },
		);
	});

	it('may fall on any moment of the working hours, and on no other', () => {
		const moments = fc.array(fc.nat(5 * 24 * 60), { minLength: 40, maxLength: 60 });
		fc.assert(
			fc.property(any, hours, moments, ({ start, timeZone }, given, minutes) => {
				const open = { ...given, timeZone };
				const spans = [...spansFrom(start, open, 7)];
				for (const [index, { from, to }] of spans.entries()) {
					expect(to).toBeGreaterThan(from);
					expect(from).toBeGreaterThanOrEqual(spans[index - 1]?.to ?? start);
				}
				for (const moment of minutes.map((count) => start + count * MINUTE)) {
					const isIn = spans.some(({ from, to }) => moment >= from && moment < to);
					expect([moment, isIn]).toEqual([moment, isWorkingTime(moment, open)]);
					expect(isInside(moment, open)).toBe(isIn);
				}
			}),
			{ numRuns: 100 },
		);
	});
});

const take = (search: Iterator<FreeTime, undefined>, count: number): FreeTime[] =>
	Array.from({ length: count }, () => search.next().value).filter((found) => found !== undefined);

describe('free times', () => {
	const slots = fc.uniqueArray(
		fc.record({
			day: fc.nat(6),
			minutes: fc.oneof(fc.nat(8 * 12), fc.nat(24 * 12 - 1)).map((fives) => fives * 5),
		}),
		{ minLength: 1, maxLength: 12, selector: ({ day, minutes }) => `${day} ${minutes}` },
	);
	/** A calendar with something in it. */
	const calendar = fc
		.tuple(
			any,
			fc.integer({ min: 1, max: 30 }),
			fc.array(fc.integer({ min: -1440, max: 14 * 1440 }), { maxLength: 40 }),
		)
		.map(([{ seed, ...given }, random, taken]) => ({
			request: { ...given, randomMs: random * MINUTE, random: seeded(seed) },
			taken: taken.map((minutes) => given.start + minutes * MINUTE),
		}));
	function expectApart(times: readonly number[], taken: readonly number[], gapMs: number): void {
		const tooNear = times.filter((time, index) =>
			[...taken, ...times.filter((_, other) => other !== index)].some(
				(other) => Math.abs(other - time) < gapMs,
			),
		);
		expect(tooNear).toEqual([]);
	}

	it('lie in a weekly slot, a gap apart from all that is taken', () => {
		fc.assert(
			fc.property(calendar, slots, ({ request, taken }, weekly) => {
				const zone = request.timeZone;
				const search = freeTimes({ ...request, plan: { slots: weekly } }, new TakenTimes(taken));
				const found = take(search, 12);
				expect(found).toHaveLength(12);
				const times = found.map(({ time }) => time);
				expectApart(times, taken, request.gapMs);
				for (const { time, within } of found) {
					expect(time).toBeGreaterThanOrEqual(request.start);
					expect(time - within.from).toBeLessThan(Math.min(request.randomMs, request.gapMs));
					const shown = shownAt(within.from, zone);
					const isSlot = weekly.some(({ day, minutes }) => day * 1440 + minutes === shown);
					// One that the clock skips moves forward with it, by at most a day in zones that jump so far.
					const [before = 0, after = 0] = [within.from - DAY, within.from].map(
						(instant) => DateTime.fromMillis(instant, { zone }).offset,
					);
					expect(isSlot || after > before).toBe(true);
				}
			}),
		);
	});

	it('leave out no slot that keeps its gap', () => {
		fc.assert(
			fc.property(calendar, slots, ({ request, taken }, weekly) => {
				const { start, timeZone: zone, gapMs } = request;
				const search = freeTimes({ ...request, plan: { slots: weekly } }, new TakenTimes(taken));
				const [first] = take(search, 1);
				const whole = Math.ceil(start / MINUTE) * MINUTE;
				for (let at = whole; at < (first?.within.from ?? 0); at += MINUTE) {
					const shown = shownAt(at, zone);
					const isSlot = weekly.some(({ day, minutes }) => day * 1440 + minutes === shown);
					// What the clock shows a second time is no slot.
					const isAgain = [HOUR, HOUR / 2].some((back) => shownAt(at - back, zone) === shown);
					if (isSlot && !isAgain)
						expect(taken.some((time) => Math.abs(time - at) < gapMs)).toBe(true);
				}
			}),
			{ numRuns: 10 },
		);
	});

	it('lie in working hours, and say what is taken before them', () => {
		fc.assert(
			fc.property(calendar, hours, ({ request, taken }, { from, to }) => {
				const { timeZone, start, gapMs } = request;
				const working = { days: new Set([1, 2, 3, 4, 5]), from, to, timeZone };
				const search = freeTimes({ ...request, plan: { hours: working } }, new TakenTimes(taken));
				const found = take(search, 12);
				expect(found).toHaveLength(12);
				const times = found.map(({ time }) => time);
				expectApart(times, taken, gapMs);
				expect(times.every((time) => isWorkingTime(time, working) && time >= start)).toBe(true);
				const all = [...taken, ...times].sort((a, b) => a - b);
				expect(times).toEqual(all.filter((time) => times.includes(time)));
				const before = times.map((time) => all.filter((other) => other < time).at(-1));
				expect(found.map(({ after }) => after)).toEqual(before);
			}),
		);
	});

	it.each([
		['shows twice come once', '2030-10-26T12', '10-27T00:30 10-28T01:30 10-29T01:30'],
		['skips come at the time it moves to', '2030-03-30T12', '03-31T01:30 04-01T00:30 04-02T00:30'],
	])('of a slot that the clock %s', (_, start, expected) => {
		const plan = { slots: [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, minutes: 150 })) };
		const request: Search = {
			...{ start: Date.parse(`${start}:00:00Z`), timeZone: 'Europe/Berlin', plan },
			...{ gapMs: MINUTE, randomMs: MINUTE, random: () => 0 },
		};
		const times = take(freeTimes(request, new TakenTimes([])), 3).map(({ time }) => iso(time));
		expect(times).toEqual(expected.split(' ').map((time) => `2030-${time}:00.000Z`));
	});

	it('of a second search begin behind what the first one gave, and end', () => {
		const taken = new TakenTimes([]);
		const request: Search = {
			...{ start: Date.parse('2030-01-28T00:00:00Z'), timeZone: 'UTC', random: () => 0.5 },
			...{ plan: { slots: [{ day: 1, minutes: 540 }] }, gapMs: HOUR, randomMs: 10 * MINUTE },
		};
		const [one, two] = [freeTimes(request, taken), freeTimes(request, taken)];
		const times = [one, two, one].map((search) => iso(search.next().value?.time));
		expect(times).toEqual(['01-28', '02-04', '02-11'].map((date) => `2030-${date}T09:05:00.000Z`));
		expect(take(one, 1_000).length).toBeLessThan(530);
		expect(one.next().value).toBeUndefined();
	});

	it('of clients with 1,000 posts each take few steps', () => {
		const slotsOfWorkdays = [1, 2, 3, 4, 5].flatMap((day) =>
			[540, 780].map((minutes) => ({ day, minutes })),
		);
		const plans = ZONES.slice(0, 10).map((timeZone) => {
			const request = {
				...{
					start: Date.parse('2030-01-28T00:00:00Z'),
					timeZone,
					plan: { slots: slotsOfWorkdays },
				},
				...{ gapMs: HOUR, randomMs: 10 * MINUTE, random: seeded(timeZone) },
			};
			const existing = take(freeTimes(request, new TakenTimes([])), 1_000);
			return { request, taken: new TakenTimes(existing.map(({ time }) => time)) };
		});
		// What takes time: a place in the calendar is looked up, and the clock of the zone is read.
		const lookups = jest.spyOn(TakenTimes.prototype, 'firstAfter');
		const readings = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
		for (const { request, taken } of plans)
			expect(take(freeTimes(request, taken), 1_000)).toHaveLength(1_000);
		// For each client: of 2,000 slots, and of some 1,400 days.
		expect(lookups.mock.calls.length / 10).toBeLessThan(5_000);
		expect(readings.mock.calls.length / 10).toBeLessThan(8_000);
		jest.restoreAllMocks();
	});
});
