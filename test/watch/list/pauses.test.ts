/** How long a failed list is paused, and what happens to failures that cannot be reported yet. */
import {
	countFailure,
	damageFailure,
	mergeFailures,
	withoutCause,
} from '../../../nodes/LeadGenPublishing/watch/list/turns/pendingFailures';
import {
	isPauseOver,
	isPause,
	isTolerable,
	pauseAfter,
	MAX_PAUSE,
	type Pause,
} from '../../../nodes/LeadGenPublishing/watch/store/pauses';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const longest = { now: NOW, random: 1 };
const after = (times: number, failure: Parameters<typeof pauseAfter>[1] = {}): Pause => {
	let pause: Pause | undefined;
	for (let failures = 0; failures < times; failures++) pause = pauseAfter(pause, failure, longest);
	return pause as Pause;
};

describe('a pause', () => {
	it('is twice as long after each failure, up to ten minutes', () => {
		const lengths = [1, 2, 3, 4, 5, 6, 7, 60].map((times) => after(times).ms);
		expect(lengths).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000]);
		expect(after(3)).toEqual({ failures: 3, since: NOW, ms: 120_000, first: NOW });
	});

	it('is up to an hour long for what time alone will not mend', () => {
		expect(after(60, { lasting: true }).ms).toBe(60 * MINUTE);
		expect(after(1, { lasting: true }).ms).toBe(30_000);
	});

	it('is between half and all of that, by chance', () => {
		expect(pauseAfter(undefined, {}, { now: NOW, random: 0 }).ms).toBe(15_000);
		expect(pauseAfter(undefined, {}, { now: NOW, random: 0.5 }).ms).toBe(22_500);
	});

	it('is a day at most', () => {
		expect(MAX_PAUSE).toBe(24 * 60 * MINUTE);
	});

	it.each([
		[5 * MINUTE, 5 * MINUTE],
		[1, 30_000],
		[MAX_PAUSE + 1, MAX_PAUSE],
		[Infinity, MAX_PAUSE],
		[Number.NaN, 30_000],
		[-5, 30_000],
	])('of which the service asks for %d ms is %d ms long', (retryAfterMs, ms) => {
		expect(after(1, { retryAfterMs }).ms).toBe(ms);
	});

	it('counts our own failures in a row apart from those of the service', () => {
		expect(after(2, { fault: true })).toMatchObject({ failures: 2, faults: 2 });
		expect(pauseAfter(after(2, { fault: true }), {}, longest)).not.toHaveProperty('faults');
		expect(pauseAfter(after(2), { fault: true }, longest)).toMatchObject({
			failures: 3,
			faults: 1,
		});
	});

	it('after a failure that is not said to be our own counts none of those', () => {
		const classified = { kind: 'server', message: 'no' };
		const times = { now: NOW, random: 1 };
		const failed = { account: 'a', error: new Error('no') };
		const { pause } = countFailure(failed, { before: undefined, classified }, times);
		expect(pause).toEqual(after(1));
	});

	it('is over when its time has gone by, and never after more than a day', () => {
		const pause = { failures: 1, since: NOW, ms: 1_000 };
		expect(isPauseOver(undefined, NOW)).toBe(true);
		expect([999, 1_000].map((ms) => isPauseOver(pause, NOW + ms))).toEqual([false, true]);
		const forever = { ...pause, ms: 1e15 };
		expect([-1, 0].map((ms) => isPauseOver(forever, NOW + MAX_PAUSE + ms))).toEqual([false, true]);
	});

	it('that began more than a minute in the future is over: the clock was put back', () => {
		const pause = { failures: 1, since: NOW, ms: 1_000 };
		expect([MINUTE, MINUTE + 1].map((ms) => isPauseOver(pause, NOW - ms))).toEqual([false, true]);
	});

	it.each([
		[{ failures: 1, since: 1, ms: 1 }, true],
		[{ failures: 0, since: 0, ms: 0, faults: 0 }, true],
		[{ failures: 1, since: 1 }, false],
		[{ failures: -1, since: 1, ms: 1 }, false],
		[{ failures: 1, since: Number.NaN, ms: 1 }, false],
		[{ failures: 1, since: 1, ms: '1' }, false],
		[{ failures: 1, since: 1, ms: 1, faults: -1 }, false],
		[{ failures: 1, since: 1, ms: 1, first: 0 }, true],
		[{ failures: 1, since: 1, ms: 1, first: null }, true],
		[{ failures: 1, since: 1, ms: 1, first: '1' }, false],
		[null, false],
		[[1, 1, 1], false],
	])('read from the state as %j is one: %p', (value, is) => {
		expect(isPause(value)).toBe(is);
	});
});

describe('a failure that may pass by itself', () => {
	const HOUR = 60 * MINUTE;
	const row = (times: readonly number[], failure: Parameters<typeof pauseAfter>[1] = {}): Pause => {
		let pause: Pause | undefined;
		for (const now of times) pause = pauseAfter(pause, failure, { now, random: 1 });
		return pause as Pause;
	};
	const tolerable = (pause: Pause) => isTolerable(pause, {});

	it('is reported by the third in a row', () => {
		expect([1, 2, 3, 4].map((times) => tolerable(after(times)))).toEqual([
			true,
			true,
			false,
			false,
		]);
	});

	it('is reported earlier if it has gone on for an hour', () => {
		expect(tolerable(row([NOW, NOW + HOUR - 1]))).toBe(true);
		expect(tolerable(row([NOW, NOW + HOUR]))).toBe(false);
		expect(row([NOW, NOW + 5, NOW + 9]).first).toBe(NOW);
	});

	it('is reported at once if the service asks for an hour', () => {
		expect(tolerable(after(1, { retryAfterMs: HOUR - 1 }))).toBe(true);
		expect(tolerable(after(1, { retryAfterMs: HOUR }))).toBe(false);
	});

	it('is reported at once if it will not pass', () => {
		expect(isTolerable(after(1), { lasting: true })).toBe(false);
	});

	it('is reported by the third in a row whatever the clock does', () => {
		expect(tolerable(row([NOW, NOW - 300 * HOUR]))).toBe(true);
		expect(tolerable(row([NOW, NOW - 300 * HOUR, NOW]))).toBe(false);
	});
});

describe('failures that are owed', () => {
	const failure = (account: string, kind: string, message = kind) => ({ account, kind, message });

	it('keep the latest word for each account and kind, in the order in which they came', () => {
		const merged = mergeFailures(
			[failure('a', 'server', 'old'), failure('b', 'auth')],
			[failure('a', 'auth'), failure('a', 'server', 'new')],
		);
		expect(merged).toEqual([
			failure('a', 'server', 'new'),
			failure('b', 'auth'),
			failure('a', 'auth'),
		]);
		expect(mergeFailures([], [])).toEqual([]);
	});

	it('are stored without what cannot be stored', () => {
		expect(
			withoutCause({ ...failure('a', 'server'), error: new Error('x'), retryAfterMs: 5 }),
		).toEqual(failure('a', 'server'));
		expect(withoutCause(damageFailure('a'))).toMatchObject({ account: 'a', kind: 'damaged-state' });
	});
});
