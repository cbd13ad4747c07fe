import {
	DEFAULT_RETRY,
	isPassing,
	readRetryAfter,
	retryDelay,
	type Attempt,
	type Outcome,
} from '../../nodes/LeadGenPublishing/api/retry';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const FIRST: Attempt = { read: true, keyed: false, attempt: 1, waitedMs: 0 };
const status = (number: number, more: Partial<Outcome> = {}): Outcome =>
	({ kind: 'status', status: number, ...more }) as Outcome;

const delayOf = (
	outcome: Outcome,
	attempt: Partial<Attempt> = {},
	{ random = 0, ...policy }: Partial<typeof DEFAULT_RETRY> & { random?: number } = {},
) =>
	retryDelay({ ...FIRST, ...attempt }, outcome, {
		policy: { ...DEFAULT_RETRY, ...policy },
		random: () => random,
	});

const PASSING = [408, 429, 500, 502, 503, 504];
const FINAL = [200, 301, 400, 401, 403, 404, 405, 409, 422, 501];
const UNREACHABLE: Outcome = { kind: 'unreachable' };
const CUT_OFF: Outcome = { kind: 'unreadable', cutOff: true };
const NO_API: Outcome = { kind: 'unreadable', cutOff: false };

const read = { read: true };
const write = { read: false };
const keyed = { read: false, keyed: true };

describe('who may be sent again', () => {
	it.each(PASSING)('a read after HTTP %i', (number) => {
		expect(isPassing(status(number))).toBe(true);
		expect(delayOf(status(number), read)).toEqual(expect.any(Number));
	});

	it.each(PASSING)('a keyed write after HTTP %i', (number) => {
		expect(delayOf(status(number), keyed)).toEqual(expect.any(Number));
	});

	it.each(PASSING.filter((number) => number !== 429))('no plain write after HTTP %i', (number) => {
		expect(delayOf(status(number), write)).toBeUndefined();
	});

	it('a plain write after 429, because it was certainly refused', () => {
		expect(delayOf(status(429), write)).toEqual(expect.any(Number));
	});

	it.each(FINAL)('nobody after HTTP %i', (number) => {
		expect(isPassing(status(number))).toBe(false);
		for (const kind of [read, write, keyed]) expect(delayOf(status(number), kind)).toBeUndefined();
	});

	it('nobody after a final status, not even when it carries Retry-After', () => {
		expect(delayOf(status(404, { retryAfterMs: 10 }), read)).toBeUndefined();
	});

	it.each([
		['no answer', UNREACHABLE],
		['an answer that was cut off', CUT_OFF],
	])('after %s a read and a keyed write, but no plain write', (_, outcome) => {
		expect(delayOf(outcome, read)).toEqual(expect.any(Number));
		expect(delayOf(outcome, keyed)).toEqual(expect.any(Number));
		expect(delayOf(outcome, write)).toBeUndefined();
	});

	it('nobody after an answer of something else than the API', () => {
		for (const kind of [read, write, keyed]) expect(delayOf(NO_API, kind)).toBeUndefined();
	});

	it('nobody after the last attempt', () => {
		expect(delayOf(status(500), { attempt: DEFAULT_RETRY.maxAttempts - 1 })).toBeDefined();
		expect(delayOf(status(500), { attempt: DEFAULT_RETRY.maxAttempts })).toBeUndefined();
	});
});

describe('how long it waits', () => {
	it.each([1, 2, 3, 4, 5, 6, 7, 8])(
		'between half and the whole of a doubling ceiling at attempt %i',
		(attempt) => {
			const ceiling = Math.min(15_000, 500 * 2 ** (attempt - 1));
			const at = (random: number) => delayOf(status(500), { attempt }, { random, maxAttempts: 99 });
			expect(at(0)).toBe(ceiling / 2);
			expect(at(0.5)).toBe((ceiling * 3) / 4);
			expect(at(0.999_999)).toBe(ceiling);
		},
	);

	it('exactly as long as Retry-After asks, whatever the attempt and chance', () => {
		const outcome = status(429, { retryAfterMs: 7_000 });
		expect(delayOf(outcome, { attempt: 1 }, { random: 0.9 })).toBe(7_000);
		expect(delayOf(outcome, { attempt: 4 }, { random: 0.1 })).toBe(7_000);
		expect(delayOf(status(503, { retryAfterMs: 0 }))).toBe(0);
	});

	it('again and again while it is throttled, as long as there is time', () => {
		const outcome = status(429, { retryAfterMs: 1_000 });
		expect(delayOf(outcome, { attempt: 12, waitedMs: 11_000 })).toBe(1_000);
		expect(delayOf(status(503, { retryAfterMs: 1_000 }), { attempt: 12 })).toBeUndefined();
	});

	it('not at all when Retry-After is longer than what may still be waited', () => {
		const outcome = status(429, { retryAfterMs: 10_000 });
		expect(delayOf(outcome, { waitedMs: 50_000 })).toBe(10_000);
		expect(delayOf(outcome, { waitedMs: 50_001 })).toBeUndefined();
		expect(delayOf(outcome, {}, { maxWaitMs: 0 })).toBeUndefined();
	});

	it('never more than the maximum in sum, with any chance', () => {
		for (let seed = 0; seed < 50; seed += 1) {
			let waitedMs = 0;
			for (let attempt = 1; ; attempt += 1) {
				const delay = delayOf(
					status(500),
					{ attempt, waitedMs },
					{ random: (seed * attempt * 0.137) % 1, maxAttempts: 1000, maxWaitMs: 20_000 },
				);
				if (delay === undefined) break;
				waitedMs += delay;
			}
			expect(waitedMs).toBeLessThanOrEqual(20_000);
			expect(waitedMs).toBeGreaterThan(5_000);
		}
	});
});

describe('Retry-After', () => {
	it.each([
		['3', 3_000],
		['0', 0],
		['1.5', 1_500],
		[' 2 ', 2_000],
		[4, 4_000],
		['Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
		['Mon, 31 Dec 2029 23:59:00 GMT', 0],
	])('reads %p as %i ms', (header, expected) => {
		expect(readRetryAfter(header, NOW)).toBe(expected);
	});

	it.each([undefined, null, '', '  ', 'soon', {}, ['3'], '-', 'NaN'])(
		'takes %p as absent',
		(header) => {
			expect(readRetryAfter(header, NOW)).toBeUndefined();
		},
	);

	it.each(['-5', '1e9', '0x10', 'retry 5'])('takes the malformed value %p as absent', (header) => {
		expect(readRetryAfter(header, NOW)).toBeUndefined();
	});
});
