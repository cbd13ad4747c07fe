/** Due times in all time zones and around all changes of the clocks: a clock on the wall decides. */
import * as fc from 'fast-check';
import { DateTime } from 'luxon';

import { rhythmOf } from '../../nodes/LeadGenPublishing/operations/pacing/rhythm';
import { isInside, spansFrom } from '../../nodes/LeadGenPublishing/operations/pacing/workingHours';
import { seeded } from '../../nodes/LeadGenPublishing/operations/schedule/randomness';
import { spreadTimes } from '../../nodes/LeadGenPublishing/operations/schedule/spreadTimes';
import { aroundChanges } from '../support/clockChanges';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Hours {
	readonly days: ReadonlySet<number>;
	readonly from: number;
	readonly to: number;
	readonly timeZone: string;
}

/** As a clock and a calendar in the zone show it. */
function isWorkingTime(instant: number, { days, from, to, timeZone }: Hours): boolean {
	const shown = DateTime.fromMillis(instant, { zone: timeZone });
	const minutes = shown.hour * 60 + shown.minute;
	return days.has(shown.weekday % 7) && minutes >= from && minutes < to;
}

const days = fc
	.uniqueArray(fc.nat(6), { minLength: 1 })
	.map((list): ReadonlySet<number> => new Set(list));
/** In a quarter of an hour, more often than not in the night, when clocks are changed. */
const hours = fc
	.tuple(
		fc.oneof(fc.nat(16), fc.nat(90)),
		fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 40 })),
	)
	.map(([begin, length]) => ({ from: begin * 15, to: Math.min(24 * 60, (begin + length) * 15) }));

const request = fc
	.record({
		around: aroundChanges({ from: 2026, to: 2037 }),
		daysBefore: fc.nat(3),
		days: fc.oneof(fc.constant<ReadonlySet<number>>(new Set([0, 1, 2, 3, 4, 5, 6])), days),
		hours,
		count: fc.integer({ min: 1, max: 25 }),
		gap: fc.integer({ min: 1, max: 120 }),
		seed: fc.string(),
	})
	.map(({ around, daysBefore, days: on, hours: { from, to }, count, gap, seed }) => ({
		count,
		start: around.instant + around.minutes * MINUTE - daysBefore * DAY,
		hours: { days: on, from, to, timeZone: around.zone },
		gapMs: Math.min(gap, to - from) * MINUTE,
		seed,
	}));

it('lie within the working hours, after the start, a gap apart, without a rhythm', () => {
	fc.assert(
		fc.property(request, ({ seed, ...given }) => {
			const times = spreadTimes({ ...given, random: seeded(seed) }) ?? [];
			expect(times).toHaveLength(given.count);
			expect(times.filter((time) => !isWorkingTime(time, given.hours))).toEqual([]);
			expect(times[0]).toBeGreaterThanOrEqual(given.start);
			const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
			expect(gaps.filter((gap) => gap < given.gapMs)).toEqual([]);
			expect(rhythmOf(times)).toBeUndefined();
			expect(spreadTimes({ ...given, random: seeded(seed) })).toEqual(times);
		}),
		{ numRuns: 150 },
	);
});

it('may fall on any moment of the working hours, and on no other', () => {
	fc.assert(
		fc.property(
			request,
			fc.array(fc.nat(5 * 24 * 60), { minLength: 40, maxLength: 60 }),
			(given, moments) => {
				const { start, hours: open } = given;
				const spans = [...spansFrom(start, open, 7)];
				for (const [index, { from, to }] of spans.entries()) {
					expect(to).toBeGreaterThan(from);
					expect(from).toBeGreaterThanOrEqual(spans[index - 1]?.to ?? start);
				}
				for (const minutes of moments) {
					const moment = start + minutes * MINUTE;
					const isIn = spans.some(({ from, to }) => moment >= from && moment < to);
					expect([moment, isIn]).toEqual([moment, isWorkingTime(moment, open)]);
					expect(isInside(moment, open)).toBe(isIn);
				}
			},
		),
		{ numRuns: 100 },
	);
});
