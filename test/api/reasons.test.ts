/** What a failure means for the next attempt of an item, and how it is told. */
import {
	ApiFailure,
	type FailureFacts,
	isNotFound,
	outcomeOf,
	withFindings,
} from '../../nodes/LeadGenPublishing/api/failure';
import { detailsOf, notSentAgain } from '../../nodes/LeadGenPublishing/api/errors';
import { keepsItsKey, nextAttemptAfter } from '../../nodes/LeadGenPublishing/api/reasons';

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
		const nothing = { code: 'outcome_unknown', http_status: null, reason: null, request_id: null };
		const error = notSentAgain(undefined);
		expect(error.message).toMatch(/so it was not sent again\.$/);
		expect(error.remedy).toMatch(/^Check with a Get or Get Many whether it exists\. If it/);
		expect(detailsOf(error)).toMatchObject(nothing);
		const unreachable = ofCreation({ kind: 'unreachable', status: undefined });
		const advised = notSentAgain(unreachable, 'Do this.');
		expect(detailsOf(advised)).toMatchObject({ ...nothing, next: 'Do this.' });
		// Where nothing shows it, it says so.
		const harmless = failed({ endpoint: 'media.createUploadUrl' });
		expect(notSentAgain(harmless).remedy).toMatch(/^Check with a Get or Get Many/);
	});
});
