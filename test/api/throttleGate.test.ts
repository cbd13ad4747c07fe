import { steadyClock } from '../../nodes/LeadGenPublishing/api/retry';
import {
	throttleGate,
	ThrottleGate,
	type Pass,
	type WaitLimits,
} from '../../nodes/LeadGenPublishing/api/throttleGate';
import { virtualTime } from './virtualTime';

const PATIENT: WaitLimits = { ms: 60_000, sinceFirstMs: 60_000 };

function openGate() {
	const time = virtualTime();
	const gate = new ThrottleGate({ clock: time.clock, random: () => 0 });
	const passed: Pass[] = [];
	const refused: number[] = [];
	/** So many requests come to the gate at this moment. */
	const come = async (count: number, patience = PATIENT) => {
		for (let index = 0; index < count; index += 1)
			void gate
				.enter(patience, time.sleep)
				.then((pass) => (pass === undefined ? refused.push(time.clock()) : passed.push(pass)));
		await time.settle();
	};
	const one = async (): Promise<Pass> => {
		await come(1);
		const pass = passed.pop();
		if (pass === undefined) throw new Error('Nobody passed');
		return pass;
	};
	const throttle = async (retryAfterMs?: number) => (await one()).throttled({ retryAfterMs });
	/** What becomes of a single request. */
	const request = async (patience: WaitLimits = { ms: 600_000, sinceFirstMs: 60_000 }) => {
		const seen: { pass?: Pass; isRefused?: true } = {};
		void gate
			.enter(patience, time.sleep)
			.then((pass) => Object.assign(seen, pass === undefined ? { isRefused: true } : { pass }));
		await time.settle();
		return seen;
	};
	return { time, gate, passed, refused, come, one, request, throttle };
}

describe('an open gate', () => {
	it('lets everybody pass at once, and wakes nobody later', async () => {
		const { come, passed, time } = openGate();
		await come(100);
		expect(passed).toHaveLength(100);
		expect(time.sleeping).toBe(0);
	});
});

describe('when the service asks to wait', () => {
	it('nobody passes before, and then one alone', async () => {
		const { come, passed, time, throttle, gate } = openGate();
		await throttle(2_000);
		expect(gate.closedForMs).toBe(2_000);
		await come(40);
		await time.advance(1_999);
		expect(passed).toHaveLength(0);
		await time.advance(1);
		expect(passed).toHaveLength(1);
		await time.advance(30_000);
		expect(passed).toHaveLength(1);
	});

	it('ten good answers open it for all, one after the other', async () => {
		const { come, passed, time, throttle } = openGate();
		await throttle(1_000);
		await come(1_000, { ms: 600_000, sinceFirstMs: 600_000 });
		await time.advance(1_000);
		for (let good = 0; good < 10; good += 1) {
			expect(passed).toHaveLength(1);
			passed.shift()?.answered();
			await time.settle();
		}
		expect(passed).toHaveLength(990);
		expect(time.sleeping).toBe(0);
	});

	it('and it closes meanwhile, ten good answers are needed anew', async () => {
		const { come, passed, time, throttle, one } = openGate();
		await throttle(1_000);
		await time.advance(1_000);
		for (let good = 0; good < 9; good += 1) (await one()).answered();
		await throttle(1_000);
		await time.advance(1_000);
		(await one()).answered();
		await come(5);
		expect(passed).toHaveLength(1);
	});

	it('an attempt without an answer makes room for the next one, and no more', async () => {
		const { come, passed, time, throttle } = openGate();
		await throttle(1_000);
		await come(5);
		await time.advance(1_000);
		passed.shift()?.unanswered();
		await time.settle();
		expect(passed).toHaveLength(1);
	});

	it('what was under way already says nothing about now', async () => {
		const { come, passed, time, one, throttle } = openGate();
		const old = [await one(), await one(), await one()];
		await throttle(1_000);
		await come(5);
		old[0]?.answered();
		old[1]?.unanswered();
		await time.settle();
		expect(passed).toHaveLength(0);
		await time.advance(1_000);
		old[2]?.answered();
		await time.settle();
		expect(passed).toHaveLength(1);
	});

	it('the later of two times counts', async () => {
		const { come, passed, time, one } = openGate();
		const [first, second, third] = [await one(), await one(), await one()];
		first.throttled({ retryAfterMs: 3_000 });
		second.throttled({ retryAfterMs: 5_000 });
		third.throttled({ retryAfterMs: 1_000 });
		await come(1);
		await time.advance(4_999);
		expect(passed).toHaveLength(0);
		await time.advance(1);
		expect(passed).toHaveLength(1);
	});

	it('again while one is sent for trial, it closes again', async () => {
		const { come, passed, time, throttle } = openGate();
		await throttle(1_000);
		await come(5);
		await time.advance(1_000);
		passed.shift()?.throttled({ retryAfterMs: 7_000 });
		await time.advance(6_999);
		expect(passed).toHaveLength(0);
		await time.advance(1);
		expect(passed).toHaveLength(1);
	});

	it('remembers which answer it was', async () => {
		const { gate, one } = openGate();
		(await one()).throttled({ retryAfterMs: 1_000, requestId: 'req_1' });
		expect(gate.throttledRequestId).toBe('req_1');
	});
});

describe('whoever cannot wait so long', () => {
	it.each([
		[60_000, 60_001, false],
		[60_000, 60_000, true],
		[86_400_000, 60_000, true],
	])(
		'asked for %i ms, with %i ms of patience: refused at once %p',
		async (asked, ms, isRefused) => {
			const { come, refused, passed, throttle } = openGate();
			await throttle(asked);
			await come(20, { ms, sinceFirstMs: 1e9 });
			expect(refused).toHaveLength(isRefused ? 20 : 0);
			expect(passed).toHaveLength(0);
		},
	);

	it('is refused when the time has become longer meanwhile', async () => {
		const { come, refused, one, time, throttle } = openGate();
		const other = await one();
		await throttle(5_000);
		await come(3, { ms: 10_000, sinceFirstMs: 1e9 });
		await time.advance(1_000);
		other.throttled({ retryAfterMs: 9_500 });
		await time.settle();
		expect(refused).toEqual([1_000, 1_000, 1_000]);
	});

	it('passes an open gate all the same if it may not wait at all', async () => {
		const { come, refused, passed, time, throttle } = openGate();
		await throttle(1_000);
		await come(2, { ms: 0, sinceFirstMs: 0 });
		expect(refused).toHaveLength(2);
		await time.advance(1_000);
		await come(3, { ms: 0, sinceFirstMs: 0 });
		expect(passed).toHaveLength(3);
	});

	it('has waited enough when all together have, since the service first asked', async () => {
		const { come, refused, passed, time, throttle } = openGate();
		await throttle(40_000);
		await come(1);
		await time.advance(40_000);
		passed.shift()?.throttled({ retryAfterMs: 40_000 });
		await come(5);
		expect(refused).toHaveLength(5);
	});

	it.each([
		['a good answer', true, 0],
		['a time without anything', false, 30_001],
	])('is given the whole time again after %s', async (_, isAnswered, idleMs) => {
		const { come, refused, passed, time, throttle, one } = openGate();
		await throttle(40_000);
		await time.advance(40_000);
		if (isAnswered) (await one()).answered();
		await time.advance(idleMs);
		await throttle(40_000);
		await come(1);
		expect(refused).toHaveLength(0);
		await time.advance(40_000);
		expect(passed).toHaveLength(1);
	});
});

describe('how long it stays closed', () => {
	it('doubles when the service does not say, and starts again after good answers', async () => {
		const { gate, time, throttle, one } = openGate();
		const closed: number[] = [];
		for (let times = 0; times < 4; times += 1) {
			await throttle();
			closed.push(gate.closedForMs);
			await time.advance(gate.closedForMs);
		}
		expect(closed).toEqual([250, 500, 1_000, 2_000]);
		for (let good = 0; good < 3; good += 1) (await one()).answered();
		await throttle();
		expect(gate.closedForMs).toBe(250);
	});

	it('counts those that were under way together once', async () => {
		const { gate, one } = openGate();
		const together = [await one(), await one(), await one()];
		for (const pass of together) pass.throttled({});
		expect(gate.closedForMs).toBe(250);
	});

	it('is nothing at Retry-After 0, and a breath when that is said again', async () => {
		const { gate, throttle, time } = openGate();
		await throttle(0);
		expect(gate.closedForMs).toBe(0);
		for (let times = 0; times < 5; times += 1) {
			await throttle(0);
			expect(gate.closedForMs).toBe(100);
			await time.advance(100);
		}
	});

	it('is exactly as asked, however often', async () => {
		const { gate, throttle, time } = openGate();
		for (let times = 0; times < 8; times += 1) {
			await throttle(1_000);
			expect(gate.closedForMs).toBe(1_000);
			await time.advance(1_000);
		}
	});

	it('is never longer than its scope allows', async () => {
		const scope = { of: {}, longestMs: 5_000 };
		const settings = { clock: () => 0, random: () => 0 };
		const gate = throttleGate(scope, { host: 'h', secret: '' }, settings);
		const pass = await gate.enter(PATIENT, async () => await Promise.resolve());
		pass?.throttled({ retryAfterMs: 86_400_000 });
		expect(gate.closedForMs).toBe(5_000);
	});

	it('does not change when the clock is put back, and ends when it is put forward', async () => {
		let wall = 1e12;
		const gate = new ThrottleGate({ clock: steadyClock(() => wall), random: () => 0 });
		const pass = await gate.enter(PATIENT, async () => undefined);
		pass?.throttled({ retryAfterMs: 10_000 });
		wall += 4_000;
		expect(gate.closedForMs).toBe(6_000);
		wall -= 3_600_000;
		expect(gate.closedForMs).toBe(6_000);
		wall += 1_000;
		expect(gate.closedForMs).toBe(5_000);
		wall += 3_600_000;
		expect(gate.closedForMs).toBe(0);
	});
});

describe('which gate it is', () => {
	const settings = { clock: () => 0, random: () => 0 };
	const host = 'https://api.example.com/v1';
	const gate = (of: object, secret = 'svc_live_1', where = host) =>
		throttleGate({ of }, { host: where, secret }, settings);

	it('is the same for one run and key, and another for everything else', () => {
		const run = {};
		expect(gate(run)).toBe(gate(run));
		const others = [
			gate({}),
			gate(run, 'svc_live_2'),
			gate(run, 'svc_live_1', 'https://storage.example.com'),
		];
		expect(new Set([gate(run), ...others]).size).toBe(4);
	});
});

it.each([
	[30_000, true],
	[30_001, undefined],
])('%i ms after it has opened, waiting counts on: %p', async (idleMs, isRefused) => {
	const { time, throttle, request: come } = openGate();
	await throttle(40_000);
	await time.advance(40_000 + idleMs);
	await throttle(40_000);
	expect((await come()).isRefused).toBe(isRefused);
});

it.each([
	[1, 1_000],
	[2, 500],
	[3, 250],
	[4, 250],
])(
	'four refusals double the wait, and %i good answers halve it again: %i ms',
	async (good, expected) => {
		const { gate, time, throttle, one } = openGate();
		for (let times = 0; times < 4; times += 1) {
			await throttle();
			await time.advance(gate.closedForMs);
		}
		for (let times = 0; times < good; times += 1) (await one()).answered();
		await throttle();
		expect(gate.closedForMs).toBe(expected);
	},
);

it('a late refusal counts as a first one, if others have been answered well since', async () => {
	const { gate, time, throttle, one } = openGate();
	const late = await one();
	await throttle(1_000);
	await time.advance(1_000);
	(await one()).answered();
	late.throttled({});
	expect(gate.closedForMs).toBe(250);
});

it('a request that may wait a millisecond queues for so long', async () => {
	const { time, throttle, request: come, one } = openGate();
	await throttle(1_000);
	await time.advance(1_000);
	const first = await one();
	const [queued, other] = [await come({ ms: 1, sinceFirstMs: 1 }), await come()];
	expect([queued, other]).toEqual([{}, {}]);
	await time.advance(1);
	expect([queued.isRefused, other]).toEqual([true, {}]);
	first.answered();
	await time.settle();
	expect(other.pass).toBeDefined();
});

it('nothing sleeps any more when all have passed or were refused', async () => {
	const { time, throttle, request: come } = openGate();
	await throttle(1_000);
	const requests = [await come(), await come(), await come({ ms: 1_500, sinceFirstMs: 1_500 })];
	await time.advance(1_000);
	for (const { pass } of requests) {
		pass?.answered();
		await time.settle();
	}
	expect(requests.map(({ pass }) => pass !== undefined)).toEqual([true, true, true]);
	expect(time.sleeping).toBe(0);
});

it('of all whose turn has not come, those are refused whose time is up', async () => {
	const { time, throttle, request: come } = openGate();
	await throttle(1_000);
	const limitsOf = (ms: number): WaitLimits => ({ ms, sinceFirstMs: 1e9 });
	const [first, short, long] = [
		await come(limitsOf(5_000)),
		await come(limitsOf(5_000)),
		await come(limitsOf(9_000)),
	];
	await time.advance(4_999);
	expect([first.pass !== undefined, short, long]).toEqual([true, {}, {}]);
	await time.advance(1);
	expect([short.isRefused, long]).toEqual([true, {}]);
	first.pass?.unanswered();
	await time.settle();
	expect(long.pass).toBeDefined();
	expect(time.sleeping).toBe(0);
});

describe('a service that takes one request a second', () => {
	/** Two hundred requests, ten side by side, each of them sent until it is taken. */
	async function play(retryAfterMs: number | undefined) {
		const time = virtualTime();
		const gate = new ThrottleGate({ clock: time.clock, random: () => 0.5 });
		const sent = { taken: 0, refused: 0, heldBack: 0 };
		let takesFrom = 0;
		const send = async (since: number): Promise<void> => {
			const pass = await gate.enter({ ...PATIENT, since }, time.sleep);
			if (pass === undefined) return void (sent.heldBack += 1);
			const isTaken = time.clock() >= takesFrom;
			if (isTaken) takesFrom = time.clock() + 1_000;
			await time.sleep(20);
			if (!isTaken) {
				sent.refused += 1;
				pass.throttled({ retryAfterMs });
				return await send(since);
			}
			sent.taken += 1;
			pass.answered();
		};
		const worker = async () => {
			for (let items = 0; items < 20; items += 1) await send(time.clock());
		};
		void Promise.all(Array.from({ length: 10 }, worker));
		await time.advance(600_000);
		return sent;
	}

	it.each([
		['and says when', 1_000, 220],
		['and does not say when', undefined, 440],
	])('%s: all pass in their time, seldom refused', async (_, retryAfterMs, most) => {
		const { taken, refused, heldBack } = await play(retryAfterMs);
		expect({ taken, heldBack }).toEqual({ taken: 200, heldBack: 0 });
		expect(refused).toBeLessThan(most);
	});
});
