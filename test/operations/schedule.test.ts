/** Due times whatever the settings, and over the ends of days and the changes of clocks. */
import { seeded } from '../../nodes/LeadGenPublishing/operations/schedule/randomness';
import {
	spreadTimes,
	type SpreadRequest,
} from '../../nodes/LeadGenPublishing/operations/schedule/spreadTimes';

const MINUTE = 60_000;
const WEEKDAYS = new Set([1, 2, 3, 4, 5]);

const request = (given: Partial<SpreadRequest> & { seed: string }): SpreadRequest => ({
	count: 20,
	start: Date.parse('2030-03-28T10:00:00Z'),
	hours: { days: WEEKDAYS, from: 9 * 60, to: 17 * 60, timeZone: 'Europe/Berlin' },
	gapMs: 5 * MINUTE,
	random: seeded(given.seed),
	...given,
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
