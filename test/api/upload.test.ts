/**
 * The file goes to the storage once, without the key, and what the storage says is read as its own.
 */
import { PassThrough } from 'node:stream';

import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import type { HttpFunctions } from '../../nodes/LeadGenPublishing/api/transport';
import { putFile } from '../../nodes/LeadGenPublishing/api/upload';
import { lost } from './scriptedN8n';

const TARGET = {
	url: 'https://storage.example.com/up?token=t0ken-secret',
	secrets: ['t0ken-secret'],
};

async function put(
	answer: unknown,
	{
		body = Buffer.from('a file') as object,
		agency = false,
		signal,
	}: { body?: object; agency?: boolean; signal?: AbortSignal } = {},
) {
	const sent: unknown[] = [];
	const functions = {
		getExecutionCancelSignal: () => signal,
		helpers: {
			httpRequest: async (http: unknown) => {
				sent.push(http);
				return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
			},
		},
	} as unknown as HttpFunctions;
	const open = jest.fn(async () => await Promise.resolve(body));
	const file = { size: 6, contentType: 'image/png', open };
	const error: unknown = await putFile(functions, { target: TARGET, file, agency }).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	return {
		error,
		sent,
		opened: open.mock.calls,
		facts: error instanceof ApiFailure ? error.facts : undefined,
	};
}
const refused = async (statusCode: number, more: object = {}) =>
	(await put({ statusCode, headers: {}, ...more })).facts;

it('is sent as it is, with its type and size, and nothing else', async () => {
	const { error, sent } = await put({ statusCode: 200 });
	expect(error).toBeUndefined();
	expect(sent).toEqual([
		expect.objectContaining({
			...{ method: 'PUT', url: TARGET.url, body: Buffer.from('a file'), timeout: 300_000 },
			headers: { 'Content-Type': 'image/png', 'Content-Length': 6 },
			disableFollowRedirect: true,
		}),
	]);
});

it.each([
	[199, 'answered'],
	[200, undefined],
	[299, undefined],
	[300, 'redirected'],
	[399, 'redirected'],
	[400, 'answered'],
	[503, 'answered'],
])('HTTP %i is %s', async (status, kind) => {
	expect((await refused(status))?.kind).toBe(kind);
});

it('a refusal says all that is known of it', async () => {
	const { facts } = await put(
		{
			statusCode: 503,
			headers: {
				'retry-after': 'Tue, 01 Jan 2030 00:01:00 GMT',
				date: 'Tue, 01 Jan 2030 00:00:50 GMT',
			},
			body: '{"message":"No t0ken-secret at https://storage.example.com/up"}',
		},
		{ agency: true },
	);
	expect(facts).toEqual({
		...{ kind: 'answered', endpoint: 'media.upload', agency: true, status: 503 },
		...{ code: 'storage_error', serviceMessage: 'No [hidden] at [address hidden]' },
		...{ retryAfterMs: 10_000, retryable: true, attempts: 1, uncertain: false },
	});
	expect(await refused(403)).toMatchObject({ agency: false, retryable: false });
});

it('what is no answer of HTTP is a refusal', async () => {
	expect((await put('odd')).facts).toMatchObject({ kind: 'answered', status: 0 });
	expect((await put(null)).facts?.status).toBe(0);
	expect((await put({ statusCode: '200', headers: 'odd' })).facts?.status).toBe(0);
	expect((await put({ statusCode: 503, headers: null })).facts?.retryAfterMs).toBeUndefined();
});

it.each<[string, unknown, number]>([
	['as text', '{"statusCode":"409"}', 409],
	['parsed', { statusCode: 403 }, 403],
	['its own', { statusCode: 400 }, 400],
	['the lowest of others', { statusCode: 401 }, 401],
	['the highest', { statusCode: 599 }, 599],
	['that is no refusal', { statusCode: 399 }, 400],
	['that is none', { statusCode: 600 }, 400],
	['in part', { statusCode: 403.5 }, 400],
	['in words', { statusCode: 'odd' }, 400],
	['not at all', {}, 400],
	['no JSON', '<xml/>', 400],
	['nothing', undefined, 400],
])('a 400 may name another status: %s', async (_, body, status) => {
	expect((await refused(400, { body }))?.status).toBe(status);
	// No other status does.
	expect((await refused(404, { body }))?.status).toBe(404);
});

it.each<[string, unknown, string | undefined]>([
	['in JSON', '{"message":"No space"}', 'No space'],
	['parsed', { message: 'No space' }, 'No space'],
	['blank', { message: ' ' }, undefined],
	['no text', { message: 5 }, undefined],
	['a page', '<html>', undefined],
	['a list', '["No"]', undefined],
])('its message is that of the storage: %s', async (_, body, message) => {
	expect((await refused(403, { body }))?.serviceMessage).toBe(message);
});

it('without an answer it may have come, and may be sent again', async () => {
	expect((await put(lost('ECONNRESET'))).facts).toEqual({
		...{ kind: 'unreachable', endpoint: 'media.upload', agency: false, seen: 'connection reset' },
		...{ retryable: true, attempts: 1, uncertain: false },
	});
});

it('is not sent again where n8n itself has not let it out', async () => {
	const blocked = Object.assign(new Error('odd'), { name: 'SsrfBlockedIpError' });
	expect((await put(blocked)).facts).toEqual({
		...{ kind: 'notSent', code: 'not_sent', endpoint: 'media.upload', agency: false },
		seen: 'blocked by the SSRF protection of this n8n',
		...{ retryable: false, attempts: 1, uncertain: false },
	});
});

it('is closed in the end, however that is, where it can be', async () => {
	const closed: string[] = [];
	const body = { destroy: () => closed.push('closed') };
	await put({ statusCode: 200 }, { body });
	await put({ statusCode: 503 }, { body });
	await put(new Error('odd'), { body });
	expect(closed).toHaveLength(3);
	expect((await put({ statusCode: 200 }, { body: { destroy: 'odd' } })).error).toBeUndefined();
});

it('is not even opened once the execution was cancelled', async () => {
	const { error, opened, sent } = await put({ statusCode: 200 }, { signal: AbortSignal.abort() });
	expect(String(error)).toContain('canceled');
	expect([opened, sent]).toEqual([[], []]);
});

describe('a storage that hangs', () => {
	beforeEach(() => {
		jest.useFakeTimers();
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	/** When the attempt has ended, in seconds, and how. */
	async function hang(body: object, size: number) {
		const ended: AbortSignal[] = [];
		const functions = {
			helpers: {
				httpRequest: async ({ abortSignal }: { abortSignal: AbortSignal }) => {
					ended.push(abortSignal);
					return await new Promise(() => undefined);
				},
			},
		} as unknown as HttpFunctions;
		const file = { size, contentType: 'image/png', open: async () => await Promise.resolve(body) };
		const outcome: { at?: number; error?: unknown } = {};
		const begin = Date.now();
		void putFile(functions, { target: TARGET, file, agency: false }).catch((error: unknown) => {
			Object.assign(outcome, { error, at: (Date.now() - begin) / 1_000 });
		});
		await jest.advanceTimersByTimeAsync(0);
		return { outcome, isEnded: () => ended[0]?.aborted };
	}

	it('is not waited for when it has taken nothing for 30 seconds', async () => {
		const body = new PassThrough();
		const { outcome, isEnded } = await hang(body, 5_000_000);
		for (const event of ['resume', 'resume', 'end']) {
			await jest.advanceTimersByTimeAsync(29_000);
			body.emit(event);
		}
		await jest.advanceTimersByTimeAsync(29_999);
		expect(outcome).toEqual({});
		await jest.advanceTimersByTimeAsync(1);
		expect(outcome.at).toBe(117);
		expect((outcome.error as ApiFailure).facts).toMatchObject({
			...{ kind: 'unreachable', seen: 'timed out', retryable: true },
		});
		expect(isEnded()).toBe(true);
		expect(jest.getTimerCount()).toBe(0);
	});

	it.each([
		[0, 30],
		[1_280_000, 40],
	])('has for %i bytes in memory %i seconds', async (size, seconds) => {
		const { outcome } = await hang(Buffer.from('a file'), size);
		await jest.advanceTimersByTimeAsync(seconds * 1_000 - 1);
		expect(outcome).toEqual({});
		await jest.advanceTimersByTimeAsync(1);
		expect(outcome.at).toBe(seconds);
	});
});
