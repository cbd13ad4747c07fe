/**
 * How a request is handed to n8n, what ends it, and what is known when no response comes: whether the
 * request can have arrived.
 */
import { getEventListeners } from 'node:events';

import type { Problem } from '../../nodes/LeadGenPublishing/api/problems';
import { detailsOf } from '../../nodes/LeadGenPublishing/words/errorDetails';
import { lost } from '../support/replies';
import {
	factsOf,
	read,
	readInfo,
	scriptedClient,
	untilItEnds,
	write,
	type Asking,
} from './scriptedN8n';

const NO_TUNNEL = 'Proxy connection ended before receiving CONNECT response';
const KEY = 's3cret-key-0000';
const credential = { apiKey: KEY };
const ONCE = { retry: { maxWaitMs: 0 } };
const connected = async (thrown: unknown, settings: object = ONCE) =>
	await scriptedClient({
		...{ credential, settings },
		// Whatever is thrown, an error or not.
		answers: async () => await Promise.reject(thrown as Error),
	});
const named = (name: string, more: object = {}) =>
	Object.assign(new Error(`Why, ${KEY}`), { name, ...more });
/** As HTTP clients wrap them: what is known stands in one of the causes. */
const nested = (depth: number, cause: object): object =>
	depth === 0 ? cause : { cause: nested(depth - 1, cause) };

afterEach(() => {
	jest.useRealTimers();
});

it('hands over a request as the service needs it', async () => {
	for (const ask of [read, readInfo]) {
		const { client, sent } = await scriptedClient();
		await ask(client);
		expect(sent[0]).toMatchObject({
			...{ encoding: 'stream', json: false, returnFullResponse: true, timeout: 30_000 },
			...{ ignoreHttpStatusErrors: true, disableFollowRedirect: true, withKey: ask === read },
		});
		expect(sent[0]).not.toHaveProperty('body');
	}
});

describe.each<[string, Asking]>([
	['with the key', read],
	['without it', readInfo],
])('a request %s', (_, ask) => {
	it('is ended with the execution, and is not sent once that was cancelled', async () => {
		const ending = new AbortController();
		const settings = { signal: ending.signal };
		const { client, sent } = await scriptedClient({ answers: untilItEnds, settings });
		const outcome = ask(client);
		await new Promise(setImmediate);
		expect(sent[0]?.abortSignal?.aborted).toBe(false);
		ending.abort();
		expect(sent[0]?.abortSignal?.aborted).toBe(true);
		// The word by which n8n recognises it.
		await expect(outcome).rejects.toThrow('canceled');
		await expect(ask(client)).rejects.toThrow('canceled');
		expect(sent).toHaveLength(1);
	});

	it('leaves no connection open once it has timed out', async () => {
		const never = async () => await new Promise<never>(() => undefined);
		const settings = { ...ONCE, timeoutMs: 1 };
		const { client, sent } = await scriptedClient({ answers: never, settings });
		expect(await factsOf(ask(client))).toMatchObject({ kind: 'unreachable', problem: 'timedOut' });
		expect(sent[0]?.abortSignal?.aborted).toBe(true);
	});
});

it('is ended by whoever does not want it any more', async () => {
	const [ending, run] = [new AbortController(), new AbortController()];
	const settings = { signal: run.signal };
	const { client, sent } = await scriptedClient({ answers: untilItEnds, settings });
	const outcome = client.call('account.getSubject', { givenUp: ending.signal });
	await new Promise(setImmediate);
	ending.abort();
	expect(sent[0]?.abortSignal?.aborted).toBe(true);
	await expect(outcome).rejects.toThrow('no longer needed');
});

it('leaves nothing behind at the signals that could have ended it', async () => {
	const [ending, run] = [new AbortController(), new AbortController()];
	const { client, sent } = await scriptedClient({ settings: { signal: run.signal } });
	for (let times = 0; times < 3; times += 1)
		await client.call('account.getSubject', { givenUp: ending.signal });
	expect(sent).toHaveLength(3);
	for (const { signal } of [ending, run]) expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('is not sent if nobody wants it any more', async () => {
	const ending = new AbortController();
	const { client, sent } = await scriptedClient();
	const asked = client.call('account.getSubject', {
		givenUp: ending.signal,
		mayBegin: () => {
			ending.abort();
			return true;
		},
	});
	await expect(asked).rejects.toThrow('no longer needed');
	expect(sent).toHaveLength(0);
});

it('ends a moment after its time where n8n does not end it, and leaves no timer behind', async () => {
	jest.useFakeTimers();
	const never = async () => await new Promise<never>(() => undefined);
	const settings = { ...ONCE, timeoutMs: 1_000 };
	const outcomes: unknown[] = [];
	void factsOf(read((await scriptedClient({ answers: never, settings })).client)).then(
		({ problem }) => outcomes.push(problem),
	);
	await jest.advanceTimersByTimeAsync(1_249);
	expect(outcomes).toEqual([]);
	await jest.advanceTimersByTimeAsync(1);
	expect(outcomes).toEqual(['timedOut']);
	await read((await scriptedClient()).client);
	expect(jest.getTimerCount()).toBe(0);
});

describe('no response', () => {
	/** Where no connection was made, nothing can have arrived. */
	it.each<[problem: Problem, codes: string, isSafe?: boolean]>([
		['connectionRefused', 'ECONNREFUSED', true],
		['hostNotFound', 'ENOTFOUND EAI_NODATA EAI_NONAME', true],
		['hostNotResolved', 'EAI_AGAIN EAI_FAIL EAI_MEMORY', true],
		['connectionReset', 'ECONNRESET EPIPE ENOTCONN'],
		['timedOut', 'ECONNABORTED ETIMEDOUT ESOCKETTIMEDOUT ERR_CANCELED'],
		['networkUnreachable', 'EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN ENONET ERR_NETWORK'],
		['tooManyConnections', 'EMFILE ENFILE ENOBUFS ENOMEM'],
		['addressUnavailable', 'EADDRNOTAVAIL EADDRINUSE EAFNOSUPPORT'],
		['notPermitted', 'EACCES EPERM'],
		['damagedResponse', 'ERR_BAD_RESPONSE HPE_INVALID_CONSTANT HPE_HEADER_OVERFLOW UND_ERR_SOCKET'],
		[
			'undecodable',
			'Z_DATA_ERROR Z_BUF_ERROR ERR__ERROR_FORMAT_PADDING_1 ZSTD_error_prefix_unknown',
		],
		['tooLarge', 'ERR_STRING_TOO_LONG'],
		['noTls', 'EPROTO'],
		// As Node and OpenSSL call them.
		['certificateRejected', 'CERT_HAS_EXPIRED CERT_UNTRUSTED ERR_TLS_CERT_ALTNAME_INVALID', true],
		['certificateRejected', 'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN', true],
		['certificateRejected', 'SELF_SIGNED UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
		['certificateRejected', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', true],
		['tlsFailed', 'ERR_SSL_WRONG_VERSION_NUMBER ERR_TLS_HANDSHAKE_TIMEOUT'],
	])('is taken for %s: %s', async (problem, codes, isSafe = false) => {
		for (const code of codes.split(' '))
			for (const thrown of [lost(code), nested(4, { code })]) {
				const facts = await factsOf(write((await connected(thrown)).client));
				expect([code, facts.kind, facts.problem, facts.seen]).toEqual([
					...[code, 'unreachable', problem, undefined],
				]);
				expect([code, facts.uncertain]).toEqual([code, !isSafe]);
			}
	});

	const ALIKE =
		'ECONNREFUSED ENOTFOUND EPIPE ETIMEDOUT ERR_NETWORK EMFILE EADDRINUSE EPERM EPROTO ' +
		'ERR_BAD_RESPONSE ERR_STRING_TOO_LONG';

	it.each(ALIKE.split(' '))('is not taken for what is only called like %s', async (code) => {
		for (const alike of [`X${code}`, `${code}_X`]) {
			const facts = await factsOf(write((await connected(lost(alike))).client));
			expect([facts.problem, facts.seen, facts.uncertain]).toEqual([undefined, alike, true]);
		}
	});

	const opening = (code: string, syscall = 'connect') => ({ code, syscall });
	const CODES =
		'EMFILE ENFILE EADDRNOTAVAIL ENETDOWN ENETUNREACH EHOSTUNREACH EPERM EACCES ETIMEDOUT ' +
		'EINVAL EAI_NODATA EAFNOSUPPORT ENOBUFS ENOMEM ECONNRESET EBUSY';

	it.each(CODES.split(' '))(
		'of a connection that could not be opened was never sent: %s',
		async (code) => {
			for (const thrown of [
				Object.assign(new Error('odd'), opening(code)),
				...['getaddrinfo', 'socket', 'bind'].map((call) => nested(2, opening(code, call))),
				// As Node does if a host has several addresses.
				{ name: 'AggregateError', code, errors: [opening(code), opening('ECONNREFUSED')] },
			])
				for (const ask of [read, write]) {
					const facts = await factsOf(ask((await connected(thrown)).client));
					expect(facts).toMatchObject({
						...{ kind: 'unreachable', neverSent: true, uncertain: false, retryable: true },
					});
					expect(facts.problem).toBeDefined();
				}
		},
	);

	it('was perhaps sent if one of several connections got further', async () => {
		for (const errors of [[opening('ETIMEDOUT'), opening('ECONNRESET', 'read')], [], 'odd']) {
			const thrown = { code: 'ECONNRESET', errors };
			const facts = await factsOf(write((await connected(thrown)).client));
			expect([facts.neverSent, facts.uncertain]).toEqual([undefined, true]);
		}
		const facts = await factsOf(
			write((await connected(Object.assign(lost('ECONNRESET'), { syscall: 'read' }))).client),
		);
		expect([facts.neverSent, facts.uncertain]).toEqual([undefined, true]);
	});

	it.each<[unknown, Problem]>([
		...[
			'socket hang up',
			'The request was aborted',
			'timeout of 5000ms exceeded',
			'Network Error',
		].map((message): [unknown, Problem] => [new Error(message), 'lost']),
		// The outermost code counts.
		[Object.assign(lost('ECONNRESET'), { cause: { code: 'ENOTFOUND' } }), 'connectionReset'],
		[Object.assign(lost('own'), { cause: { code: 'ENOTFOUND' } }), 'hostNotFound'],
	])('is %p, which is taken for %s', async (thrown, problem) => {
		expect((await factsOf(read((await connected(thrown)).client))).problem).toBe(problem);
	});

	const round: { cause?: unknown } = {};
	round.cause = round;

	/** Its words are quoted, and it counts as lost: nothing falls through. */
	it.each<[unknown, string]>([
		[new Error(`Bad header: Bearer ${KEY}`), 'Bad header: Bearer [hidden]'],
		[named('TypeError', { config: { headers: KEY } }), 'Why, [hidden]'],
		[new Error('SsrfBlockedIpError was here'), 'SsrfBlockedIpError was here'],
		[lost('invalid_input'), 'odd'],
		// Like a code inside of a word, a name that every object has, and no text.
		[lost('XHPE_'), 'XHPE_'],
		[lost('constructor'), 'odd'],
		[Object.assign(new Error('odd'), { code: 500 }), 'odd'],
		// Too deep to be looked for, or endless.
		...[nested(5, { code: 'ECONNRESET' }), nested(5, { name: 'SsrfBlockedIpError' }), round].map(
			(thrown): [unknown, string] => [thrown, 'unknown error'],
		),
		...['ECONNRESET', undefined, null].map((thrown): [unknown, string] => [
			thrown,
			'unknown error',
		]),
	])('that %p stands for may have been sent', async (...[thrown, words]) => {
		const facts = await factsOf(write((await connected(thrown)).client));
		expect([facts.kind, facts.problem, facts.seen]).toEqual(['unreachable', undefined, words]);
		expect([facts.uncertain, facts.retryable]).toEqual([true, true]);
		expect(facts.requestId).toMatch(/^n8n:run:/);
	});

	it('that was ended is told as such, whatever the error says', async () => {
		for (const [name, words] of [
			['run', 'canceled'],
			['givenUp', 'no longer needed'],
		] as const) {
			const ending = new AbortController();
			const answers = async () => {
				ending.abort();
				return await Promise.reject<never>(lost('ECONNRESET'));
			};
			const settings = name === 'run' ? { signal: ending.signal } : {};
			const { client } = await scriptedClient({ answers, settings });
			const givenUp = name === 'run' ? undefined : ending.signal;
			await expect(client.call('account.getSubject', { givenUp })).rejects.toThrow(words);
		}
	});
});

const SSRF = { problem: 'ssrfProtection' };
it.each<[string, Error, object]>([
	['to an address', named('SsrfBlockedIpError'), SSRF],
	['to a host', named('SsrfBlockedHostnameError', { code: 'ECONNRESET' }), SSRF],
	['as the node gets it', named('NodeApiError', { cause: named('SsrfBlockedIpError') }), SSRF],
	[
		'without credential',
		named('CredentialDataError', { code: 'ETIMEDOUT' }),
		{ seen: 'Why, [hidden]' },
	],
	['with a key for elsewhere', named('InputError'), { seen: 'Why, [hidden]' }],
	[
		'to another domain',
		new Error('Domain not allowed: x.example'),
		{ seen: 'Domain not allowed: x.example' },
	],
	['through no proxy', new TypeError('Invalid URL'), { seen: 'Invalid URL' }],
	['through a proxy that lets none pass', new Error(NO_TUNNEL), { seen: NO_TUNNEL }],
])('what n8n itself does not send %s was certainly not sent', async (_, thrown, why) => {
	expect(await factsOf(write((await connected(thrown)).client))).toMatchObject({
		...{ kind: 'prevented', uncertain: false, retryable: false },
		...why,
	});
});

it.each<[string, Error, code: string, retryable?: boolean]>([
	['a refused address', named('SsrfBlockedIpError'), 'not_sent'],
	['a domain that is not allowed', new Error('Domain not allowed: api.example.com'), 'not_sent'],
	['a proxy that is away', lost('ECONNREFUSED'), 'unreachable', true],
	['a bare timeout', new Error('timeout of 5 ms exceeded'), 'unreachable', true],
])('the details are whole after %s', async (...[, thrown, code, retryable = false]) => {
	const { client } = await connected(thrown);
	expect(detailsOf(await read(client).catch((error: unknown) => error))).toMatchObject({
		...{ http_status: null, reason: null, code, retryable },
		// Ours: n8n has no other.
		request_id: expect.stringMatching(/^n8n:run:/) as string,
	});
});
