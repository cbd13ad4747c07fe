/** Whether a request may be sent again, at once or in the next attempt, and after how long. */
import {
	asksToWait,
	backOff,
	DEFAULT_RETRY,
	isTransient,
	mayHaveSucceeded,
	mayRepeat,
	readRetryAfter,
} from '../../nodes/LeadGenPublishing/api/retry';
import {
	ApiFailure,
	type FailureFacts,
	isNotFound,
	outcomeOf,
	type SeenFailure,
	withFindings,
} from '../../nodes/LeadGenPublishing/api/failure';
import { notSentAgain } from '../../nodes/LeadGenPublishing/api/errors';
import {
	keepsItsKey,
	KNOWN_CODES,
	KNOWN_REASONS,
	nextAttemptAfter,
} from '../../nodes/LeadGenPublishing/api/reasons';
import { parseDocument } from '../contract/document';

const status = (number: number, more: Partial<SeenFailure> = {}): SeenFailure => ({
	...{ kind: 'answered', endpoint: 'post.update', status: number },
	...more,
});
const ofReason = (reason: string) => status(409, { reason });
const unanswered = (seen: string): SeenFailure => ({
	...{ kind: 'unreachable', endpoint: 'post.update', seen },
});
const unreadable = (cutOff: boolean) => status(200, { kind: 'unreadable', cutOff });
const PREVENTED: SeenFailure = {
	...{ kind: 'notSent', code: 'not_sent', endpoint: 'post.update' },
};
const { maxAttempts } = DEFAULT_RETRY;

describe('what a failure allows', () => {
	const LATER = 'may pass, read again, perhaps done';
	const THROTTLED = 'may pass, read again, write again, asks to wait';

	it.each<[allowed: string, outcomes: readonly SeenFailure[]]>([
		['', [200, 301, 400, 401, 403, 404, 405, 409, 422, 499, 501].map((number) => status(number))],
		['', [status(404, { retryAfterMs: 10 }), ofReason('stale_provider_version')]],
		[LATER, [408, 500, 502, 503, 504].map((number) => status(number))],
		['perhaps done', [status(599), unreadable(false)]],
		['', [status(301, { kind: 'redirected' }), status(404, { kind: 'unreadable' })]],
		[LATER, [status(503, { kind: 'unreadable' })]],
		['perhaps done', ['provider_ambiguous', 'provider_attachment_mismatch'].map(ofReason)],
		[LATER, [unanswered('connection reset'), unreadable(true)]],
		['may pass, read again', [unanswered('connection refused')]],
		['', [PREVENTED]],
		[THROTTLED, [status(429), status(429, { retryAfterMs: 5 })]],
		[
			'may pass, read again, asks to wait, perhaps done',
			[status(503, { retryAfterMs: 5 }), status(503, { retryAfterMs: 0 })],
		],
	])('is "%s": %j', (allowed, outcomes) => {
		for (const outcome of outcomes) {
			const verdicts = {
				'may pass': isTransient(outcome),
				'read again': mayRepeat(outcome, { repeatable: true, attempts: 1, maxAttempts }),
				'write again': mayRepeat(outcome, { repeatable: false, attempts: 1, maxAttempts }),
				'asks to wait': asksToWait(outcome),
				'perhaps done': mayHaveSucceeded(outcome, { keyed: false }),
			};
			const said = Object.entries(verdicts).flatMap(([name, isSo]) => (isSo ? [name] : []));
			expect([outcome, said.join(', ')]).toEqual([outcome, allowed]);
		}
	});

	it.each([
		[status(500), maxAttempts, false],
		[status(500), maxAttempts - 1, true],
		[status(503, { retryAfterMs: 1_000 }), maxAttempts, false],
		[status(429), maxAttempts, true],
		[status(429), 49, true],
		[status(429), 50, false],
	])('ends with the last attempt, or with throttling: %j after %i: %p', (...row) => {
		const [outcome, attempts, expected] = row;
		expect(mayRepeat(outcome, { repeatable: true, attempts, maxAttempts })).toBe(expected);
	});

	it.each([
		[409, true, true, true],
		[409, true, false, false],
		[409, false, true, false],
		[400, true, true, false],
	])('may be that of a keyed change whose reason is lost: %i', (number, cutOff, keyed, done) => {
		expect(mayHaveSucceeded(status(number, { cutOff }), { keyed })).toBe(done);
	});
});

it('by itself it waits between half and the whole of a doubling ceiling', () => {
	const ceilings = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000];
	for (const [index, ceiling] of ceilings.entries()) {
		const at = (random: number) => backOff(index + 1, () => random);
		expect([0, 0.5, 0.999_999].map(at)).toEqual([ceiling / 2, (ceiling * 3) / 4, ceiling]);
	}
});

describe('Retry-After', () => {
	const NOW = Date.parse('2030-01-01T00:00:00Z');
	const read = (header: unknown, date?: unknown, now = NOW) =>
		readRetryAfter({ 'retry-after': header, date }, now);
	const YEAR = 366 * 24 * 3_600_000;

	it.each([
		['3', 3_000],
		['0', 0],
		['1.5', 1_500],
		['0.0001', 1],
		[' 2 ', 2_000],
		[4, 4_000],
		['86400', 86_400_000],
		['Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
		['Mon, 31 Dec 2029 23:59:00 GMT', 0],
		['Fri, 31 Dec 9999 23:59:59 GMT', YEAR],
		['9'.repeat(400), YEAR],
	])('reads %p as %i ms', (header, expected) => {
		expect(read(header)).toBe(expected);
	});

	it('is absent where it is malformed', () => {
		const texts = ['', '  ', 'soon', '-', 'NaN', '-5', '1e9', '0x10', 'retry 5'];
		for (const header of [undefined, null, {}, ['3'], ...texts])
			expect([header, read(header)]).toEqual([header, undefined]);
	});

	it('as a date is compared with the date of the answer, since two clocks differ', () => {
		const at = (sentAt: unknown) => read('Tue, 01 Jan 2030 00:00:30 GMT', sentAt, NOW - 3_600_000);
		expect(at('Tue, 01 Jan 2030 00:00:10 GMT')).toBe(20_000);
		expect(at('Tue, 01 Jan 2030 00:10:00 GMT')).toBe(0);
		for (const unusable of [undefined, '', 'yesterday', 7, '2030'])
			expect(at(unusable)).toBe(3_630_000);
	});
});

const facts = (more: Partial<FailureFacts>): FailureFacts => ({
	...{ kind: 'answered', endpoint: 'post.update', agency: false, retryable: false },
	...{ attempts: 1, uncertain: false },
	...more,
});

describe('the next attempt of an item', () => {
	const OPEN = { uncertain: true, keyed: true };
	const BUSY = { status: 409, reason: 'mutation_in_progress' };
	const LOST = { kind: 'unreachable' } as const;
	const inherited = { status: 409, code: 'conflict', reason: 'toString' };

	it.each<[string, Partial<FailureFacts>, string]>([
		['a reason that every object has', inherited, 'never'],
		['the same, in doubt', { ...inherited, ...OPEN }, 'never'],
		['a code that every object has', { status: 400, code: 'constructor' }, 'never'],
		['an unknown 4xx', { status: 418, code: 'teapot' }, 'never'],
		['an unknown 4xx, keyed', { status: 418, keyed: true }, 'never'],
		['a redirect', { status: 307, kind: 'redirected' }, 'never'],
		['an unknown 5xx, keyed', { status: 599, ...OPEN }, 'sameRequest'],
		['an unknown 5xx', { status: 599, uncertain: true }, 'checkOnly'],
		['a bare 500, keyed', { status: 500, ...OPEN }, 'sameRequest'],
		['408, keyed', { status: 408, ...OPEN }, 'sameRequest'],
		['no answer, keyed', { ...LOST, ...OPEN }, 'sameRequest'],
		['no answer', { ...LOST, uncertain: true }, 'checkOnly'],
		['no connection', { ...LOST, retryable: true }, 'again'],
		['no connection, keyed', { ...LOST, retryable: true, keyed: true }, 'sameRequest'],
		['a cut answer, keyed', { kind: 'unreadable', status: 200, ...OPEN }, 'sameRequest'],
		['a page of a proxy', { kind: 'unreadable', status: 403, code: 'forbidden' }, 'never'],
		['an unreadable 403, keyed', { kind: 'unreadable', status: 403, keyed: true }, 'never'],
		['an unreadable 300, keyed', { kind: 'unreadable', status: 300, keyed: true }, 'never'],
		['a read with 503', { endpoint: 'post.get', status: 503, retryable: true }, 'again'],
		['a read with 404', { endpoint: 'post.get', status: 404, code: 'not_found' }, 'never'],
		['a busy post without a key', BUSY, 'never'],
		['a busy post with a key', { ...BUSY, keyed: true }, 'never'],
		['a busy post that may have been changed', { ...BUSY, ...OPEN }, 'checkOnly'],
		['an ambiguity that is settled', { reason: 'provider_ambiguous', keyed: true }, 'never'],
		['what was held back', { kind: 'notSent' }, 'again'],
		['what was held back, keyed', { kind: 'notSent', keyed: true }, 'again'],
		['what was held back after a lost answer', { kind: 'notSent', ...OPEN }, 'sameRequest'],
		['a final reason, in doubt', { reason: 'stale_provider_version', uncertain: true }, 'never'],
		['throttling', { status: 429, code: 'rate_limited' }, 'again'],
		['throttling, in doubt', { status: 429, code: 'rate_limited', uncertain: true }, 'again'],
		['the storage', { endpoint: 'media.upload', status: 403 }, 'again'],
	])('after %s', (_, about, expected) => {
		expect(nextAttemptAfter(facts(about))).toBe(expected);
	});

	it('follows a row for every reason and code of the document', () => {
		const { reasons, codes } = parseDocument();
		expect(reasons.filter((reason) => !KNOWN_REASONS.includes(reason))).toEqual([]);
		expect(codes.filter((code) => !KNOWN_CODES.includes(code))).toEqual([]);
	});

	/** Whatever is not named here is final. */
	const AFTER: Readonly<Record<string, string>> = {
		...{ mutation_in_progress: 'checkOnly', provider_ambiguous: 'checkOnly' },
		...{ provider_attachment_mismatch: 'sameRequest', rate_limited: 'again' },
		...{ internal_error: 'sameRequest', upstream_error: 'sameRequest' },
	};

	it.each(KNOWN_REASONS)('is the one of the document for %s, in doubt', (reason) => {
		expect(nextAttemptAfter(facts({ reason, ...OPEN }))).toBe(AFTER[reason] ?? 'never');
	});

	it.each(KNOWN_CODES)('is the one of the document for the code %s alone', (code) => {
		for (const uncertain of [true, false])
			expect(nextAttemptAfter(facts({ code, keyed: true, uncertain }))).toBe(
				AFTER[code] ?? 'never',
			);
	});

	it('has the same key after a rejection for good, and another one after others', () => {
		for (const word of ['acme', 'my_network']) {
			const rejected = facts({ reason: `${word}_organization_provider_rejected`, status: 502 });
			expect(nextAttemptAfter({ ...rejected, ...OPEN })).toBe('never');
			expect(keepsItsKey(rejected)).toBe(true);
			expect(keepsItsKey(facts({ reason: `${word}_organization_stale` }))).toBe(false);
		}
		expect(keepsItsKey(facts({}))).toBe(false);
	});
});

describe('what became of a request', () => {
	const failed = (more: Partial<FailureFacts> = {}) =>
		facts({ status: 502, code: 'upstream_error', retryable: true, uncertain: true, ...more });
	const ofCreation = (more: Partial<FailureFacts> = {}) =>
		failed({ endpoint: 'post.create', ...more });

	it('is a value or a failure of the service; all else is thrown', async () => {
		expect(await outcomeOf(Promise.resolve(7))).toEqual({ value: 7 });
		const failure = new ApiFailure(failed());
		expect(await outcomeOf(Promise.reject(failure))).toEqual({ failure });
		const fault = new Error('odd');
		await expect(outcomeOf(Promise.reject(fault))).rejects.toBe(fault);
	});

	it.each<[Partial<FailureFacts>, boolean]>([
		[{ status: 404 }, true],
		[{ status: 403 }, false],
		[{ status: 404, seen: 'a web page (HTML)' }, false],
		[{ status: 404, kind: 'unreadable' }, false],
	])('is a record that the service does not find: %j %p', (more, expected) => {
		expect(isNotFound(new ApiFailure(failed(more)))).toBe(expected);
	});

	it('may be found out later, without anything being taken away', () => {
		const given = failed({ serviceDetails: { reason: 'x', more: 1 }, found: 'Before.' });
		const now = { found: 'It is there.', uncertain: false };
		const details = { more: 2, text: 'a' };
		expect(withFindings(new ApiFailure(given), { ...now, details }).facts).toEqual({
			...{ ...given, ...now, serviceDetails: { reason: 'x', more: 2, text: 'a' } },
		});
		const bare = withFindings(new ApiFailure(failed()), { found: 'a' });
		expect(bare.facts.serviceDetails).toEqual({});
	});

	it('is said of an item that is not sent again', () => {
		const known = ofCreation({ requestId: 'req_1', reason: 'odd', serviceMessage: 'No' });
		const error = notSentAgain(known);
		expect(error.message).toMatch(/was not sent again\. The network behind .*: No\./);
		expect(error.remedy).toMatch(/^Look for it with Post > Get Many\. If it was not done, start/);
		expect(error.details).toEqual({
			...{ code: 'outcome_unknown', outcome: 'unknown' },
			...{ http_status: 502, reason: 'odd', request_id: 'req_1' },
		});
	});

	it('is said in fewer words where less is known', () => {
		const nothing = { http_status: null, reason: null, request_id: null };
		const error = notSentAgain(undefined);
		expect(error.message).toMatch(/so it was not sent again\.$/);
		expect(error.remedy).toMatch(/^Check with a Get or Get Many whether it exists\. If it/);
		expect(error.details).toMatchObject(nothing);
		const unreachable = ofCreation({ kind: 'unreachable', status: undefined });
		expect(notSentAgain(unreachable, 'Do this.')).toMatchObject({
			...{ remedy: 'Do this.', details: nothing },
		});
		// Where nothing shows it, it says so.
		const harmless = failed({ endpoint: 'media.createUploadUrl' });
		expect(notSentAgain(harmless).remedy).toMatch(/^Check with a Get or Get Many/);
	});
});
