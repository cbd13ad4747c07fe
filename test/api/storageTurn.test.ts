/** When a file may be sent to the storage, and what its answers mean for the next one. */
import { ApiFailure, type FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import type { SenderParts } from '../../nodes/LeadGenPublishing/api/sender';
import { inStorageTurn } from '../../nodes/LeadGenPublishing/api/upload';

const facts = (more: Partial<FailureFacts> = {}): FailureFacts => ({
	...{ kind: 'answered', endpoint: 'media.upload', agency: false, status: 503, attempts: 1 },
	...{ retryable: true, uncertain: false, retryAfterMs: 5_000 },
	...more,
});

async function turn(
	upload: () => Promise<unknown>,
	{ isShut = false, agency = false, closedForMs = 0 } = {},
) {
	const learned: unknown[] = [];
	const asked: unknown[] = [];
	const slept: unknown[] = [];
	const { signal } = new AbortController();
	const parts = {
		now: () => 1_000,
		sleep: async (...given: unknown[]) => {
			slept.push(given);
			await Promise.resolve();
		},
		gate: {
			...{ closedForMs, isTimeNamed: closedForMs > 0, throttledRequestId: undefined },
			enter: async (limits: unknown, sleep: (ms: number, enough: AbortSignal) => Promise<void>) => {
				asked.push(limits);
				await sleep(7, signal);
				return isShut
					? undefined
					: {
							answered: () => learned.push('answered'),
							unanswered: () => learned.push('unanswered'),
							throttled: (by: FailureFacts) => learned.push(['throttled', by.retryAfterMs]),
						};
			},
		},
	} as unknown as SenderParts;
	const time = { maxMs: 60_000, leftForWaiting: () => 700 };
	const outcome = await inStorageTurn(parts, { time: time as never, agency }, upload).then(
		(value) => ({ value, error: undefined }),
		(error: unknown) => ({ value: undefined, error }),
	);
	expect(asked).toEqual([{ ms: 700, sinceFirstMs: 60_000 }]);
	expect(slept).toEqual([[7, signal]]);
	return { ...outcome, learned };
}

it('gives what the upload gives, and tells the gate that it went well', async () => {
	const { value, learned } = await turn(async () => await Promise.resolve('stored'));
	expect([value, learned]).toEqual(['stored', ['answered']]);
});

it.each<[string, unknown, unknown]>([
	[
		'429',
		new ApiFailure(facts({ status: 429, retryAfterMs: undefined })),
		['throttled', undefined],
	],
	['503 with a time', new ApiFailure(facts()), ['throttled', 5_000]],
	['503 without one', new ApiFailure(facts({ retryAfterMs: undefined })), 'unanswered'],
	['a refusal with a time', new ApiFailure(facts({ status: 403, retryable: false })), 'unanswered'],
	[
		'429 of the service',
		new ApiFailure(facts({ status: 429, endpoint: 'post.get' })),
		'unanswered',
	],
	['something else', new Error('odd'), 'unanswered'],
])('after %s tells the gate what it means', async (_, thrown, expected) => {
	const { error, learned } = await turn(async () => await Promise.reject(thrown as Error));
	expect(error).toBe(thrown);
	expect(learned).toEqual([expected]);
});

it.each([
	[true, 0, { code: 'timed_out' }],
	[
		false,
		2_000,
		{ code: 'rate_limited', retryAfterMs: 2_000, notBefore: '1970-01-01T00:00:03.000Z' },
	],
])('sends nothing where its turn does not come in time (client: %s)', async (...row) => {
	const [agency, closedForMs, more] = row;
	const upload = jest.fn(async () => await Promise.resolve());
	const { error, learned } = await turn(upload, { isShut: true, agency, closedForMs });
	expect((error as ApiFailure).facts).toEqual({
		...{ kind: 'notSent', endpoint: 'media.upload', agency, retryable: true, attempts: 0 },
		...{ uncertain: false, requestId: undefined },
		...more,
	});
	expect([upload.mock.calls, learned]).toEqual([[], []]);
});
