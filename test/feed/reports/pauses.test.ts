/** How long a list is not read after it failed. */
import {
	isOver,
	pauseAfter,
	type Pause,
} from '../../../nodes/LeadGenPublishing/feed/reports/pauses';

const NOW = 1_800_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const after = (
	failures: number,
	{ random = 1, retryAfterMs = 0 }: { random?: number; retryAfterMs?: number } = {},
): Pause => {
	const before =
		failures === 0
			? undefined
			: { failures, first: NOW - HOUR, since: NOW - 1, ms: 1, of: 'list' as const, cause: '' };
	return pauseAfter(before, { now: NOW, random, retryAfterMs, isAfterHead: false, cause: '' });
};

it.each([
	[0, 30 * SECOND],
	[1, MINUTE],
	[2, 2 * MINUTE],
	[3, 4 * MINUTE],
	[4, 8 * MINUTE],
	[5, 10 * MINUTE],
	[60, 10 * MINUTE],
	[5_000, 10 * MINUTE],
])('after %i failures before, it lasts %i ms, or half of that', (failures, ms) => {
	expect([1, 0].map((random) => after(failures, { random }).ms)).toEqual([ms, ms / 2]);
});

it.each([
	[20 * SECOND, 30 * SECOND],
	[5 * MINUTE, 5 * MINUTE],
	[3 * HOUR, 3 * HOUR],
	[366 * DAY, DAY],
])('where the service asks for %i ms, it lasts %i ms', (retryAfterMs, ms) => {
	expect(after(0, { retryAfterMs }).ms).toBe(ms);
});

it.each([
	[false, 0, 'list'],
	[true, 0, 'laterPages'],
	[true, 1, 'list'],
] as const)(
	'is one of later pages alone if the head was read (%s) and the service does not ask to wait (%i ms)',
	(isAfterHead, retryAfterMs, of) => {
		const failed = { now: NOW, random: 1, retryAfterMs, isAfterHead, cause: '' };
		expect(pauseAfter(undefined, failed)).toMatchObject({ of });
	},
);

it('counts the failures, and knows when the first of them was', () => {
	expect(after(0)).toMatchObject({ failures: 1, first: NOW, since: NOW });
	expect(after(4)).toMatchObject({ failures: 5, first: NOW - HOUR, since: NOW });
});

it.each<[string, number, boolean]>([
	['at once', 0, false],
	['just before its end', 10 * MINUTE - 1, false],
	['at its end', 10 * MINUTE, true],
	['a year later', 365 * DAY, true],
	['after the clock was set right by a minute', -MINUTE, false],
	['after the clock was set back', -MINUTE - 1, true],
])('%s: whether it is over', (_, later, expected) => {
	const pause: Pause = {
		failures: 1,
		first: NOW,
		since: NOW,
		ms: 10 * MINUTE,
		of: 'list',
		cause: '',
	};
	expect(isOver(pause, NOW + later)).toBe(expected);
});

it('without one, nothing waits', () => {
	expect(isOver(undefined, NOW)).toBe(true);
});
