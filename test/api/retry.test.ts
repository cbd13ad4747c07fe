import {
	asksToWait,
	backOff,
	DEFAULT_RETRY,
	isTransient,
	mayHaveSucceeded,
	mayRepeat,
	readRetryAfter,
	type Outcome,
} from '../../nodes/LeadGenPublishing/api/retry';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const status = (number: number, more: Partial<Outcome> = {}): Outcome =>
	({ kind: 'status', status: number, ...more }) as Outcome;

const again = (outcome: Outcome, repeatable: boolean, attempt = 1) =>
	mayRepeat(outcome, { repeatable, attempts: attempt, maxAttempts: DEFAULT_RETRY.maxAttempts });

const PASSING = [408, 429, 500, 502, 503, 504];
const FINAL = [200, 301, 400, 401, 403, 404, 405, 409, 422, 501];
const UNREACHABLE: Outcome = { kind: 'unreachable' };
const CUT_OFF: Outcome = { kind: 'unreadable', cutOff: true };
const NO_API: Outcome = { kind: 'unreadable', cutOff: false };

describe('who may be sent again', () => {
	it.each(PASSING)('what may be repeated, after HTTP %i', (number) => {
		expect(isTransient(status(number))).toBe(true);
		expect(again(status(number), true)).toBe(true);
	});

	it.each(PASSING.filter((number) => number !== 429))('no plain write after HTTP %i', (number) => {
		expect(again(status(number), false)).toBe(false);
	});

	it('a plain write after 429, because it was certainly refused', () => {
		expect(again(status(429), false)).toBe(true);
	});

	it.each(FINAL)('nobody after HTTP %i', (number) => {
		expect(isTransient(status(number))).toBe(false);
		for (const repeatable of [true, false]) expect(again(status(number), repeatable)).toBe(false);
	});

	it('nobody after a final status, not even when it carries Retry-After', () => {
		expect(again(status(404, { retryAfterMs: 10 }), true)).toBe(false);
	});

	it.each([
		['no answer', UNREACHABLE],
		['an answer that was cut off', CUT_OFF],
	])('after %s what may be repeated, but no plain write', (_, outcome) => {
		expect(again(outcome, true)).toBe(true);
		expect(again(outcome, false)).toBe(false);
	});

	it('nobody after n8n itself has not let the request out', () => {
		const prevented: Outcome = { kind: 'unreachable', neverSent: true, prevented: true };
		for (const repeatable of [true, false]) expect(again(prevented, repeatable)).toBe(false);
	});

	it('nobody after an answer of something else than the API', () => {
		for (const repeatable of [true, false]) expect(again(NO_API, repeatable)).toBe(false);
	});

	it('nobody after the last attempt, unless it was throttled', () => {
		const { maxAttempts } = DEFAULT_RETRY;
		expect(again(status(500), true, maxAttempts - 1)).toBe(true);
		expect(again(status(500), true, maxAttempts)).toBe(false);
		expect(again(status(503, { retryAfterMs: 1_000 }), true, maxAttempts)).toBe(false);
		expect(again(status(429), false, maxAttempts)).toBe(true);
		expect(again(status(429), true, 49)).toBe(true);
		expect(again(status(429), true, 50)).toBe(false);
	});
});

describe('the service asks to be left alone', () => {
	it.each([
		['429', status(429), true],
		['429 with Retry-After', status(429, { retryAfterMs: 5 }), true],
		['503 with Retry-After', status(503, { retryAfterMs: 5 }), true],
		['503 with Retry-After 0', status(503, { retryAfterMs: 0 }), true],
		['503', status(503), false],
		['404 with Retry-After', status(404, { retryAfterMs: 5 }), false],
		['no answer', UNREACHABLE, false],
		['a cut-off answer', CUT_OFF, false],
	])('by %s: %p', (_, outcome, expected) => {
		expect(asksToWait(outcome)).toBe(expected);
	});
});

describe('how long it waits by itself', () => {
	it.each([1, 2, 3, 4, 5, 6, 7, 8])(
		'between half and the whole of a doubling ceiling after %i failures',
		(failures) => {
			const ceiling = Math.min(15_000, 500 * 2 ** (failures - 1));
			const at = (random: number) => backOff(failures, () => random);
			expect(at(0)).toBe(ceiling / 2);
			expect(at(0.5)).toBe((ceiling * 3) / 4);
			expect(at(0.999_999)).toBe(ceiling);
		},
	);
});

describe('Retry-After', () => {
	const readHeader = (header: unknown, date: unknown, now: number) =>
		readRetryAfter({ 'retry-after': header, date }, now);

	it.each([
		['3', 3_000],
		['0', 0],
		['1.5', 1_500],
		['0.0001', 1],
		[' 2 ', 2_000],
		[4, 4_000],
		['Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
		['Mon, 31 Dec 2029 23:59:00 GMT', 0],
	])('reads %p as %i ms', (header, expected) => {
		expect(readHeader(header, undefined, NOW)).toBe(expected);
	});

	it.each([undefined, null, '', '  ', 'soon', {}, ['3'], '-', 'NaN'])(
		'takes %p as absent',
		(header) => {
			expect(readHeader(header, undefined, NOW)).toBeUndefined();
		},
	);

	it.each(['-5', '1e9', '0x10', 'retry 5'])('takes the malformed value %p as absent', (header) => {
		expect(readHeader(header, undefined, NOW)).toBeUndefined();
	});

	it('as a date is compared with the date of the answer, since two clocks differ', () => {
		const at = (sentAt: unknown) =>
			readHeader('Tue, 01 Jan 2030 00:00:30 GMT', sentAt, NOW - 3_600_000);
		expect(at('Tue, 01 Jan 2030 00:00:10 GMT')).toBe(20_000);
		expect(at('Tue, 01 Jan 2030 00:10:00 GMT')).toBe(0);
		for (const unusable of [undefined, '', 'yesterday', 7, '2030'])
			expect(at(unusable)).toBe(3_630_000);
	});

	it.each(['99999999999999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
		'is %s, which is a year at most',
		(header) => {
			expect(readHeader(header, undefined, NOW)).toBe(366 * 24 * 3_600_000);
		},
	);

	it('of a day is a day', () => {
		expect(readHeader('86400', undefined, NOW)).toBe(86_400_000);
	});
});

describe('a conflict whose reason is lost', () => {
	const lost = status(409, { isReasonLost: true } as Partial<Outcome>);

	it('may be that of a change that was accepted', () => {
		expect(mayHaveSucceeded(lost, { keyed: true })).toBe(true);
	});

	it('is a refusal where no accepted change is answered so', () => {
		expect(mayHaveSucceeded(lost, { keyed: false })).toBe(false);
		expect(mayHaveSucceeded(status(409), { keyed: true })).toBe(false);
		const other = status(400, { isReasonLost: true } as Partial<Outcome>);
		expect(mayHaveSucceeded(other, { keyed: true })).toBe(false);
	});
});

describe('a write may have been carried out', () => {
	const mayHave = (outcome: Outcome) => mayHaveSucceeded(outcome, { keyed: false });

	it('where no answer came, unless it was never sent', () => {
		expect(mayHave(UNREACHABLE)).toBe(true);
		expect(mayHave({ kind: 'unreachable', neverSent: false })).toBe(true);
		expect(mayHave({ kind: 'unreachable', neverSent: true })).toBe(false);
	});

	it('where the answer could not be read', () => {
		expect([CUT_OFF, NO_API].map(mayHave)).toEqual([true, true]);
	});

	it.each([408, 500, 502, 503, 504, 599])('after HTTP %i', (number) => {
		expect(mayHave(status(number))).toBe(true);
	});

	it.each([400, 404, 409, 429, 499, 501])('but not after HTTP %i', (number) => {
		expect(mayHave(status(number))).toBe(false);
	});

	it.each([
		['provider_ambiguous', true],
		['provider_attachment_mismatch', true],
		['stale_provider_version', false],
	])('or not, by a conflict with the reason %s: %p', (reason, expected) => {
		expect(mayHave(status(409, { reason }))).toBe(expected);
	});
});
