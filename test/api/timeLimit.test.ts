import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import {
	attemptTimeout,
	reservedForLastRead,
	steadyClock,
	timeLimit,
} from '../../nodes/LeadGenPublishing/api/retry';

function settableClock() {
	let now = 1_000;
	return { clock: () => now, at: (ms: number) => (now = 1_000 + ms) };
}

describe('a deadline', () => {
	it('begins with the first request, and counts everything', () => {
		const { clock, at } = settableClock();
		const time = timeLimit(10_000, { clock });
		at(5_000);
		expect([time.leftForSending(), time.leftForWaiting()]).toEqual([10_000, 10_000]);
		at(9_000);
		time.answered(8_000);
		expect([time.leftForSending(), time.leftForWaiting()]).toEqual([6_000, 6_000]);
		at(15_001);
		expect([time.leftForSending(), time.leftForWaiting()]).toEqual([0, 0]);
	});

	it('stands still while something is done that does not count, unless no answer came', async () => {
		const { clock, at } = settableClock();
		const time = timeLimit(10_000, { clock });
		// Not begun yet either, it begins here.
		await time.uncounted(async () => at(4_000));
		expect(time.leftForWaiting()).toBe(10_000);
		at(7_000);
		expect(await time.uncounted(async () => at(100_000))).toBe(101_000);
		expect(time.leftForSending()).toBe(7_000);
		const failing = async (until: number, error: Error) => {
			const working = time.uncounted(async () => {
				at(until);
				throw error;
			});
			await expect(working).rejects.toBe(error);
			return time.leftForSending();
		};
		const failed = (kind: 'answered' | 'unreachable') =>
			new ApiFailure({
				...{ kind, endpoint: 'media.upload', agency: false, retryable: true },
				...{ attempts: 1, uncertain: false },
			});
		expect(await failing(300_000, failed('answered'))).toBe(7_000);
		expect(await failing(305_000, failed('unreachable'))).toBe(2_000);
		const trouble = timeLimit(10_000, { clock, growing: true });
		expect(await trouble.uncounted(async () => at(500_000))).toBe(501_000);
		expect(trouble.leftForWaiting()).toBe(10_000);
	});

	it('of 0 lets one attempt take its time, and nothing wait', () => {
		const { clock, at } = settableClock();
		for (const time of [timeLimit(0, { clock }), timeLimit(0, { clock, growing: true })]) {
			expect([time.leftForSending(), time.leftForWaiting()]).toEqual([Infinity, 0]);
			at(1e6);
			expect([time.leftForSending(), time.leftForWaiting()]).toEqual([Infinity, 0]);
		}
	});
});

it('a deadline of a millisecond is one', () => {
	const { clock } = settableClock();
	const time = timeLimit(1, { clock });
	expect([time.leftForSending(), time.leftForWaiting()]).toEqual([1, 1]);
});

describe('the limit of a list', () => {
	const begun = (maxMs: number) => {
		const { clock, at } = settableClock();
		const time = timeLimit(maxMs, { clock, growing: true });
		time.leftForSending();
		const answered = (from: number, to: number) => {
			at(to);
			time.answered(1_000 + from);
			return time.leftForWaiting();
		};
		return { answered };
	};

	it('counts what went before an answer, and gives back what the answer took', () => {
		const { answered } = begun(10_000);
		expect(answered(0, 3_600_000)).toBe(10_000);
		expect(answered(3_604_000, 3_700_000)).toBe(6_000);
	});

	it('gives back once what several pages took at the same time', () => {
		const { answered } = begun(100_000);
		expect(answered(0, 1_000)).toBe(100_000);
		expect(answered(500, 7_000)).toBe(100_000);
		expect(answered(2_000, 7_000)).toBe(100_000);
		expect(answered(8_000, 9_000)).toBe(99_000);
		expect(answered(100, 9_500)).toBe(99_000);
	});
});

describe('one attempt', () => {
	const timeoutOf = (left: number, { maxMs, ...how }: { repeatable: boolean; maxMs: number }) =>
		attemptTimeout({ maxMs, leftForSending: () => left }, how);

	const read = (left: number, maxMs = 60_000) => timeoutOf(left, { repeatable: true, maxMs });
	const write = (left: number, maxMs = 60_000) => timeoutOf(left, { repeatable: false, maxMs });

	it('has the ordinary time when it is the only one', () => {
		expect([read(Infinity, 0), write(Infinity, 0)]).toEqual([60_000, 60_000]);
	});

	it('that may be repeated leaves time for another one by default, and uses all in the end', () => {
		expect([60_000, 30_000, 15_000, 5_000, 1].map((left) => read(left))).toEqual([
			30_000, 15_000, 10_000, 5_000, 1,
		]);
		expect(read(3_600_000, 3_600_000)).toBe(60_000);
		expect(read(0.5)).toBeUndefined();
		expect(read(0)).toBeUndefined();
	});

	it('that may not be repeated has all that is left, but for a look at what became of it', () => {
		expect([60_000, 10_000, 1_000].map((left) => write(left))).toEqual([55_000, 9_000, 900]);
		expect(write(3_600_000, 3_600_000)).toBe(300_000);
	});

	it('that may not be repeated is not begun when it would be cut short', () => {
		expect(write(999)).toBeUndefined();
		expect(write(500, 2_000)).toBe(450);
		expect(write(499, 2_000)).toBeUndefined();
		expect(write(0, 2_000)).toBeUndefined();
	});

	it.each([2_000, 5_000, 10_000, 60_000, 300_000, 3_600_000])(
		'is never longer than what is left, be it %i ms',
		(maxMs) => {
			for (let left = 1; left <= maxMs; left += maxMs / 97)
				for (const repeatable of [true, false])
					expect(timeoutOf(left, { repeatable, maxMs }) ?? 0).toBeLessThanOrEqual(left);
		},
	);

	it('keeps a tenth for a look, and five seconds at most', () => {
		expect([0, 2_000, 50_000, 60_000].map(reservedForLastRead)).toEqual([0, 200, 5_000, 5_000]);
	});
});

it('goes on with the time of day, stands still where that does, and never goes back', () => {
	let wall = 1_000;
	const clock = steadyClock(() => wall);
	const start = clock();
	expect(clock() - start).toBe(0);
	wall += 5;
	expect(clock() - start).toBe(5);
	wall -= 600;
	expect(clock() - start).toBe(5);
	wall += 7;
	expect(clock() - start).toBe(12);
});
