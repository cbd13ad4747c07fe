/** What a failure means, and what may be done next: a row for each kind of failure. */
import type { FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import {
	asksToWait,
	classOf,
	isUnknownPath,
	keepsItsKey,
	mayHaveSucceeded,
	mayNeedNewUploadUrl,
	mayPass,
	nextAttemptAfter,
} from '../../nodes/LeadGenPublishing/api/policy';
import {
	CLASSES,
	KNOWN_REASONS,
	knownReason,
	type FailureClass,
	type NextAttempt,
} from '../../nodes/LeadGenPublishing/api/policyTables';
import { REASONS } from '../../fake-service/index';
import { someFacts, type SomeFacts } from '../support/facts';

type More = SomeFacts;
const write = (more: More): FailureFacts => someFacts({ endpoint: 'post.update', ...more });
const read = (more: More): FailureFacts => someFacts({ endpoint: 'post.get', ...more });

describe('the class of a failure', () => {
	const LOST = { kind: 'unreachable' } as const;
	const PAGE = { kind: 'unreadable', problem: 'webPage' } as const;
	const HALF = { kind: 'unreadable', problem: 'cutOff' } as const;

	it.each<[string, More, ofWrite: FailureClass, ofRead?: FailureClass]>([
		// Nothing was sent.
		['held back after a request to wait', { kind: 'heldBack' }, 'throttled'],
		['no time left', { kind: 'outOfTime' }, 'neverSent'],
		['stopped by n8n', { kind: 'prevented' }, 'prevented'],
		['no connection', { ...LOST, neverSent: true, problem: 'connectionRefused' }, 'neverSent'],
		// No response came.
		['lost', { ...LOST, problem: 'connectionReset' }, 'transient'],
		['ended by an unknown error', { ...LOST, seen: 'odd' }, 'transient'],
		['too large to be received', { ...LOST, problem: 'tooLarge' }, 'uncertain'],
		// A response came, but not one of the API.
		['a web page', { ...PAGE, status: 200 }, 'uncertain'],
		['half a response', { ...HALF, status: 200 }, 'transient'],
		[
			'a body that cannot be decoded',
			{ ...HALF, status: 200, problem: 'undecodable' },
			'transient',
		],
		['a web page with 404', { ...PAGE, status: 404 }, 'refused'],
		['a web page with 503', { ...PAGE, kind: 'answered', status: 503 }, 'transient'],
		['a redirect', { kind: 'redirected', status: 307 }, 'refused'],
		['a redirect to a result', { kind: 'redirected', status: 303 }, 'uncertain'],
		['a conflict whose reason is lost', { ...HALF, kind: 'answered', status: 409 }, 'refused'],
		[
			'a conflict whose reason is lost, with a key',
			{ ...HALF, kind: 'answered', status: 409, idempotencyKey: 'k' },
			'uncertain',
		],
		['a conflict without an envelope', { ...PAGE, problem: 'noEnvelope', status: 409 }, 'refused'],
		...(['noEnvelope', 'webPage', 'empty', 'noObject'] as const).map(
			(problem): [string, More, FailureClass] => [
				`a conflict with a key, and ${problem} in place of a reason`,
				{ ...PAGE, problem, status: 409, idempotencyKey: 'k' },
				'uncertain',
			],
		),
		['no status', { kind: 'unreadable', status: 0 }, 'uncertain'],
		// The status alone
		['HTTP 400', { status: 400 }, 'refused'],
		['HTTP 408', { status: 408 }, 'transient'],
		['HTTP 429', { status: 429 }, 'throttled'],
		['HTTP 500', { status: 500 }, 'transient'],
		['HTTP 501', { status: 501 }, 'refused'],
		['HTTP 599', { status: 599 }, 'transient'],
		// The code
		['rate_limited, with any status', { status: 503, code: 'rate_limited' }, 'throttled'],
		[
			'rate_limited, whatever its reason',
			{ status: 400, code: 'rate_limited', reason: 'account_paused' },
			'throttled',
		],
		['not_implemented, with any status', { status: 500, code: 'not_implemented' }, 'refused'],
		['a denied deletion', { kind: 'notDeleted', status: 200 }, 'uncertain'],
		// The reason
		['a reason to wait', { status: 409, reason: 'rate_limited' }, 'throttled'],
		['a final reason', { status: 502, reason: 'account_paused' }, 'refused', 'transient'],
		['a final reason of 429', { status: 429, reason: 'account_paused' }, 'refused', 'throttled'],
		[
			"a reason with the network's word",
			{ status: 502, reason: 'pronet_organization_stale' },
			'refused',
			'transient',
		],
		['an open reason', { status: 409, reason: 'provider_ambiguous' }, 'uncertain'],
		['an open reason of 502', { status: 502, reason: 'provider_attachment_mismatch' }, 'transient'],
		['another change in progress', { status: 409, reason: 'mutation_in_progress' }, 'refused'],
		['an unknown reason', { status: 409, reason: 'brand_new' }, 'refused'],
		['an inherited name', { status: 409, reason: 'constructor', code: 'toString' }, 'refused'],
	])('%s', (_, more, ofWrite, ofRead = ofWrite) => {
		expect([classOf(write(more)), classOf(read(more))]).toEqual([ofWrite, ofRead]);
	});

	it('is a rejection for each reason of the document, except these', () => {
		const others = Object.entries(REASONS).flatMap(([reason, { status }]) => {
			const found = classOf(write({ status, reason }));
			return found === 'refused' ? [] : [[reason, found]];
		});
		expect(Object.fromEntries(others)).toEqual({
			provider_ambiguous: 'uncertain',
			provider_attachment_mismatch: 'transient',
			provider_unreconciled: 'transient',
			rate_limited: 'throttled',
		});
	});

	it.each([401, 403, 404, 405, 409, 418, 422])('is a rejection for HTTP %i', (status) => {
		expect(classOf(write({ status }))).toBe('refused');
	});

	it.each([502, 503])('leaves open what came of a write after HTTP %i', (status) => {
		expect(classOf(write({ status }))).toBe('transient');
	});

	it('decides whether it may pass, and whether a write may have been carried out', () => {
		const rows = Object.entries(CLASSES).map(([name, { carriedOut, mayPass: passes, next }]) => [
			...[name, carriedOut, passes, next],
		]);
		expect(rows).toEqual([
			['throttled', 'no', true, 'again'],
			['refused', 'no', false, 'never'],
			['prevented', 'no', false, 'again'],
			['neverSent', 'no', true, 'again'],
			['transient', 'perhaps', true, 'sameRequest'],
			['uncertain', 'perhaps', false, 'sameRequest'],
		]);
		for (const status of [200, 303, 400, 408, 429, 500, 501, 599]) {
			const { carriedOut, mayPass: passes } = CLASSES[classOf(write({ status }))];
			expect(mayPass(write({ status }))).toBe(passes);
			expect(mayHaveSucceeded(write({ status }))).toBe(carriedOut === 'perhaps');
			expect(mayHaveSucceeded(read({ status }))).toBe(false);
		}
	});

	it('says who asks to wait: whoever is throttling, or names a time for what may pass', () => {
		const asked = (more: More) => asksToWait(write(more));
		expect([asked({ status: 429 }), asked({ status: 503, retryAfterMs: 0 })]).toEqual([true, true]);
		expect([asked({ status: 503 }), asked({ status: 404, retryAfterMs: 5 })]).toEqual([
			...[false, false],
		]);
	});
});

describe('the next attempt after', () => {
	const after = (more: SomeFacts): NextAttempt => nextAttemptAfter(write(more));
	const OPEN = { uncertain: true };
	const KEYED = { uncertain: true, idempotencyKey: 'k' };

	it.each<[string, SomeFacts, NextAttempt]>([
		['a file that the storage rejected', { endpoint: 'media.upload', status: 403 }, 'again'],
		['throttling', { status: 429 }, 'again'],
		['a request that n8n did not send', { kind: 'prevented' }, 'again'],
		['a missing connection', { kind: 'unreachable', neverSent: true }, 'again'],
		['a rejection', { status: 400 }, 'never'],
		['a final reason', { status: 502, reason: 'account_paused' }, 'never'],
		['a rejection of a repeated request', { ...KEYED, status: 409 }, 'never'],
		['a lost response', { ...OPEN, kind: 'unreachable' }, 'checkOnly'],
		['a lost response, with a key', { ...KEYED, kind: 'unreachable' }, 'sameRequest'],
		[
			'a lost response, then no connection',
			{ ...KEYED, kind: 'unreachable', neverSent: true },
			'sameRequest',
		],
		['a web page', { ...OPEN, kind: 'unreadable', status: 200, problem: 'webPage' }, 'checkOnly'],
		['an ambiguous outcome', { ...KEYED, status: 409, reason: 'provider_ambiguous' }, 'checkOnly'],
		[
			'attachments that do not match',
			{ ...KEYED, status: 502, reason: 'provider_attachment_mismatch' },
			'sameRequest',
		],
		['another change in progress', { status: 409, reason: 'mutation_in_progress' }, 'never'],
		[
			'another change, although it may pass',
			{ status: 409, reason: 'mutation_in_progress' },
			'never',
		],
		[
			'another change, after a lost response',
			{ ...KEYED, status: 409, reason: 'mutation_in_progress' },
			'checkOnly',
		],
		['a conflict whose reason is lost', { ...KEYED, status: 409, problem: 'empty' }, 'checkOnly'],
		['a 502 that a read has settled', { status: 502 }, 'again'],
		[
			'a 502 that a read has settled, with a key',
			{ status: 502, idempotencyKey: 'k' },
			'sameRequest',
		],
		['a denied deletion that a read has settled', { kind: 'notDeleted', status: 200 }, 'never'],
	])('%s', (_, more, expected) => {
		expect(after(more)).toBe(expected);
	});
});

it('one reason alone keeps the key of a rejected request', () => {
	expect(KNOWN_REASONS.filter((reason) => keepsItsKey(write({ reason })))).toEqual([
		'network_organization_provider_rejected',
	]);
	expect(keepsItsKey(write({}))).toBe(false);
});

it.each<[SomeFacts, boolean]>([
	[{ status: 404 }, true],
	[{ status: 400, code: 'not_found' }, true],
	[{ status: 405, code: 'method_not_allowed' }, true],
	[{ status: 409, code: 'conflict' }, false],
	[{ status: 404, networkWord: undefined }, false],
	[{ status: 404, reason: 'network_organization_not_found' }, false],
])('a path with the word of the network is unknown by %j: %s', (more, expected) => {
	const facts = write({ networkWord: 'pronet', ...more });
	expect(isUnknownPath(facts)).toBe(expected);
});

it.each<[SomeFacts, boolean]>([
	...[400, 401, 403, 404, 409, 410].map((status): [object, boolean] => [{ status }, true]),
	...[402, 413, 500, undefined].map((status): [object, boolean] => [{ status }, false]),
	[{ status: 403, kind: 'redirected' }, false],
	[{ status: 403, endpoint: 'media.createUploadUrl' }, false],
])('whether another upload URL may help after %j: %p', (more, may) => {
	const facts = write({ endpoint: 'media.upload', ...more });
	expect(mayNeedNewUploadUrl(facts)).toBe(may);
});

it.each([
	['stale_provider_version', 'stale_provider_version'],
	['pronet_organization_stale', 'organization_stale'],
	['brand_new', undefined],
	['pronet_toString', undefined],
	['toString', undefined],
	[undefined, undefined],
])('the reason %p is known as %p', (reason, known) => {
	expect(knownReason(reason)).toBe(known);
});
