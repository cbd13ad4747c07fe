/** Free times in all time zones and around all changes of the clocks: a clock on the wall decides. */
import * as fc from 'fast-check';
import { DateTime } from 'luxon';

import {
	freeTimes,
	TakenTimes,
	type FreeTime,
	type FreeTimesRequest,
} from '../../nodes/LeadGenPublishing/operations/schedule/freeTimes';
import { isInside } from '../../nodes/LeadGenPublishing/operations/pacing/workingHours';
import { seeded } from '../../nodes/LeadGenPublishing/operations/schedule/randomness';
import { aroundChanges, ZONES } from '../support/clockChanges';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const take = (search: Iterator<FreeTime, undefined>, count: number): FreeTime[] =>
	Array.from({ length: count }, () => search.next().value).filter((found) => found !== undefined);

const slots = fc.uniqueArray(
	fc.record({ day: fc.nat(6), minutes: fc.oneof(fc.nat(8 * 12), fc.nat(24 * 12 - 1)) }),
	{ minLength: 1, maxLength: 12, selector: ({ day, minutes }) => `${day} ${minutes}` },
);
const around = fc.record({
	around: aroundChanges({ from: 2026, to: 2037 }),
	daysBefore: fc.nat(3),
	gap: fc.integer({ min: 1, max: 300 }),
	random: fc.integer({ min: 1, max: 30 }),
	takenBefore: fc.array(fc.integer({ min: -DAY / MINUTE, max: (14 * DAY) / MINUTE }), {
		maxLength: 40,
	}),
	seed: fc.string(),
});
const base = (given: {
	around: { zone: string; instant: number; minutes: number };
	daysBefore: number;
	gap: number;
	random: number;
	seed: string;
}) => ({
	start: given.around.instant + given.around.minutes * MINUTE - given.daysBefore * DAY,
	timeZone: given.around.zone,
	gapMs: given.gap * MINUTE,
	randomMs: given.random * MINUTE,
	random: seeded(given.seed),
});

const keepsApart = (times: readonly number[], taken: readonly number[], gapMs: number): boolean =>
	times.every((time, index) =>
		[...taken, ...times.filter((_, other) => other !== index)].every(
			(other) => Math.abs(other - time) >= gapMs,
		),
	);

/** What a clock on the wall shows, in minutes of the week from Sunday on. */
const shownAt = (instant: number, zone: string): number => {
	const { weekday, hour, minute } = DateTime.fromMillis(instant, { zone });
	return ((weekday % 7) * 24 + hour) * 60 + minute;
};

it('lie in a weekly slot, a gap apart from all that is taken, and follow each other', () => {
	fc.assert(
		fc.property(around, slots, ({ takenBefore, ...given }, weekly) => {
			const request = base(given);
			const taken = takenBefore.map((minutes) => request.start + minutes * MINUTE);
			const plan = { slots: weekly.map(({ day, minutes }) => ({ day, minutes: minutes * 5 })) };
			const found = take(freeTimes({ ...request, plan }, new TakenTimes(taken)), 12);
			const times = found.map(({ time }) => time);
			const late = Math.min(request.randomMs, request.gapMs);
			expect(found).toHaveLength(12);
			expect(keepsApart(times, taken, request.gapMs)).toBe(true);
			for (const { time, within } of found) {
				expect(time).toBeGreaterThanOrEqual(request.start);
				expect(time - within.from).toBeLessThan(late);
				// A slot that the clock skips moves forward with it, by at most a day in the zones that jump so far.
				const shown = shownAt(within.from, request.timeZone);
				const before = DateTime.fromMillis(within.from - DAY, { zone: request.timeZone }).offset;
				const after = DateTime.fromMillis(within.from, { zone: request.timeZone }).offset;
				const isSlot = plan.slots.some(({ day, minutes }) => day * 1440 + minutes === shown);
				expect(isSlot || after > before).toBe(true);
			}
		}),
	);
});

it('leave out no slot that keeps its gap', () => {
	fc.assert(
		fc.property(around, slots, ({ takenBefore, ...given }, weekly) => {
			const request = base(given);
			const taken = takenBefore.map((minutes) => request.start + minutes * MINUTE);
			const plan = { slots: weekly.map(({ day, minutes }) => ({ day, minutes: minutes * 5 })) };
			const [first] = take(freeTimes({ ...request, plan }, new TakenTimes(taken)), 1);
			const zone = request.timeZone;
			for (let at = request.start; at < (first?.within.from ?? 0); at += MINUTE) {
				const whole = Math.ceil(at / MINUTE) * MINUTE;
				const isSlot = plan.slots.some(
					({ day, minutes }) => day * 1440 + minutes === shownAt(whole, zone),
				);
				const again = shownAt(whole - HOUR, zone) === shownAt(whole, zone);
				const half = shownAt(whole - HOUR / 2, zone) === shownAt(whole, zone);
				if (!isSlot || again || half || whole < request.start) continue;
				expect(taken.some((time) => Math.abs(time - whole) < request.gapMs)).toBe(true);
			}
		}),
		{ numRuns: 10 },
	);
});

it('lie in working hours, at most the random minutes behind the first free moment', () => {
	const hours = fc.record({ from: fc.nat(90), length: fc.integer({ min: 1, max: 40 }) });
	fc.assert(
		fc.property(around, hours, ({ takenBefore, ...given }, { from, length }) => {
			const request = base(given);
			const taken = takenBefore.map((minutes) => request.start + minutes * MINUTE);
			const working = {
				days: new Set([1, 2, 3, 4, 5]),
				...{ from: from * 15, to: Math.min(1440, (from + length) * 15) },
				timeZone: request.timeZone,
			};
			const search = freeTimes({ ...request, plan: { hours: working } }, new TakenTimes(taken));
			const found = take(search, 12);
			const times = found.map(({ time }) => time);
			expect(found).toHaveLength(12);
			expect(keepsApart(times, taken, request.gapMs)).toBe(true);
			expect(times.every((time) => isInside(time, working) && time >= request.start)).toBe(true);
			expect([...times].sort((a, b) => a - b)).toEqual(times);
			const all = [...taken, ...times].sort((a, b) => a - b);
			const before = times.map((time) => all.filter((other) => other < time).at(-1));
			expect(found.map(({ after }) => after)).toEqual(before);
		}),
	);
});

it('give a slot that the clock shows twice once, and one that it skips at the time it moves to', () => {
	const at = (start: string, minutes: number) => {
		const plan = { slots: [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, minutes })) };
		const request: FreeTimesRequest = {
			...{ start: Date.parse(start), timeZone: 'Europe/Berlin', plan },
			...{ gapMs: MINUTE, randomMs: MINUTE, random: () => 0 },
		};
		return take(freeTimes(request, new TakenTimes([])), 3).map(({ time }) =>
			new Date(time).toISOString(),
		);
	};
	expect(at('2030-10-26T12:00:00Z', 150)).toEqual([
		...['2030-10-27T00:30:00.000Z', '2030-10-28T01:30:00.000Z', '2030-10-29T01:30:00.000Z'],
	]);
	expect(at('2030-03-30T12:00:00Z', 150)).toEqual([
		...['2030-03-31T01:30:00.000Z', '2030-04-01T00:30:00.000Z', '2030-04-02T00:30:00.000Z'],
	]);
});

it('a second search begins behind what the first one gave, and nothing is given for ever', () => {
	const taken = new TakenTimes([]);
	const request: FreeTimesRequest = {
		...{ start: Date.parse('2030-01-28T00:00:00Z'), timeZone: 'UTC', random: () => 0.5 },
		...{ plan: { slots: [{ day: 1, minutes: 540 }] }, gapMs: HOUR, randomMs: 10 * MINUTE },
	};
	const [one, two] = [freeTimes(request, taken), freeTimes(request, taken)];
	const days = [one, two, one].map((search) =>
		new Date(search.next().value?.time ?? NaN).toISOString(),
	);
	expect(days).toEqual([
		...['2030-01-28T09:05:00.000Z', '2030-02-04T09:05:00.000Z', '2030-02-11T09:05:00.000Z'],
	]);
	expect(take(one, 1_000).length).toBeLessThan(530);
	expect(one.next().value).toBeUndefined();
});

it('ten clients with 1,000 posts each get 1,000 more in few steps, none at a time that is taken', () => {
	const plan = {
		slots: [1, 2, 3, 4, 5].flatMap((day) => [540, 780].map((minutes) => ({ day, minutes }))),
	};
	const start = Date.parse('2030-01-28T00:00:00Z');
	const calendars = Array.from({ length: 10 }, (_, client) => {
		const search = { start, timeZone: ZONES[client % ZONES.length] ?? 'UTC', plan };
		const rest = { gapMs: HOUR, randomMs: 10 * MINUTE, random: seeded(`${client}`) };
		return { ...search, ...rest };
	});
	const existing = calendars.map((request) =>
		take(freeTimes(request, new TakenTimes([])), 1_000).map(({ time }) => time),
	);
	// What takes time: a place in the calendar is looked up, and the clock of the zone is read.
	const lookups = jest.spyOn(TakenTimes.prototype, 'firstAfter');
	const readings = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
	const given = calendars.map((request, client) =>
		take(freeTimes(request, new TakenTimes(existing[client] ?? [])), 1_000),
	);
	const steps = [lookups.mock.calls.length, readings.mock.calls.length].map((count) => count / 10);
	jest.restoreAllMocks();
	for (const [client, found] of given.entries()) {
		const all = [...(existing[client] ?? []), ...found.map(({ time }) => time)];
		const sorted = all.sort((a, b) => a - b);
		expect(sorted).toHaveLength(2_000);
		expect(sorted.every((time, at) => at === 0 || time - (sorted[at - 1] ?? 0) >= HOUR)).toBe(true);
	}
	// For each client: of 2,000 slots, and of some 1,400 days.
	expect(steps[0]).toBeLessThan(5_000);
	expect(steps[1]).toBeLessThan(8_000);
});
