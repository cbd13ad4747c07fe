/**
 * How a request is handed to n8n, what ends it, and what is said where no answer comes: whether the
 * request can have arrived, in words without secrets.
 */
import { detailsOf } from '../../nodes/LeadGenPublishing/api/errors';
import {
	factsOf,
	lost,
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
			...{ encoding: 'text', json: false, returnFullResponse: true, timeout: 30_000 },
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
		expect(await factsOf(ask(client))).toMatchObject({ kind: 'unreachable', seen: 'timed out' });
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
	await expect(outcome).rejects.toThrow('Nobody waits');
});

it('ends a moment after its time where n8n does not end it, and leaves no timer behind', async () => {
	jest.useFakeTimers();
	const never = async () => await new Promise<never>(() => undefined);
	const settings = { ...ONCE, timeoutMs: 1_000 };
	const outcomes: unknown[] = [];
	void factsOf(read((await scriptedClient({ answers: never, settings })).client)).then(({ seen }) =>
		outcomes.push(seen),
	);
	await jest.advanceTimersByTimeAsync(1_249);
	expect(outcomes).toEqual([]);
	await jest.advanceTimersByTimeAsync(1);
	expect(outcomes).toEqual(['timed out']);
	await read((await scriptedClient()).client);
	expect(jest.getTimerCount()).toBe(0);
});

const TLS = 'the TLS certificate was not accepted';

describe('no answer', () => {
	/** Where no connection was made, nothing can have arrived. */
	it.each<[words: string, codes: string, isSafe?: boolean]>([
		['connection refused', 'ECONNREFUSED', true],
		['host name not found', 'ENOTFOUND', true],
		['host name not resolved', 'EAI_AGAIN', true],
		['connection reset', 'ECONNRESET EPIPE'],
		['timed out', 'ECONNABORTED ETIMEDOUT ERR_CANCELED'],
		['network not reachable', 'EHOSTUNREACH ENETUNREACH ERR_NETWORK'],
		['damaged answer', 'ERR_BAD_RESPONSE HPE_INVALID_CONSTANT HPE_HEADER_OVERFLOW UND_ERR_SOCKET'],
		['no TLS at this address', 'EPROTO'],
		// As Node and OpenSSL call them.
		[TLS, 'CERT_HAS_EXPIRED CERT_UNTRUSTED ERR_TLS_CERT_ALTNAME_INVALID SELF_SIGNED', true],
		[TLS, 'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN', true],
		[TLS, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY', true],
		['the TLS connection failed', 'ERR_SSL_WRONG_VERSION_NUMBER ERR_TLS_HANDSHAKE_TIMEOUT'],
	])('is told as %s: %s', async (words, codes, isSafe = false) => {
		for (const code of codes.split(' '))
			for (const thrown of [lost(code), nested(4, { code })]) {
				const facts = await factsOf(write((await connected(thrown)).client));
				expect([code, facts.kind, facts.seen]).toEqual([code, 'unreachable', words]);
				expect([code, facts.uncertain]).toEqual([code, !isSafe]);
			}
	});

	it.each<[unknown, string]>([
		...[
			'socket hang up',
			'The request was aborted',
			'timeout of 5000ms exceeded',
			'Network Error',
		].map((message): [unknown, string] => [new Error(message), 'connection lost']),
		// The outermost code counts.
		[Object.assign(lost('ECONNRESET'), { cause: { code: 'ENOTFOUND' } }), 'connection reset'],
		[Object.assign(lost('own'), { cause: { code: 'ENOTFOUND' } }), 'host name not found'],
	])('is %p, which is told as "%s"', async (thrown, words) => {
		expect((await factsOf(read((await connected(thrown)).client))).seen).toBe(words);
	});

	const round: { cause?: unknown } = {};
	round.cause = round;

	it.each<[unknown, string?]>([
		[new Error(`Bad header: Bearer ${KEY}`), 'Bad header: Bearer [hidden]'],
		[named('TypeError', { config: { headers: KEY } }), 'Why, [hidden]'],
		[new Error('SsrfBlockedIpError was here'), 'SsrfBlockedIpError was here'],
		[lost('invalid_input'), 'odd'],
		// Like a code inside of a word, a name that every object has, and no text.
		[lost('XHPE_'), 'odd'],
		[lost('constructor'), 'odd'],
		[Object.assign(new Error('odd'), { code: 500 }), 'odd'],
		// Too deep to be looked for, or endless.
		...[nested(5, { code: 'ECONNRESET' }), nested(5, { name: 'SsrfBlockedIpError' }), round].map(
			(thrown): [unknown] => [thrown],
		),
		...['ECONNRESET', undefined, null].map((thrown): [unknown] => [thrown]),
	])('is not why %p was thrown, which keeps its words alone', async (...[thrown, words]) => {
		const { client, sent } = await connected(thrown);
		const error = await read(client).catch((other: unknown) => other as Error);
		expect([error, Object.keys(error as object)]).toEqual([
			new Error(words ?? 'Unknown error'),
			[],
		]);
		expect(sent).toHaveLength(1);
	});

	it('that was ended is told as such, whatever the error says', async () => {
		for (const [name, words] of [
			['run', 'canceled'],
			['givenUp', 'Nobody waits'],
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

it.each<[string, Error, string]>([
	['to an address', named('SsrfBlockedIpError'), 'blocked by the SSRF protection of this n8n'],
	[
		'to a host',
		named('SsrfBlockedHostnameError', { code: 'ECONNRESET' }),
		'blocked by the SSRF protection of this n8n',
	],
	[
		'as the node gets it',
		named('NodeApiError', { cause: named('SsrfBlockedIpError') }),
		'blocked by the SSRF protection of this n8n',
	],
	['without credential', named('CredentialDataError', { code: 'ETIMEDOUT' }), 'Why, [hidden]'],
	['with a key for elsewhere', named('InputError'), 'Why, [hidden]'],
	['through no proxy', new TypeError('Invalid URL'), 'Invalid URL'],
	['through a proxy that lets none pass', new Error(NO_TUNNEL), NO_TUNNEL],
])('what n8n itself does not send %s was certainly not sent', async (_, thrown, seen) => {
	expect(await factsOf(write((await connected(thrown)).client))).toMatchObject({
		...{ kind: 'notSent', code: 'not_sent', seen, uncertain: false, retryable: false },
	});
});

it.each<[string, Error, code: string, retryable?: boolean]>([
	['a refused address', named('SsrfBlockedIpError'), 'not_sent'],
	['a domain that is not allowed', new Error('Domain not allowed: api.example.com'), 'n8n_error'],
	['a proxy that is away', lost('ECONNREFUSED'), 'unreachable', true],
	['a bare timeout', new Error('timeout of 5 ms exceeded'), 'unreachable', true],
])('the details are whole after %s', async (...[, thrown, code, retryable = false]) => {
	const { client } = await connected(thrown);
	expect(detailsOf(await read(client).catch((error: unknown) => error))).toMatchObject({
		...{ http_status: null, reason: null, code, retryable },
		// Ours: n8n has no other.
		request_id: code === 'n8n_error' ? null : (expect.stringMatching(/^n8n:run:/) as string),
	});
});
