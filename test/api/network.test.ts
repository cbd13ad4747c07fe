/** What the user reads of a connection that failed, and whether the request can have arrived. */
import { detailsOf } from '../../nodes/LeadGenPublishing/api/errors';
import {
	NEVER_SENT,
	networkCode,
	preventedBy,
	noAnswerOf,
	unknownError,
} from '../../nodes/LeadGenPublishing/api/networkFailure';
import { throwIfCanceled, throwIfGivenUp } from '../../nodes/LeadGenPublishing/api/transport';
import { lost, scriptedClient } from './scriptedN8n';

const TLS = 'the TLS certificate was not accepted';
const NO_TUNNEL = 'Proxy connection ended before receiving CONNECT response';

const withCode = (code: unknown, more: object = {}) =>
	Object.assign(new Error('odd'), { code, ...more });
/** As HTTP clients wrap them: the code stands in one of the causes. */
const nested = (depth: number, code: string): object =>
	depth === 0 ? { code } : { cause: nested(depth - 1, code) };

const nestedName = (depth: number): object =>
	depth === 0 ? { name: 'SsrfBlockedIpError' } : { cause: nestedName(depth - 1) };

it.each<[words: string, codes: string]>([
	['connection refused', 'ECONNREFUSED'],
	['connection reset', 'ECONNRESET'],
	['timed out', 'ECONNABORTED ETIMEDOUT ERR_CANCELED'],
	['host name not found', 'ENOTFOUND'],
	['host name not resolved', 'EAI_AGAIN'],
	['connection closed', 'EPIPE'],
	['host not reachable', 'EHOSTUNREACH'],
	['network not reachable', 'ENETUNREACH'],
	['network error', 'ERR_NETWORK'],
	['damaged answer', 'ERR_BAD_RESPONSE HPE_INVALID_CONSTANT HPE_HEADER_OVERFLOW UND_ERR_SOCKET'],
	['no TLS at this address', 'EPROTO'],
	// As Node and OpenSSL call them.
	[TLS, 'CERT_HAS_EXPIRED CERT_UNTRUSTED ERR_TLS_CERT_ALTNAME_INVALID SELF_SIGNED'],
	[TLS, 'ERR_SSL_WRONG_VERSION_NUMBER ERR_TLS_HANDSHAKE_TIMEOUT DEPTH_ZERO_SELF_SIGNED_CERT'],
	[TLS, 'SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
	[TLS, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
])('%s: %s', (words, codes) => {
	for (const code of codes.split(' ')) {
		expect([code, networkCode(withCode(code))]).toEqual([code, words]);
		expect(networkCode(nested(4, code))).toBe(words);
	}
});

it.each<[unknown, string?]>([
	[new Error('socket hang up'), 'connection lost'],
	[new Error('The request was aborted'), 'connection lost'],
	[new Error('timeout of 5000ms exceeded'), 'connection lost'],
	[new Error('The connection was aborted, perhaps the server is offline'), 'connection lost'],
	[new Error('Network Error'), 'connection lost'],
	[new Error('Cannot read properties of undefined')],
	[new Error('')],
	[withCode('invalid_input')],
	// Like a code inside of a word, a name that every object has, and no text.
	[withCode('XHPE_')],
	[withCode('constructor')],
	[withCode(500)],
	['ECONNRESET'],
	[undefined],
	[null],
	// Too deep to be looked for.
	[nested(5, 'ECONNRESET')],
	// The outermost code counts.
	[withCode('ECONNRESET', { cause: { code: 'ENOTFOUND' } }), 'connection reset'],
	[withCode('own', { cause: { code: 'ENOTFOUND' } }), 'host name not found'],
])('the error %p is told as %p', (...[error, words]) => {
	expect(networkCode(error)).toBe(words);
});

it('a cause of itself ends', () => {
	const round: { cause?: unknown } = {};
	round.cause = round;
	expect(networkCode(round)).toBeUndefined();
});

it('only where no connection was made, nothing can have arrived', () => {
	expect([...NEVER_SENT].sort()).toEqual([
		...['connection refused', 'host name not found', 'host name not resolved'],
	]);
});

describe('a request that n8n itself does not send', () => {
	const BLOCKED = 'blocked by the SSRF protection of this n8n';
	const named = (name: string, more: object = {}) =>
		Object.assign(new Error('Why, s3cret-key'), { name, ...more });

	it.each<[string, unknown, string | undefined]>([
		['to an address', named('SsrfBlockedIpError'), BLOCKED],
		['to a host', named('SsrfBlockedHostnameError', { code: 'ECONNRESET' }), BLOCKED],
		['as the node gets it', named('NodeApiError', { cause: named('SsrfBlockedIpError') }), BLOCKED],
		['without credential', named('CredentialDataError', { code: 'ETIMEDOUT' }), 'Why, [hidden]'],
		['with a key for elsewhere', named('InputError'), 'Why, [hidden]'],
		['through no proxy', new TypeError('Invalid URL'), 'Invalid URL'],
		['through a proxy that lets none pass', new Error(NO_TUNNEL), NO_TUNNEL],
		['or perhaps does', named('TypeError'), undefined],
		['or perhaps does, and fails', named('AxiosError', { code: 'ECONNRESET' }), undefined],
		['says the message alone', new Error('SsrfBlockedIpError was here'), undefined],
		['deep down', nestedName(5), undefined],
		['without an error', undefined, undefined],
	])('%s', (_, error, words) => {
		expect(preventedBy(error, ['s3cret-key'])).toBe(words);
	});

	it('certainly was not, and is not for a while', () => {
		const seen = { kind: 'notSent', code: 'not_sent', seen: BLOCKED };
		expect(noAnswerOf(named('SsrfBlockedIpError'), [])).toEqual(seen);
		const hangUp = new Error('socket hang up');
		expect(noAnswerOf(hangUp, [])).toEqual({ kind: 'unreachable', seen: 'connection lost' });
		expect(noAnswerOf(new Error('Odd'), [])).toBeUndefined();
	});
});

it('an error of something else keeps its words alone, without secrets', () => {
	const error = Object.assign(new Error('Bad header: Bearer svc_live_00000000'), {
		config: { a: 1 },
	});
	const shown = unknownError(error, ['svc_live_00000000']);
	expect([shown.message, Object.keys(shown)]).toEqual(['Bad header: Bearer [hidden]', []]);
	expect(unknownError('svc_live_00000000', []).message).toBe('Unknown error');
});

it('stops what was cancelled, or is not wanted any more, and nothing else', () => {
	const [open, aborted] = [new AbortController(), new AbortController()];
	aborted.abort();
	for (const check of [throwIfCanceled, throwIfGivenUp]) {
		expect(() => check(undefined)).not.toThrow();
		expect(() => check(open.signal)).not.toThrow();
	}
	// The word by which n8n recognises it.
	expect(() => throwIfCanceled(aborted.signal)).toThrow(/cancell?ed/);
	expect(() => throwIfGivenUp(aborted.signal)).toThrow('Nobody waits');
});

describe('the details of what the helper of n8n throws', () => {
	const named = (name: string) => Object.assign(new Error('Why'), { name });

	it.each<[string, Error, code: string, retryable?: boolean]>([
		['a refused address', named('SsrfBlockedIpError'), 'not_sent'],
		['a domain that is not allowed', new Error('Domain not allowed: api.example.com'), 'n8n_error'],
		['no credential', named('CredentialDataError'), 'not_sent'],
		['a proxy without address', new TypeError('Invalid URL'), 'not_sent'],
		['a proxy that lets none pass', new Error(NO_TUNNEL), 'not_sent'],
		['a proxy that is away', lost('ECONNREFUSED'), 'unreachable', true],
		['a time limit', lost('ECONNABORTED'), 'unreachable', true],
		['a bare timeout', new Error('timeout of 5 ms exceeded'), 'unreachable', true],
		['something new', new Error('Odd'), 'n8n_error'],
	])('are whole: %s', async (...[, thrown, code, retryable = false]) => {
		const { client } = await scriptedClient({ answers: [thrown] });
		const failure: unknown = await client
			.call('account.getSubject')
			.catch((error: unknown) => error);
		expect(detailsOf(failure)).toMatchObject({
			...{ http_status: null, reason: null, code, retryable },
			// Ours: n8n has no other.
			request_id: code === 'n8n_error' ? null : (expect.stringMatching(/^n8n:run:/) as string),
		});
	});
});
