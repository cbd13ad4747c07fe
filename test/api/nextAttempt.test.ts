import type { FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import {
	nextAttemptAfter,
	keepsItsKey,
	statusOfReason,
	KNOWN_CODES,
	KNOWN_REASONS,
} from '../../nodes/LeadGenPublishing/api/reasons';
import { parseDocument } from '../contract/document';

const facts = (more: Partial<FailureFacts>): FailureFacts => ({
	kind: 'answered',
	endpoint: 'post.update',
	agency: false,
	retryable: false,
	attempts: 1,
	uncertain: false,
	...more,
});

describe('the rule for further tries', () => {
	it('has a row for every reason and code of the document', () => {
		const { reasons, codes } = parseDocument();
		expect(reasons.filter((reason) => !KNOWN_REASONS.includes(reason))).toEqual([]);
		expect(codes.filter((code) => !KNOWN_CODES.includes(code))).toEqual([]);
	});

	it.each(['acme', 'my_network'])('knows the reasons of a network called %s', (word) => {
		const rejected = facts({ status: 502, reason: `${word}_organization_provider_rejected` });
		expect(nextAttemptAfter({ ...rejected, uncertain: true, keyed: true })).toBe('never');
		expect(keepsItsKey(rejected)).toBe(true);
		expect(keepsItsKey(facts({ reason: `${word}_organization_stale` }))).toBe(false);
		expect(keepsItsKey(facts({}))).toBe(false);
	});

	it.each<[string, Partial<FailureFacts>, string]>([
		[
			'a name that every object has',
			{ status: 409, code: 'conflict', reason: 'toString' },
			'never',
		],
		['a code that every object has', { status: 400, code: 'constructor' }, 'never'],
		['an unknown 4xx', { status: 418, code: 'teapot' }, 'never'],
		['a redirect', { status: 307, kind: 'redirected' }, 'never'],
		['an unknown 5xx, keyed', { status: 599, uncertain: true, keyed: true }, 'sameRequest'],
		['an unknown 5xx', { status: 599, uncertain: true }, 'checkOnly'],
		['408, keyed', { status: 408, uncertain: true, keyed: true }, 'sameRequest'],
		['no answer, keyed', { kind: 'unreachable', uncertain: true, keyed: true }, 'sameRequest'],
		['no answer', { kind: 'unreachable', uncertain: true }, 'checkOnly'],
		['no connection', { kind: 'unreachable', retryable: true }, 'again'],
		['no connection, keyed', { kind: 'unreachable', retryable: true, keyed: true }, 'sameRequest'],
		[
			'a cut answer, keyed',
			{ kind: 'unreadable', status: 200, uncertain: true, keyed: true },
			'sameRequest',
		],
		['a page of a proxy', { kind: 'unreadable', status: 403, code: 'forbidden' }, 'never'],
		['a read with 503', { endpoint: 'post.get', status: 503, retryable: true }, 'again'],
		['a read without', { endpoint: 'post.get', status: 404, code: 'not_found' }, 'never'],
		['a busy post without a key', { status: 409, reason: 'mutation_in_progress' }, 'never'],
		[
			'a busy post with a key',
			{ status: 409, reason: 'mutation_in_progress', keyed: true },
			'never',
		],
		[
			'a busy post that may have been changed',
			{ status: 409, reason: 'mutation_in_progress', keyed: true, uncertain: true },
			'checkOnly',
		],
		[
			'an ambiguous outcome that a read has settled',
			{ status: 409, reason: 'provider_ambiguous', keyed: true },
			'never',
		],
		[
			'a name that every object has, where the outcome is unknown',
			{ status: 409, code: 'conflict', reason: 'toString', uncertain: true, keyed: true },
			'never',
		],
		['what was held back', { kind: 'notSent' }, 'again'],
		['what was held back, keyed', { kind: 'notSent', keyed: true }, 'again'],
		[
			'what was held back after a lost answer',
			{ kind: 'notSent', uncertain: true, keyed: true },
			'sameRequest',
		],
		[
			'a final reason after a lost answer',
			{ status: 409, reason: 'stale_provider_version', uncertain: true },
			'never',
		],
		['throttling', { status: 429, code: 'rate_limited' }, 'again'],
		[
			'throttling after a lost answer',
			{ status: 429, code: 'rate_limited', uncertain: true },
			'again',
		],
		['an unknown 4xx, keyed', { status: 418, keyed: true }, 'never'],
		['a bare 500, keyed', { status: 500, uncertain: true, keyed: true }, 'sameRequest'],
		['an unreadable 403, keyed', { kind: 'unreadable', status: 403, keyed: true }, 'never'],
		['an unreadable 300, keyed', { kind: 'unreadable', status: 300, keyed: true }, 'never'],
		['the storage', { endpoint: 'media.upload', status: 403 }, 'again'],
	])('%s', (_, about, expected) => {
		expect(nextAttemptAfter(facts(about))).toBe(expected);
	});
});

describe('the rule for a code without a reason', () => {
	// Where the outcome is unknown, and then where the service has refused.
	it.each([
		['bad_request', 'never', 'never'],
		['unauthorized', 'never', 'never'],
		['forbidden', 'never', 'never'],
		['not_found', 'never', 'never'],
		['conflict', 'never', 'never'],
		['method_not_allowed', 'never', 'never'],
		['not_implemented', 'never', 'never'],
		['rate_limited', 'again', 'again'],
		['internal_error', 'sameRequest', 'sameRequest'],
		['upstream_error', 'sameRequest', 'sameRequest'],
	])('is for %s, of a request with a key: %s, %s', (code, unknown, refused) => {
		const keyed = { code, keyed: true };
		expect(nextAttemptAfter(facts({ ...keyed, uncertain: true }))).toBe(unknown);
		expect(nextAttemptAfter(facts(keyed))).toBe(refused);
	});
});

it.each([
	['rate_limited', 429],
	['stale_provider_version', 409],
	['mutation_in_progress', undefined],
	['provider_attachment_mismatch', undefined],
	['something_new', undefined],
])('the reason %s says as much as the status %p', (reason, expected) => {
	expect(statusOfReason(reason)).toBe(expected);
});

describe('the rule for a reason', () => {
	// What the document says of each, where the outcome is unknown.
	const CHECKED = ['mutation_in_progress', 'provider_ambiguous'];
	const REPEATED = ['provider_attachment_mismatch'];
	const LATER = ['rate_limited'];

	it.each(KNOWN_REASONS)('is the one of the document for %s', (reason) => {
		const expected = CHECKED.includes(reason)
			? 'checkOnly'
			: REPEATED.includes(reason)
				? 'sameRequest'
				: LATER.includes(reason)
					? 'again'
					: 'never';
		expect(nextAttemptAfter(facts({ reason, keyed: true, uncertain: true }))).toBe(expected);
	});
});
