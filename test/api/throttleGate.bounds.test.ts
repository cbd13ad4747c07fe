/** The throttle gate to the millisecond, and what it leaves behind. */
import {
	ThrottleGate,
	type Pass,
	type WaitLimits,
} from '../../nodes/LeadGenPublishing/api/throttleGate';
import { throttleGate } from '../../nodes/LeadGenPublishing/api/throttleGates';
import { virtualTime } from './virtualTime';

const PATIENT: WaitLimits = { ms: 600_000, sinceFirstMs: 60_000 };

function gateInVirtualTime() {
	const time = virtualTime();
	const gate = new ThrottleGate({ clock: time.clock, random: () => 0 });
	/** What became of a request that comes now. */
	const come = async (patience = PATIENT) => {
		const request: { pass?: Pass; isRefused?: true } = {};
		void gate.enter(patience, time.sleep).then((pass) => {
			if (pass === undefined) request.isRefused = true;
			else request.pass = pass;
		});
		await time.settle();
		return request;
	};
	const one = async (): Promise<Pass> => {
		const { pass } = await come();
		if (pass === undefined) throw new Error('It did not pass');
		return pass;
	};
	const throttle = async (retryAfterMs?: number) => (await one()).throttled({ retryAfterMs });
	return { time, gate, come, one, throttle };
}

it.each([
	[30_000, true],
	[30_001, undefined],
])('%i ms after it has opened, waiting counts on: %p', async (idleMs, isRefused) => {
	const { time, throttle, come } = gateInVirtualTime();
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
		const { gate, time, throttle, one } = gateInVirtualTime();
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
	const { gate, time, throttle, one } = gateInVirtualTime();
	const late = await one();
	await throttle(1_000);
	await time.advance(1_000);
	(await one()).answered();
	late.throttled({});
	expect(gate.closedForMs).toBe(250);
});

it('a request that may wait a millisecond queues for so long', async () => {
	const { time, throttle, come, one } = gateInVirtualTime();
	await throttle(1_000);
	await time.advance(1_000);
	const first = await one();
	const [queued, other] = [await come({ ms: 1, sinceFirstMs: 1 }), await come(PATIENT)];
	expect([queued, other]).toEqual([{}, {}]);
	await time.advance(1);
	expect([queued.isRefused, other]).toEqual([true, {}]);
	first.answered();
	await time.settle();
	expect(other.pass).toBeDefined();
});

it('nothing sleeps any more when all have passed or were refused', async () => {
	const { time, throttle, come } = gateInVirtualTime();
	await throttle(1_000);
	const requests = [await come(), await come(), await come({ ms: 1_500, sinceFirstMs: 1_500 })];
	await time.advance(1_000);
	requests[0]?.pass?.answered();
	await time.settle();
	expect(requests.map(({ pass }) => pass !== undefined)).toEqual([true, true, true]);
	expect(time.sleeping).toBe(0);
});

it('of all whose turn has not come, those are refused whose time is up', async () => {
	const { time, throttle, come } = gateInVirtualTime();
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

it('of the gates of a run, the fifty that were used last are kept', () => {
	const run = {};
	const settings = { clock: () => 0, random: () => 0 };
	const gateOf = (secret: string) => throttleGate({ of: run }, { host: 'h', secret }, settings);
	const [first, second] = [gateOf('first'), gateOf('second')];
	for (let index = 0; index < 49; index += 1) gateOf(`other ${index}`);
	expect(gateOf('second')).toBe(second);
	expect(gateOf('first')).not.toBe(first);
});
