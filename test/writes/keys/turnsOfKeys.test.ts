/**
 * Items with one key take turns: how long they wait, and what is remembered. Only waiting moves the
 * clock.
 */
import type { BoundApi } from '../../../nodes/LeadGenPublishing/item/itemCall';
import {
	isTaken,
	newKeyMemory,
	type KeyMemory,
} from '../../../nodes/LeadGenPublishing/writes/keys/keyMemory';
import { Turns } from '../../../nodes/LeadGenPublishing/writes/keys/turns';

const LOST_AT_1 = { kind: 'lost', at: 1 } as const;

/** Takes a turn for this work. */
async function during<T>(
	turns: Turns<KeyMemory>,
	[key, given]: Parameters<Turns<KeyMemory>['take']>,
	work: (memory: KeyMemory) => Promise<T>,
): Promise<T> {
	const { memory, end } = await turns.take(key, given);
	return await work(memory).finally(end);
}

describe('turns', () => {
	function clock() {
		let now = 0;
		const waiting: Array<() => void> = [];
		const pauses: number[] = [];
		const wait = async (ms: number) => {
			now += ms;
			pauses.push(ms);
			await new Promise<void>((resolve) => waiting.push(resolve));
		};
		const api = { now: () => now, wait } as unknown as BoundApi;
		const go = () => waiting.splice(0).forEach((on) => on());
		return { turn: { api, deadline: 1_000, tooLate: () => isTaken('post') }, go, pauses };
	}

	it('wait no longer than the item may, and check less often as time passes', async () => {
		const turns = new Turns(newKeyMemory);
		const { turn, go, pauses } = clock();
		void turns.take('a', turn);
		const second = turns.take('a', turn);
		const ended = expect(second).rejects.toMatchObject({
			message: expect.stringMatching(
				/did not finish within "Max Wait \(Seconds\)"\. Nothing was sent$/,
			) as string,
			remedy:
				'Run the node again. The node first looks for the record that the other execution was creating.',
			details: { code: 'being_created', retryable: true },
		});
		for (let pause = 0; pause < 20; pause += 1) {
			go();
			await new Promise(setImmediate);
		}
		await ended;
		expect(pauses).toEqual([20, 40, 80, 160, 320, 380]);
	});

	it('are handed over at once, in the order of their requests', async () => {
		const turns = new Turns(newKeyMemory);
		const { turn, pauses } = clock();
		const order: number[] = [];
		const work = async (item: number) =>
			await during(turns, ['a', turn], async () => {
				await new Promise(setImmediate);
				order.push(item);
			});
		const all = Array.from({ length: 50 }, (_, item) => item);
		await Promise.all(all.map(work));
		expect(order).toEqual(all);
		// No item had to wait for a second check.
		expect(pauses).toHaveLength(49);
	});

	// Its rejection takes a few microtasks. The turn may come in any of them.
	it.each([0, 1, 2, 3, 4, 5, 20])(
		'go to the next one if an item gives up %i microtasks before it gets its turn, or as long after',
		async (microtasks) => {
			for (const isBefore of [true, false]) {
				const turns = new Turns(newKeyMemory);
				const { turn } = clock();
				const { end } = await turns.take('a', turn);
				let cancel: (error: Error) => void = () => undefined;
				const wait = async () => await new Promise<void>((_, reject) => (cancel = reject));
				const api = { ...turn.api, wait } as unknown as BoundApi;
				const canceled = turns.take('a', { ...turn, api });
				const third = turns.take('a', turn);
				const given = canceled.then(
					(turn) => turn.end(),
					() => undefined,
				);
				const giveUp = () => cancel(new Error('Canceled'));
				const [one, other] = isBefore ? [giveUp, end] : [end, giveUp];
				one();
				for (let count = 0; count < microtasks; count += 1) await Promise.resolve();
				other();
				await given;
				expect((await third).memory.state.kind).toBe('nothingKnown');
			}
		},
	);

	it('are taken by one of two that begin in the same moment', async () => {
		const turns = new Turns(newKeyMemory);
		const { turn } = clock();
		const begun = [1, 2].map(async () => {
			const taken = await turns.take('a', { ...turn, deadline: 0 });
			await new Promise(setImmediate);
			taken.end();
		});
		const outcomes = await Promise.allSettled(begun);
		expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
	});

	it('remember the ten thousand keys used last, and those in use', async () => {
		const turns = new Turns(newKeyMemory);
		const { turn } = clock();
		let end = (): void => undefined;
		const inUse = during(turns, ['in use', turn], async (memory) => {
			memory.state = LOST_AT_1;
			await new Promise<void>((resolve) => (end = resolve));
		});
		const mark = async (key: string) =>
			await during(
				turns,
				[key, turn],
				async (memory) => await Promise.resolve((memory.state = LOST_AT_1)),
			);
		const use = async (key: string) =>
			await during(turns, [key, turn], async ({ state }) => await Promise.resolve(state.kind));
		for (let index = 0; index < 9_999; index += 1) await mark(`key ${index}`);
		expect(await use('key 0')).toBe('lost');
		await mark('one more');
		expect([await use('key 0'), await use('key 2'), await use('key 1')]).toEqual([
			...['lost', 'lost', 'nothingKnown'],
		]);
		end();
		await inUse;
		expect(await use('in use')).toBe('lost');
	});
});
