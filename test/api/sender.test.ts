/** What the throttle gate learns of each answer, and how often a request is sent for it. */
import type { ParsedAnswer } from '../../nodes/LeadGenPublishing/api/answer';
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import {
	DEFAULT_RETRY,
	type Outcome,
	type RetryPolicy,
} from '../../nodes/LeadGenPublishing/api/retry';
import { Sender, type SenderParts } from '../../nodes/LeadGenPublishing/api/sender';
import type { Outgoing } from '../../nodes/LeadGenPublishing/api/serviceRequest';

const READ: Outgoing = { name: 'lead.getAll', list: true };
const WRITE: Outgoing = { name: 'post.create', list: false, body: {} };

const CHANGE: Outgoing = { name: 'post.update', list: false, body: {} };

const failed = (outcome: Outcome): ParsedAnswer => ({
	kind: 'failure',
	outcome,
	facts: {
		kind: 'answered',
		...('status' in outcome ? { status: outcome.status, retryAfterMs: outcome.retryAfterMs } : {}),
	},
});
const factsOf = (error: unknown) => {
	if (!(error instanceof ApiFailure)) throw new Error(String(error));
	return error.facts;
};
const status = (number: number, more: Partial<Outcome> = {}): ParsedAnswer =>
	failed({ kind: 'status', status: number, ...more } as Outcome);
const good = { kind: 'success', body: { ok: true } } as unknown as ParsedAnswer;

interface Circumstances {
	/** What the gate says of itself; it lets nothing pass if it `isShut`. */
	readonly gate?: {
		isShut?: boolean;
		closedForMs?: number;
		throttledRequestId?: string;
		isTimeNamed?: boolean;
	};
	readonly time?: { leftForSending?: () => number; leftForWaiting?: () => number };
	readonly policy?: Partial<RetryPolicy>;
	readonly timeoutMs?: number;
	/** The number of the answer, or of the pass, with which it is given up. */
	readonly giveUpAt?: { answer?: number; pass?: number };
}

/** Sends one request; the answers come in turn, the last one again and again. */
async function send(
	answers: ReadonlyArray<ParsedAnswer | Error>,
	request = READ,
	circumstances: Circumstances = {},
) {
	const { policy, timeoutMs, giveUpAt = {} } = circumstances;
	const { isShut = false, ...gate } = circumstances.gate ?? {};
	const givenUp = new AbortController();
	const learned: string[] = [];
	const pauses: number[] = [];
	const timeouts: number[] = [];
	const admissions: unknown[] = [];
	let inTurn = 0;
	let wasted = 0;
	const left = [...answers];
	let sent = 0;
	const pass = {
		answered: () => void learned.push('answered'),
		unanswered: () => void learned.push('unanswered'),
		throttled: () => void learned.push('throttled'),
	};
	const parts = {
		requests: {
			send: async (_: Outgoing, limits: { timeoutMs: number }) => {
				sent += 1;
				timeouts.push(limits.timeoutMs);
				if (sent === giveUpAt.answer) givenUp.abort();
				const [next] = left.length > 1 ? left.splice(0, 1) : left;
				if (next instanceof Error) throw next;
				return await Promise.resolve(next);
			},
		},
		turnstile: {
			pass: async () => {
				inTurn += 1;
				await Promise.resolve();
			},
		},
		gate: {
			enter: async (limits: unknown) => {
				admissions.push(limits);
				if (admissions.length === giveUpAt.pass) givenUp.abort();
				return await Promise.resolve(isShut ? undefined : pass);
			},
			...{ closedForMs: 0, ...gate },
		},
		...{ clock: () => 0, now: () => 1_000, random: () => 0 },
		sleep: async (ms: number) => {
			pauses.push(ms);
			await Promise.resolve();
		},
	} as unknown as SenderParts;
	const time = {
		...{ maxMs: 60_000, leftForSending: () => 60_000, leftForWaiting: () => 60_000 },
		...circumstances.time,
		wasted: () => {
			wasted += 1;
		},
	};
	const outcome = await new Sender(parts)
		.send(request, {
			...{ time: time as never, timeoutMs, givenUp: givenUp.signal },
			policy: { ...DEFAULT_RETRY, maxAttempts: 3, ...policy },
		})
		.then(
			(value) => ({ value, error: undefined }),
			(error: unknown) => ({ value: undefined, error }),
		);
	return { ...outcome, learned, sent, pauses, timeouts, admissions, inTurn, wasted };
}

describe('the gate learns that the service', () => {
	it.each<[string, ParsedAnswer, string, number]>([
		['answers, by a good answer', good, 'answered', 1],
		['answers, by a refusal', status(404), 'answered', 1],
		['answers, by a refusal that names a time', status(404, { retryAfterMs: 5 }), 'answered', 1],
		[
			'answers, by what is none of the API',
			failed({ kind: 'unreadable', cutOff: false }),
			'answered',
			1,
		],
		[
			'was not asked at all',
			failed({ kind: 'unreachable', neverSent: true, prevented: true }),
			'unanswered',
			1,
		],
		['may be down, by 500', status(500), 'unanswered', 3],
		['may be down, by 408', status(408), 'unanswered', 3],
		['may be down, by no answer', failed({ kind: 'unreachable' }), 'unanswered', 3],
		[
			'may be down, by half an answer',
			failed({ kind: 'unreadable', cutOff: true }),
			'unanswered',
			3,
		],
		[
			'wants to be left alone, by 503 with a time',
			status(503, { retryAfterMs: 5 }),
			'throttled',
			3,
		],
		['wants to be left alone, by 429', status(429), 'throttled', 50],
	])('%s', async (_, answer, expected, times) => {
		const { learned, sent } = await send([answer]);
		expect([new Set(learned), learned.length, sent]).toEqual([new Set([expected]), times, times]);
	});

	it('may be down, where something else went wrong, which is thrown as it is', async () => {
		const fault = new Error('odd');
		const { error, learned, sent } = await send([fault]);
		expect([error, learned, sent]).toEqual([fault, ['unanswered'], 1]);
	});
});

it('a write is sent again only after 429', async () => {
	expect((await send([status(500), good], WRITE)).sent).toBe(1);
	expect((await send([status(503, { retryAfterMs: 5 }), good], WRITE)).sent).toBe(1);
	const { sent, value } = await send([status(429), status(429), good], WRITE);
	expect([sent, value]).toMatchObject([3, { throttled: true }]);
});

it('says whether the service asked to slow down before it gave its answer', async () => {
	expect((await send([good])).value?.throttled).toBe(false);
	expect((await send([status(500), good])).value?.throttled).toBe(false);
	expect((await send([status(429), good])).value?.throttled).toBe(true);
	expect((await send([status(503, { retryAfterMs: 5 }), good])).value?.throttled).toBe(true);
});

it.each<[string, readonly ParsedAnswer[], Outgoing, boolean]>([
	['of a read is never uncertain', [status(500)], READ, false],
	['of a write with 500 is uncertain', [status(500)], WRITE, true],
	['of a write with 400 is certain', [status(400)], WRITE, false],
	['of a write that was throttled before stays certain', [status(429), status(400)], WRITE, false],
	[
		'of a write that was never sent is certain',
		[failed({ kind: 'unreachable', neverSent: true })],
		WRITE,
		false,
	],
])('a failure %s', async (_, answers, request, uncertain) => {
	const { error, sent } = await send(answers, request);
	expect(factsOf(error)).toMatchObject({ uncertain, attempts: sent, endpoint: request.name });
});

describe('a request that is not sent', () => {
	it.each<[string, Circumstances['gate'], object]>([
		['because its time is up', {}, { code: 'timed_out' }],
		[
			'because the service wants to be left alone for a moment',
			{ closedForMs: 1, throttledRequestId: 'told', isTimeNamed: true },
			{
				code: 'rate_limited',
				...{ retryAfterMs: 1, requestId: 'told', notBefore: '1970-01-01T00:00:01.001Z' },
			},
		],
		[
			'because the service wants to be left alone, for it does not say how long',
			{ closedForMs: 1, throttledRequestId: 'told', isTimeNamed: false },
			{ code: 'rate_limited', retryAfterMs: 1, notBefore: undefined },
		],
	])('%s fails, and may be sent later', async (_, gate, expected) => {
		const { error, sent } = await send([good], WRITE, { gate: { isShut: true, ...gate } });
		expect(sent).toBe(0);
		expect(factsOf(error)).toMatchObject({
			...{ kind: 'notSent', attempts: 0, retryable: true, uncertain: false },
			...expected,
		});
	});

	it('because too little time is left for it gives its place at the gate away', async () => {
		const time = { leftForSending: () => 0 };
		const { error, sent, learned } = await send([good], READ, { time });
		expect([sent, learned, factsOf(error).kind]).toEqual([0, ['unanswered'], 'notSent']);
	});

	it('because nobody waits for it any more does so too', async () => {
		const { error, sent, learned } = await send([good], READ, { giveUpAt: { pass: 1 } });
		expect([sent, learned, error]).toEqual([0, ['unanswered'], expect.any(Error)]);
	});
});

describe('between two requests', () => {
	it('even the shortest pause is kept', async () => {
		const policy = { baseMs: 2 };
		expect((await send([status(500), good], READ, { policy })).pauses).toEqual([1]);
	});

	it('the pause grows, and there is none where the gate takes care of it', async () => {
		expect((await send([status(500), status(500), good])).pauses).toEqual([250, 500]);
		expect((await send([status(429), good])).pauses).toEqual([]);
		expect((await send([status(503, { retryAfterMs: 5 }), good])).pauses).toEqual([]);
	});

	it.each<[string, Circumstances, number]>([
		['as long as it may be', { policy: { maxPauseMs: 250 } }, 2],
		['longer than it may be', { policy: { maxPauseMs: 249 } }, 1],
		['shorter than the time left', { time: { leftForWaiting: () => 251 } }, 2],
		['as long as the time left', { time: { leftForWaiting: () => 250 } }, 1],
		['and nobody waits for the answer any more', { giveUpAt: { answer: 1 } }, 1],
	])('with a pause %s', async (_, circumstances, times) => {
		expect((await send([status(500), good], READ, circumstances)).sent).toBe(times);
	});

	it('each has its turn, and the time that was lost is told: at the gate, for a failure, in a pause', async () => {
		const once = await send([good]);
		expect([once.inTurn, once.wasted]).toEqual([1, 1]);
		const twice = await send([status(500), good]);
		expect([twice.inTurn, twice.wasted]).toEqual([2, 4]);
	});
});

it('waits at the gate no longer than one pause, and than its time', async () => {
	const time = { leftForWaiting: () => 700 };
	const admissionOf = async (maxPauseMs: number) =>
		(await send([good], READ, { time, policy: { maxPauseMs } })).admissions;
	expect(await admissionOf(500)).toEqual([{ ms: 500, sinceFirstMs: 500 }]);
	expect(await admissionOf(Infinity)).toEqual([{ ms: 700, sinceFirstMs: 60_000 }]);
});

it('gives a request the time that was asked for, if there is as much', async () => {
	const time = { leftForSending: () => 8_000 };
	const timeoutOf = async (timeoutMs?: number) =>
		(await send([good], READ, { time, timeoutMs })).timeouts;
	const [usual = 0] = await timeoutOf();
	expect(usual).toBeGreaterThan(1);
	expect(await timeoutOf(1)).toEqual([1]);
	expect(await timeoutOf(usual + 1)).toEqual([usual]);
});

describe('an idempotency key', () => {
	it.each<[string, Outgoing, number, boolean]>([
		['lets a change be sent again', { ...CHANGE, idempotencyKey: 'k' }, 3, true],
		['that is missing does not', CHANGE, 1, false],
		['does not where none is taken', { ...WRITE, idempotencyKey: 'k' }, 1, false],
	])('%s', async (_, request, times, keyed) => {
		const { error, sent } = await send([status(500)], request);
		expect(sent).toBe(times);
		const { idempotencyKey, ...facts } = factsOf(error);
		expect(facts).toMatchObject({ keyed, uncertain: true });
		expect(idempotencyKey).toBe(keyed ? 'k' : undefined);
	});
});

describe('a failure tells', () => {
	it('the last answer, whether it may pass, and whose account it was', async () => {
		const { error } = await send([status(500), status(404)]);
		expect(factsOf(error)).toMatchObject({ status: 404, retryable: false, agency: false });
		const account = { kind: 'client', id: 'c' } as unknown as Outgoing['account'];
		const ofClient = await send([status(500)], { ...READ, account });
		expect(factsOf(ofClient.error)).toMatchObject({ status: 500, retryable: true, agency: true });
	});

	it.each<[string, ParsedAnswer, number, number | undefined]>([
		['its own time to wait', status(429, { retryAfterMs: 5 }), 3, 5],
		['a longer one that another was told', status(429, { retryAfterMs: 5 }), 9, 9],
		['none where it was told none', status(429), 9, undefined],
		['its own where it is final', status(404, { retryAfterMs: 5 }), 9, 5],
	])('%s', async (_, answer, closedForMs, expected) => {
		const { error } = await send([answer], READ, { gate: { closedForMs } });
		expect(factsOf(error).kind).toBe('answered');
		expect(factsOf(error).retryAfterMs).toBe(expected);
	});
});
