/**
 * The file goes to the storage once, without the key, and what the storage says is read as its own: the
 * service is left alone, too, where the storage wants to be.
 */
import { PassThrough, Readable } from 'node:stream';

import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import { readTarget } from '../../nodes/LeadGenPublishing/api/upload';
import { lost, ok, refused, throttled } from '../support/replies';
import { fieldsOf } from '../support/facts';
import { factsOf, scriptedClient, type Script } from './scriptedN8n';

const GIVEN = {
	...{ upload_url: 'https://storage.example.com/up?token=t0ken-secret', token: 't0ken-secret' },
};
const FILE = { size: 6, contentType: 'image/png' };

async function upload(
	answers: Script['answers'],
	{
		body = Buffer.from('a file') as object,
		agency = false,
		signal,
		size = FILE.size,
	}: { body?: object; agency?: boolean; signal?: AbortSignal; size?: number } = {},
) {
	const { client, sent } = await scriptedClient({ answers, settings: { signal } });
	const open = jest.fn(async () => await Promise.resolve(body));
	const account = agency
		? ({ kind: 'client', clientId: 'c' } as const)
		: ({ kind: 'own' } as const);
	const uploading = client.upload(GIVEN, { ...FILE, size, open }, account);
	return { client, sent, open, uploading };
}
/** The facts of its failure; undefined if it did not fail. */
const failed = async (answers: Script['answers'], more: Parameters<typeof upload>[1] = {}) => {
	const outcome: unknown = await (
		await upload(answers, more)
	).uploading.catch((error: unknown) => error);
	return outcome instanceof ApiFailure ? fieldsOf(outcome.facts) : outcome;
};
const stored = async (statusCode: number, body: unknown = '') =>
	await failed([{ statusCode, body }]);

it('is sent as it is, with its type and size, and nothing else', async () => {
	const { sent, uploading } = await upload([ok()]);
	await uploading;
	expect(sent).toMatchObject([
		{
			...{ method: 'PUT', url: GIVEN.upload_url, body: Buffer.from('a file'), timeout: 300_000 },
			...{ disableFollowRedirect: true, withKey: false },
		},
	]);
	expect(sent[0]?.headers).toEqual({ 'Content-Type': 'image/png', 'Content-Length': 6 });
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
	const facts = await stored(status);
	if (kind === undefined) expect(facts).toBeUndefined();
	else expect(facts).toMatchObject({ kind });
});

it('a refusal says all that is known of it', async () => {
	const [retryAfter, date] = ['Tue, 01 Jan 2030 00:01:00 GMT', 'Tue, 01 Jan 2030 00:00:50 GMT'];
	const body = '{"message":"No t0ken-secret at https://storage.example.com/up"}';
	const answer = { ...refused(503), headers: { 'retry-after': retryAfter, date }, body };
	expect(await failed([answer], { agency: true })).toEqual({
		...{ kind: 'answered', endpoint: 'media.upload', agency: true, status: 503 },
		...{ code: 'storage_error', serviceMessage: 'No [hidden] at [URL hidden]' },
		...{ retryAfterMs: 10_000, retryable: true, attempts: 1, uncertain: false },
	});
	expect(await stored(403)).toMatchObject({ agency: false, retryable: false });
});

it('what is no answer of HTTP is a refusal', async () => {
	for (const [odd, more] of [
		[{}, { status: 0, kind: 'answered' }],
		[{ statusCode: '200', headers: 'odd' }, { status: 0 }],
		[{ statusCode: 503, headers: null }, { retryAfterMs: undefined }],
	] as const)
		expect(await failed([odd as never])).toMatchObject(more);
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
])('a 400 may name another status: %s', async (_, body, status) => {
	expect(await stored(400, body)).toMatchObject({ status });
	// No other status does.
	expect(await stored(404, body)).toMatchObject({ status: 404 });
});

it.each<[string, unknown, string | undefined]>([
	['in JSON', '{"message":"No space"}', 'No space'],
	['parsed', { message: 'No space' }, 'No space'],
	['blank', { message: ' ' }, undefined],
	['no text', { message: 5 }, undefined],
	['a list', '["No"]', undefined],
])('its message is that of the storage: %s', async (_, body, serviceMessage) => {
	expect(await stored(403, body)).toMatchObject({ serviceMessage });
});

it('without an answer it may have come, and may be sent again', async () => {
	expect(await failed([lost('ECONNRESET')])).toEqual({
		...{ kind: 'unreachable', endpoint: 'media.upload', agency: false, problem: 'connectionReset' },
		...{ retryable: true, attempts: 1, uncertain: false },
	});
});

it('is not sent again where n8n itself has not let it out', async () => {
	const blocked = Object.assign(new Error('odd'), { name: 'SsrfBlockedIpError' });
	expect(await failed([blocked])).toEqual({
		...{ kind: 'prevented', endpoint: 'media.upload', agency: false },
		problem: 'ssrfProtection',
		...{ retryable: false, attempts: 1, uncertain: false },
	});
});

it('is closed in the end, however that is, where it can be', async () => {
	const body = { destroy: jest.fn() };
	for (const answer of [ok(), refused(503), new Error('odd')]) await failed([answer], { body });
	expect(body.destroy).toHaveBeenCalledTimes(3);
	expect(await failed([ok()], { body: { destroy: 'odd' } })).toBeUndefined();
});

it('is stored or refused by the status alone, whatever body comes with it', async () => {
	const broken = () =>
		Readable.from(
			(function* () {
				yield Buffer.from('half of it');
				throw new Error('odd');
			})(),
		);
	expect(await stored(503, broken())).toMatchObject({ kind: 'answered', status: 503 });
	const unread = broken();
	expect(await stored(200, unread)).toBeUndefined();
	expect(unread.destroyed).toBe(true);
});

it.each([undefined, null, 5, {}, ''])('is not sent where the service names %p for a URL', (url) => {
	const target = () => readTarget({ upload_url: url }, { baseUrl: 'https://api.example.com/v1' });
	expect(target).toThrow(ApiFailure);
});

it('is not even opened once the execution was cancelled', async () => {
	const { uploading, open, sent } = await upload([ok()], { signal: AbortSignal.abort() });
	await expect(uploading).rejects.toThrow('canceled');
	expect([open.mock.calls, sent]).toEqual([[], []]);
});

it('nothing is sent while the storage wants to be left alone, which is said', async () => {
	const { client, uploading, sent } = await upload([throttled(40, refused(429)), ok()]);
	expect(await factsOf(uploading)).toMatchObject({ status: 429, retryAfterMs: 40_000 });
	const held = await factsOf(client.call('media.createUploadUrl', { maxWaitMs: 39_000 }));
	expect([held.kind, held.host, sent.length]).toEqual(['heldBack', 'storage', 1]);
});

it.each<[string, Script['answers'], number]>([
	['503 with a time', [throttled(40, refused(503))], 40_000],
	['503 without one', [refused(503)], 0],
	['a refusal with a time', [throttled(40, refused(403))], 0],
	['a file that is taken', [ok()], 0],
])('after %s the storage wants to be left alone for %j', async (_, answers, closedMs) => {
	const { client, uploading } = await upload(answers);
	await uploading.catch(() => undefined);
	expect(client.throttledForMs()).toBe(closedMs);
});

describe('a storage that hangs', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	/** When the attempt has ended, in seconds, and how. */
	async function hang(body: object, size: number) {
		const begin = Date.now();
		const never = async () => await new Promise<never>(() => undefined);
		const { uploading, sent } = await upload(never, { body, size });
		const outcome: { at?: number; error?: unknown } = {};
		void uploading.catch((error: unknown) => {
			Object.assign(outcome, { error, at: (Date.now() - begin) / 1_000 });
		});
		await jest.advanceTimersByTimeAsync(0);
		return { outcome, isEnded: () => sent[0]?.abortSignal?.aborted };
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
		expect(fieldsOf((outcome.error as ApiFailure).facts)).toMatchObject({
			...{ kind: 'unreachable', problem: 'timedOut', retryable: true },
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
