/** What the user reads of a connection that failed, and whether the request can have arrived. */
import { detailsOf } from '../../nodes/LeadGenPublishing/api/errors';
import {
	NEVER_SENT,
	networkCode,
	preventedBy,
	readNoAnswer,
	unknownError,
} from '../../nodes/LeadGenPublishing/api/networkFailure';
import { throwIfCanceled, throwIfGivenUp } from '../../nodes/LeadGenPublishing/api/transport';
import { lost, scriptedClient } from './scriptedN8n';

const TLS = 'the TLS certificate was not accepted';
const DAMAGED = 'damaged answer';
const LOST = 'connection lost';

const withCode = (code: unknown, more: object = {}) =>
	Object.assign(new Error('odd'), { code, ...more });
/** As HTTP clients wrap them: the code stands in one of the causes. */
const nested = (depth: number, code: string): object =>
	depth === 0 ? { code } : { cause: nested(depth - 1, code) };

const nestedName = (depth: number): object =>
	depth === 0 ? { name: 'SsrfBlockedIpError' } : { cause: nestedName(depth - 1) };

it.each([
	['ECONNREFUSED', 'connection refused'],
	['ECONNRESET', 'connection reset'],
	['ECONNABORTED', 'timed out'],
	['ETIMEDOUT', 'timed out'],
	['ERR_CANCELED', 'timed out'],
	['ENOTFOUND', 'host name not found'],
	['EAI_AGAIN', 'host name not resolved'],
	['EPIPE', 'connection closed'],
	['EHOSTUNREACH', 'host not reachable'],
	['ENETUNREACH', 'network not reachable'],
	['ERR_NETWORK', 'network error'],
	['ERR_BAD_RESPONSE', DAMAGED],
	['EPROTO', 'no TLS at this address'],
	// As Node and OpenSSL call them.
	['CERT_HAS_EXPIRED', TLS],
	['CERT_UNTRUSTED', TLS],
	['ERR_TLS_CERT_ALTNAME_INVALID', TLS],
	['ERR_SSL_WRONG_VERSION_NUMBER', TLS],
	['ERR_TLS_HANDSHAKE_TIMEOUT', TLS],
	['DEPTH_ZERO_SELF_SIGNED_CERT', TLS],
	['SELF_SIGNED_CERT_IN_CHAIN', TLS],
	['SELF_SIGNED', TLS],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', TLS],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', TLS],
	['HPE_INVALID_CONSTANT', DAMAGED],
	['HPE_HEADER_OVERFLOW', DAMAGED],
	['UND_ERR_SOCKET', DAMAGED],
])('%s: %s', (code, words) => {
	expect(networkCode(withCode(code))).toBe(words);
	expect(networkCode(nested(3, code))).toBe(words);
});

it.each([
	['socket hang up', LOST],
	['The request was aborted', LOST],
	['timeout of 5000ms exceeded', LOST],
	['The connection was aborted, perhaps the server is offline', LOST],
	['Network Error', LOST],
	['Cannot read properties of undefined', undefined],
	['', undefined],
])('an error that says "%s" is %s', (message, words) => {
	expect(networkCode(new Error(message))).toBe(words);
});

it.each([
	['a code of ours', withCode('invalid_input')],
	['a code that is like one inside of a word', withCode('XHPE_')],
	['a name that every object has', withCode('constructor')],
	['a code that is no text', withCode(500)],
	['text', 'ECONNRESET'],
	['nothing', undefined],
	['null', null],
	['a cause too deep to be looked for', nested(5, 'ECONNRESET')],
])('%s is no failure of the network', (_, error) => {
	expect(networkCode(error)).toBeUndefined();
});

it('the outermost code counts, and a cause of itself ends', () => {
	expect(networkCode(withCode('ECONNRESET', { cause: { code: 'ENOTFOUND' } }))).toBe(
		'connection reset',
	);
	expect(networkCode(withCode('own', { cause: { code: 'ENOTFOUND' } }))).toBe(
		'host name not found',
	);
	const round: { cause?: unknown } = {};
	round.cause = round;
	expect(networkCode(round)).toBeUndefined();
	expect(networkCode(nested(4, 'EPIPE'))).toBe('connection closed');
});

it('only where no connection was made, nothing can have arrived', () => {
	expect([...NEVER_SENT].sort()).toEqual([
		'connection refused',
		'host name not found',
		'host name not resolved',
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
		[
			'through a proxy that lets none pass',
			new Error('Proxy connection ended before receiving CONNECT response'),
			'Proxy connection ended before receiving CONNECT response',
		],
		['or perhaps does', named('TypeError'), undefined],
		['or perhaps does, and fails', named('AxiosError', { code: 'ECONNRESET' }), undefined],
		['says the message alone', new Error('SsrfBlockedIpError was here'), undefined],
		['deep down', nestedName(5), undefined],
		['without an error', undefined, undefined],
	])('%s', (_, error, words) => {
		expect(preventedBy(error, ['s3cret-key'])).toBe(words);
	});

	it('certainly was not, and is not for a while', () => {
		expect(readNoAnswer({ network: BLOCKED, prevented: true })).toEqual({
			outcome: { kind: 'unreachable', neverSent: true, prevented: true },
			facts: { kind: 'notSent', code: 'not_sent', seen: BLOCKED },
		});
		expect(readNoAnswer({ network: 'connection lost' })).toEqual({
			outcome: { kind: 'unreachable', neverSent: false },
			facts: { kind: 'unreachable', seen: 'connection lost' },
		});
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

	it.each<[string, Error, { code: string; retryable: boolean }]>([
		['a refused address', named('SsrfBlockedIpError'), { code: 'not_sent', retryable: false }],
		[
			'a credential that allows other domains only',
			new Error('Domain not allowed: api.example.com'),
			{ code: 'n8n_error', retryable: false },
		],
		['no credential', named('CredentialDataError'), { code: 'not_sent', retryable: false }],
		[
			'a proxy without address',
			new TypeError('Invalid URL'),
			{ code: 'not_sent', retryable: false },
		],
		[
			'a proxy that lets none pass',
			new Error('Proxy connection ended before receiving CONNECT response'),
			{ code: 'not_sent', retryable: false },
		],
		['a proxy that is away', lost('ECONNREFUSED'), { code: 'unreachable', retryable: true }],
		['a time limit', lost('ECONNABORTED'), { code: 'unreachable', retryable: true }],
		[
			'a bare timeout',
			new Error('timeout of 5 ms exceeded'),
			{ code: 'unreachable', retryable: true },
		],
		['something new', new Error('Odd'), { code: 'n8n_error', retryable: false }],
	])('are whole: %s', async (_, thrown, told) => {
		const { client } = await scriptedClient({ answers: [thrown] });
		const failure: unknown = await client
			.call('account.getSubject')
			.catch((error: unknown) => error);
		expect(detailsOf(failure)).toMatchObject({
			...{ http_status: null, reason: null },
			// Ours: n8n has no other.
			request_id: told.code === 'n8n_error' ? null : (expect.stringMatching(/^n8n:run:/) as string),
			...told,
		});
	});
});
