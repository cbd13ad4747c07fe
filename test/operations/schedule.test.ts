/** Due times whatever the settings, and over the ends of days and the changes of clocks. */
import { rhythmOf } from '../../nodes/LeadGenPublishing/operations/pacing/rhythm';
import { seeded } from '../../nodes/LeadGenPublishing/operations/schedule/randomness';
import {
	spreadTimes,
	type SpreadRequest,
} from '../../nodes/LeadGenPublishing/operations/schedule/spreadTimes';

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
