/** What the throttle gate learns of each answer, and how often a request is sent for it. */
import type { ParsedAnswer } from '../../nodes/LeadGenPublishing/api/answer';
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import { DEFAULT_RETRY, type Outcome } from '../../nodes/LeadGenPublishing/api/retry';
import { Sender, type SenderParts } from '../../nodes/LeadGenPublishing/api/sender';
import type { Outgoing } from '../../nodes/LeadGenPublishing/api/serviceRequest';

const READ: Outgoing = { name: 'lead.getAll', list: true };
const WRITE: Outgoing = { name: 'post.create', list: false, body: {} };

const failed = (outcome: Outcome): ParsedAnswer => ({
	kind: 'failure',
	outcome,
	facts: { kind: 'answered', ...('status' in outcome ? { status: outcome.status } : {}) },
});
const status = (number: number, more: Partial<Outcome> = {}): ParsedAnswer =>
	failed({ kind: 'status', status: number, ...more } as Outcome);
const good = { kind: 'success', body: { ok: true } } as unknown as ParsedAnswer;

/** Sends one request; the answers come in turn, the last one again and again. */
async function send(answers: ReadonlyArray<ParsedAnswer | Error>, request = READ) {
	const learned: string[] = [];
	const left = [...answers];
	let sent = 0;
	const pass = {
		answered: () => void learned.push('answered'),
		unanswered: () => void learned.push('unanswered'),
		throttled: () => void learned.push('throttled'),
	};
	const parts = {
		requests: {
			send: async () => {
				sent += 1;
				const [next] = left.length > 1 ? left.splice(0, 1) : left;
				if (next instanceof Error) throw next;
				return await Promise.resolve(next);
			},
		},
		turnstile: { pass: async () => await Promise.resolve() },
		gate: { enter: async () => await Promise.resolve(pass), closedForMs: 0 },
		...{ clock: () => 0, now: () => 0, random: () => 0 },
		sleep: async () => await Promise.resolve(),
	} as unknown as SenderParts;
	const time = {
		...{ maxMs: 60_000, leftForSending: () => 60_000, leftForWaiting: () => 60_000 },
		wasted: () => undefined,
	};
	const outcome = await new Sender(parts)
		.send(request, { time: time as never, policy: { ...DEFAULT_RETRY, maxAttempts: 3 } })
		.then(
			(value) => ({ value, error: undefined }),
			(error: unknown) => ({ value: undefined, error }),
		);
	return { ...outcome, learned, sent };
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
	if (!(error instanceof ApiFailure)) throw new Error(String(error));
	expect(error.facts).toMatchObject({ uncertain, attempts: sent, endpoint: request.name });
});
