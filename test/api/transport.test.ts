/** How a request is handed to n8n, and what ends it when no answer comes. */
import { type IHttpRequestOptions } from 'n8n-workflow';

import { anyOf, type HttpFunctions, transmit } from '../../nodes/LeadGenPublishing/api/transport';
import { untilItEnds } from './scriptedN8n';

const REQUEST = { method: 'GET', url: 'https://api.example.com/v1/me' } as const;
type Sending = (http: IHttpRequestOptions) => Promise<unknown>;

function transmission(send: Sending) {
	const handed: Array<[credential: string | undefined, http: IHttpRequestOptions]> = [];
	const functions = {
		getExecutionCancelSignal: () => undefined,
		helpers: {
			httpRequest: async (http: IHttpRequestOptions) => {
				handed.push([undefined, http]);
				return await send(http);
			},
			async httpRequestWithAuthentication(
				this: unknown,
				credential: string,
				http: IHttpRequestOptions,
			) {
				// As n8n does.
				const signal = (this as HttpFunctions).getExecutionCancelSignal?.();
				handed.push([credential, { ...http, abortSignal: signal }]);
				expect(Object.getPrototypeOf(this)).toBe(functions);
				return await send(http);
			},
		},
	};
	const start = async (more: Partial<Parameters<typeof transmit>[2]> = {}) =>
		await transmit(functions as unknown as HttpFunctions, REQUEST, {
			...{ withKey: true, timeoutMs: 1_000, secrets: ['s3cret-key'] },
			...more,
		});
	return { handed, start };
}
const answering: Sending = async () => await Promise.resolve({ statusCode: 200 });
const failing =
	(error: unknown): Sending =>
	async () =>
		await Promise.reject(error as Error);

afterEach(() => {
	jest.useRealTimers();
});

it('hands over a request as the service needs it, with the key only where it is to be', async () => {
	const { handed, start } = transmission(answering);
	expect(await start()).toEqual({ response: { statusCode: 200 } });
	await start({ withKey: false });
	const http = {
		...REQUEST,
		...{ encoding: 'text', json: false, returnFullResponse: true, timeout: 1_000 },
		...{ ignoreHttpStatusErrors: true, disableFollowRedirect: true },
		abortSignal: expect.any(AbortSignal) as AbortSignal,
	};
	expect(handed).toStrictEqual([
		['leadGenPublishingApi', http],
		[undefined, http],
	]);
});

it.each([true, false])(
	'is ended with the execution, and by whoever does not want it any more; with the key: %s',
	async (withKey) => {
		for (const name of ['signal', 'givenUp'] as const) {
			const ending = new AbortController();
			const { handed, start } = transmission(untilItEnds);
			const outcome = start({ [name]: ending.signal, withKey, timeoutMs: 3_600_000 });
			expect(handed[0]?.[1].abortSignal?.aborted).toBe(false);
			ending.abort();
			expect(handed[0]?.[1].abortSignal?.aborted).toBe(true);
			await expect(outcome).rejects.toThrow();
		}
	},
);

it.each([true, false])(
	'leaves no connection open once it has timed out; with the key: %s',
	async (withKey) => {
		const { handed, start } = transmission(async () => await new Promise(() => undefined));
		expect(await start({ withKey, timeoutMs: 1 })).toEqual({
			kind: 'unreachable',
			seen: 'timed out',
		});
		expect(handed[0]?.[1].abortSignal?.aborted).toBe(true);
	},
);

it('is not sent once the execution was cancelled', async () => {
	const { handed, start } = transmission(answering);
	await expect(start({ signal: AbortSignal.abort() })).rejects.toThrow('canceled');
	expect(handed).toEqual([]);
});

it('says why there is no answer', async () => {
	const reset = Object.assign(new Error('s3cret-key'), { code: 'ECONNRESET' });
	expect(await transmission(failing(reset)).start()).toEqual({
		kind: 'unreachable',
		seen: 'connection reset',
	});
	const odd = transmission(failing(new Error('Odd s3cret-key'))).start();
	await expect(odd).rejects.toThrow('Odd [hidden]');
});

it('that was ended is told as such, whatever the error says', async () => {
	for (const [name, words] of [
		['signal', 'canceled'],
		['givenUp', 'Nobody waits'],
	] as const) {
		const ending = new AbortController();
		const { start } = transmission(async () => {
			ending.abort();
			return await Promise.reject(Object.assign(new Error('odd'), { code: 'ECONNRESET' }));
		});
		await expect(start({ [name]: ending.signal })).rejects.toThrow(words);
	}
});

it('ends a moment after its time where n8n does not end it', async () => {
	jest.useFakeTimers();
	const outcomes: unknown[] = [];
	const { start } = transmission(async () => await new Promise(() => undefined));
	void start().then((outcome) => outcomes.push(outcome));
	await jest.advanceTimersByTimeAsync(1_249);
	expect(outcomes).toEqual([]);
	await jest.advanceTimersByTimeAsync(1);
	expect(outcomes).toEqual([{ kind: 'unreachable', seen: 'timed out' }]);
});

it('leaves no timer behind', async () => {
	jest.useFakeTimers();
	await transmission(answering).start();
	expect(jest.getTimerCount()).toBe(0);
});

it('is nothing, or the only one itself', () => {
	const { signal } = new AbortController();
	expect([anyOf(), anyOf(undefined, undefined)]).toEqual([undefined, undefined]);
	expect(anyOf(undefined, signal, undefined)).toBe(signal);
});

it.each([
	[0, 2],
	[1, 2],
	[2, 3],
])('is ended by the one at %i of %i', (ended, count) => {
	const controllers = Array.from({ length: count }, () => new AbortController());
	const signal = anyOf(...controllers.map((one) => one.signal));
	expect(signal?.aborted).toBe(false);
	controllers[ended]?.abort();
	expect(signal?.aborted).toBe(true);
});
