/** When requests pass once the service has asked to wait: not before, not all at once, each in time. */
import { sleep as sleepFor } from 'n8n-workflow';

import {
	ThrottleGate,
	throttleGates,
	type GatePass,
	type Sleep,
	type WaitLimits,
} from '../../nodes/LeadGenPublishing/api/throttleGate';

const PATIENT: WaitLimits = { ms: 60_000, sinceFirstMs: 60_000 };

beforeEach(() => {
	asleep = 0;
	jest.useFakeTimers({ now: 0 });
});
afterEach(() => void jest.useRealTimers());

const clock = () => Date.now();
/** Not all timers: those of what the process ran before may still come. */
let asleep = 0;
const sleep: Sleep = (ms, signal) => {
	asleep += 1;
	const slept = sleepFor(ms, signal);
	void slept.catch(() => undefined).then(() => (asleep -= 1));
	return slept;
};
const advance = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);
/** Everything that can go on by itself has gone on. */
const settle = async () => await advance(0);

function openGate() {
	const gate = new ThrottleGate({ clock, random: () => 0 });
	const passed: GatePass[] = [];
	const refused: number[] = [];
	/** So many requests come to the gate at this moment. */
	const come = async (count: number, patience = PATIENT) => {
		for (let index = 0; index < count; index += 1)
			void gate
				.enter(patience, sleep)
				.then((pass) => (pass === undefined ? refused.push(clock()) : passed.push(pass)));
		await settle();
	};
	const one = async (): Promise<GatePass> => {
		await come(1);
		const pass = passed.pop();
		if (pass === undefined) throw new Error('Nobody passed');
		return pass;
	};
	return { gate, passed, refused, come, one };
}

/**
 * Plays a story: who comes, what the service answers to those who have passed, and how much time
 * passes; and after that how many have passed and wait for their answer, were refused in all, or sleep,
 * and how long the gate stays closed.
 */
async function play(story: string): Promise<void> {
	const { gate, passed, refused, come, one } = openGate();
	const seen: Readonly<Record<string, () => number>> = {
		passed: () => passed.length,
		refused: () => refused.length,
		sleeping: () => asleep,
		closed: () => gate.closedForMs,
	};
	const done: Readonly<Record<string, (count?: number, within?: number) => Promise<void>>> = {
		come: async (count = 1, ms = 60_000) => await come(count, { ms, sinceFirstMs: 60_000 }),
		'patient come': async (count = 1, ms = 600_000) => await come(count, { ms, sinceFirstMs: 1e9 }),
		after: async (ms = 0) => await advance(ms),
		throttled: async (retryAfterMs) => (await one())({ retryAfterMs }),
		good: async (count = 1) => {
			for (let index = 0; index < count; index += 1) (await one())('answered');
		},
		'next answered': async () => passed.shift()?.('answered'),
		'next unanswered': async () => passed.shift()?.('unanswered'),
		'next throttled': async (retryAfterMs) => passed.shift()?.({ retryAfterMs }),
	};
	for (const step of story.split(', ')) {
		const [, what = '', number, within] = /^(\D+?)(?: (\d+))?(?: within (\d+))?$/.exec(step) ?? [];
		const count = number === undefined ? undefined : Number(number);
		await done[what]?.(count, within === undefined ? undefined : Number(within));
		await settle();
		if (what in seen) expect([story, step, seen[what]?.()]).toEqual([story, step, count]);
		else expect(done).toHaveProperty([what]);
	}
}

it.each<string[]>([
	// An open gate
	['everybody passes at once, and nobody is woken later', 'come 100, passed 100, sleeping 0'],
	// When the service asks to wait
	[
		'nobody passes before, and then one alone',
		'throttled 2000, closed 2000, come 40, after 1999, passed 0, after 1, passed 1',
		'after 30000, passed 1',
	],
	[
		'an attempt without an answer makes room for the next one, and no more',
		'throttled 1000, come 5, after 1000, passed 1, next unanswered, passed 1',
	],
	[
		'the gate closes again for the one that is sent for trial',
		'throttled 1000, come 5, after 1000, next throttled 7000, after 6999, passed 0',
		'after 1, passed 1',
	],
	[
		'what was under way already says nothing about now',
		'come 4, next throttled 1000, come 5, next answered, next unanswered, passed 1',
		'after 1000, next answered, passed 1',
	],
	[
		'the later of several times counts',
		'come 3, next throttled 3000, next throttled 5000, next throttled 1000, come 1',
		'after 4999, passed 0, after 1, passed 1',
	],
	[
		'one good response opens it for all',
		'throttled 1000, patient come 1000, after 1000, passed 1, next answered, passed 999, sleeping 0',
	],
	// Whoever cannot wait so long
	[
		'whoever may wait a millisecond queues for so long, and others longer',
		'throttled 1000, after 1000, come 1, come 1 within 1, patient come, passed 1, refused 0',
		'after 1, passed 1, refused 1, next answered, passed 1, sleeping 0',
	],
	[
		'of all whose turn has not come, those are refused whose time is up',
		'throttled 1000, patient come 2 within 5000, patient come 1 within 9000, after 4999',
		'passed 1, refused 0, after 1, passed 1, refused 1, next unanswered, passed 1, sleeping 0',
	],
	[
		'nothing sleeps any more when all have passed',
		'throttled 1000, come 3 within 1500, after 1000, passed 1, next answered, passed 2',
		'next answered, passed 1, refused 0, next answered, passed 0, sleeping 0',
	],
	['what is asked for is within its patience', 'throttled 59999, come 20, refused 0, passed 0'],
	['what is asked for is as long as that', 'throttled 60000, come 20 within 60000, refused 20'],
	['what is asked for is longer', 'throttled 86400000, come 20, refused 20, passed 0'],
	[
		'the time has become longer meanwhile',
		'come 2, next throttled 5000, come 3 within 10000, after 1000, refused 0',
		'next throttled 9500, refused 3',
	],
	[
		'an open gate lets those pass who may not wait at all',
		'throttled 1000, come 2 within 0, refused 2, after 1000, come 3 within 0, passed 3',
	],
	[
		'all together have waited enough since the service first asked',
		'throttled 40000, come 1, after 40000, next throttled 40000, come 5, refused 5',
	],
	[
		'also if it asks again while it is waiting, however late',
		'come 2, next throttled 50000, after 40000, next throttled 50000, come 5, refused 5',
	],
	[
		'and if it has asked twice since a good answer',
		'throttled 1000, after 1000, good 1, throttled 40000, after 40000, throttled 40000',
		'come 5, refused 5',
	],
	[
		'the answer of the one on trial is waited for, however long ago the service asked',
		'throttled 1000, patient come 1, after 1000, passed 1, after 60000, come 1, refused 0',
		'next answered, passed 1',
	],
	[
		'the whole time is given again after a good answer',
		'throttled 40000, after 40000, good 1, throttled 40000, come 1, refused 0',
		'after 40000, passed 1',
	],
	[
		'the whole time is given again after more than half a minute without anything',
		'throttled 40000, after 70001, throttled 40000, come 1, refused 0, after 40000, passed 1',
	],
	[
		'but not after half a minute',
		'throttled 40000, after 70000, throttled 40000, come 1, refused 1',
	],
	// How long it stays closed
	[
		'twice as long each time when the service does not say, until a good answer',
		'throttled, closed 250, after 250, throttled, closed 500, after 500, throttled',
		'closed 1000, after 1000, throttled, closed 2000, after 2000, good 1, throttled',
		'closed 250',
	],
	[
		'those that were under way together count once',
		'come 3, next throttled, next throttled, next throttled, closed 250',
	],
	[
		'nothing at Retry-After 0, and longer each time that it is said again',
		'throttled 0, closed 0, throttled 0, closed 500, after 500, throttled 0, closed 1000',
		'after 1000, throttled 1, closed 2000',
	],
	[
		'exactly as asked, however often',
		'throttled 1000, after 1000, throttled 1000, after 1000, throttled 1000, after 1000',
		'throttled 1000, closed 1000, after 1000, throttled 1000, closed 1000',
	],
	[
		'as for the first time, if others have been answered well since',
		'come 1, throttled 1000, after 1000, good 1, next throttled, closed 250',
	],
])('%s', async (...[, ...story]) => {
	await play(story.join(', '));
});

describe('a closed gate', () => {
	it('is closed for no longer than its scope allows', async () => {
		const scope = { of: {}, longestMs: 5_000 };
		const settings = { clock: () => 0, random: () => 0 };
		const gates = throttleGates(scope, { host: 'h', secret: '' }, settings);
		const gate = gates.of('own');
		const pass = await gate.enter(PATIENT, async () => await Promise.resolve());
		pass?.({ retryAfterMs: 86_400_000 });
		expect(gate.closedForMs).toBe(5_000);
		// The gates of other accounts are open.
		expect([gates.of('client').closedForMs, gates.all.length]).toEqual([0, 2]);
		expect(throttleGates(scope, { host: 'h', secret: '' }, settings)).toBe(gates);
	});

	it('tells what the service asked, and an open one that nothing is asked', async () => {
		const { gate, one } = openGate();
		expect(gate.asked).toEqual({});
		(await one())({ retryAfterMs: 1_000, requestId: '7', host: 'storage' });
		expect(gate.asked).toEqual({ retryAfterMs: 1_000, requestId: '7', host: 'storage' });
		await advance(1_000);
		expect(gate.asked).toEqual({});
	});
});

it('an earlier time that the service has asked for stays, if it asks again without one', async () => {
	const { gate, come, passed } = openGate();
	await come(2);
	passed[0]?.({ retryAfterMs: 30_000, requestId: '7' });
	passed[1]?.({ requestId: '8' });
	expect(gate.asked).toEqual({ retryAfterMs: 30_000, requestId: '8', host: undefined });
	expect(gate.closedForMs).toBe(30_000);
});

describe('a service that takes one request a second', () => {
	/** Two hundred requests, ten side by side, each of them sent until it is taken. */
	async function play(retryAfterMs: number | undefined) {
		const gate = new ThrottleGate({ clock, random: () => 0.5 });
		const sent = { taken: 0, refused: 0, heldBack: 0 };
		let takesFrom = 0;
		const send = async (): Promise<void> => {
			const pass = await gate.enter(PATIENT, sleep);
			if (pass === undefined) return void (sent.heldBack += 1);
			const isTaken = clock() >= takesFrom;
			if (isTaken) takesFrom = clock() + 1_000;
			await sleepFor(20);
			if (!isTaken) {
				sent.refused += 1;
				pass({ retryAfterMs });
				return await send();
			}
			sent.taken += 1;
			pass('answered');
		};
		const worker = async () => {
			for (let items = 0; items < 20; items += 1) await send();
		};
		void Promise.all(Array.from({ length: 10 }, worker));
		await advance(600_000);
		return sent;
	}

	it.each([
		['and says when', 1_000, 2_000],
		['and does not say when', undefined, 2_200],
	])(
		'%s: all pass in their time, and ten requests for each of them at most are in vain',
		async (_, retryAfterMs, most) => {
			const { taken, refused, heldBack } = await play(retryAfterMs);
			expect({ taken, heldBack }).toEqual({ taken: 200, heldBack: 0 });
			expect(refused).toBeLessThanOrEqual(most);
		},
	);
});
