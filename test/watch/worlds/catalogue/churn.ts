/** Promises 1 to 3: orders, insertions and deletions between any two requests, and bursts. */
import type { Play } from '../play';
import type { Mode } from '../playedN8n';
import type { Order } from '../records';
import type { World } from '../world';

const ORDERS: readonly Order[] = ['newest', 'oldest', 'updated', 'uuid', 'shuffled'];
const ALL_MODES: readonly Mode[] = ['L', 'D-', 'D+'];

function removeSome(play: Play, count: number): void {
	for (let left = count; left > 0 && play.list().rows.length > 20; left--) play.remove(play.some());
}

/** In every poll, and between two requests, records may appear, disappear and change. */
async function churn(play: Play, polls: number): Promise<void> {
	const { chance } = play;
	let isOpen = true;
	play.service.before.push(() => {
		if (!isOpen) return;
		if (chance.happens(0.15)) removeSome(play, 1 + chance.below(2));
		if (chance.happens(0.15)) play.add(1);
		const row = play.some();
		// A change may move a record to a page that this poll has already read. If it is still due, it
		// then comes with the next poll.
		if (chance.happens(0.2) && row.due.length === 0)
			play.change(row, { name: `Name ${chance.below(1e6)}` });
	});
	await play.polls(polls, () => {
		if (chance.happens(0.25)) play.add(1 + chance.below(3));
		if (chance.happens(0.03)) play.add(40 + chance.below(200));
		if (chance.happens(0.2)) removeSome(play, 1 + chance.below(4));
	});
	isOpen = false;
	await play.polls(70);
}

const inOrder = (order: Order, size: number): World => ({
	name: `churn, ${order}, ${size} leads`,
	about: 'Promises 1 to 3: whatever the order of the list.',
	modes: ALL_MODES,
	seeds: 3,
	service: { order, times: { created: order === 'shuffled' } },
	story: async (play) => {
		play.existing(size);
		await play.baseline(70);
		await churn(play, 120);
	},
	// A first reading of a shuffled list misses records, which are then held back.
	errors: order === 'shuffled' ? [{ says: /appeared after the list was first read/ }] : [],
});

const bulk = (order: Order): World => ({
	name: `half of the list is deleted, ${order}`,
	about: 'Promise 3: after a bulk deletion one complete check more.',
	seeds: 4,
	service: { order },
	story: async (play) => {
		play.existing(1_000);
		await play.baseline(70);
		play.add(1);
		await play.polls(65);
		for (let round = 0; round < 3; round++) {
			const { chance } = play;
			const kind = round % 3;
			const { length } = play.list().rows;
			play
				.list()
				.removeAll(
					(row, at) =>
						row.due.length === 0 &&
						(kind === 0 ? chance.happens(0.5) : kind === 1 ? at < length / 2 : at >= length / 2),
					play.time.now,
				);
			play.add(3, order === 'uuid' ? { within: 120 } : {});
			await play.polls(10);
			play.add(30, order === 'uuid' ? { within: 120 } : {});
			await play.polls(130);
			play.add(400, order === 'uuid' ? { within: 120 } : {});
			await play.polls(70);
		}
	},
});

/** The end of the list stays in its place, although records appear. */
const constantLength = (order: Order, removes: 'any' | 'the oldest'): World => ({
	name: `a list of constant length, ${order}, ${removes} goes`,
	about: 'Promise 3: one deletion for each insertion hides nothing.',
	modes: ['L', 'D+'],
	seeds: 3,
	service: { order },
	story: async (play) => {
		play.existing(500);
		await play.baseline(70);
		await play.polls(250, (at) => {
			if (at % 2 === 1) return;
			const { rows } = play.list();
			const oldest = order === 'oldest' ? rows[0] : rows.at(-1);
			const row = removes === 'any' ? play.some() : oldest;
			if (row === undefined || row.due.length > 0) return;
			play.remove(row);
			play.add(1);
		});
		await play.polls(70);
	},
});

const rarely = (every: number, order: Order): World => ({
	name: `a poll every ${every} min, ${order}`,
	about: 'Promise 1 and 2 at any distance of polls; promise 3 where it counts polls.',
	modes: ['L', 'D+'],
	every,
	seeds: 2,
	service: { order },
	story: async (play) => {
		play.existing(700);
		await play.baseline(40);
		await play.polls(200, (at) => {
			if (at % 3 === 0) play.add(1 + play.chance.below(4), order === 'uuid' ? { within: 60 } : {});
			if (at % 4 === 0) removeSome(play, 2);
		});
		await play.polls(80);
	},
});

const slow = (order: Order, latencyMs: number, mode: Mode): World => ({
	name: `an answer takes ${latencyMs / 1000} s, ${order}, mode ${mode}`,
	about: 'Promise 1 to 3 where one or two pages fit into a poll.',
	modes: [mode],
	// A poll that takes five minutes ends before the next one.
	every: mode === 'L' ? 5 : 1,
	seeds: 2,
	service: { order, latencyMs },
	story: async (play) => {
		play.existing(500);
		await play.baseline(90);
		await play.polls(200, (at) => {
			if (at % 10 === 0) play.add(1, { within: order === 'uuid' ? 120 : 10 });
			if (at % 7 === 0) removeSome(play, 1);
		});
		await play.polls(120);
	},
	errors: [{ says: /./, atMost: 2 }],
});

export const CHURN: readonly World[] = [
	...ORDERS.flatMap((order) => [30, 250, 900].map((size) => inOrder(order, size))),
	...(['newest', 'oldest', 'updated', 'uuid'] as const).map(bulk),
	...(['newest', 'oldest', 'uuid'] as const).flatMap((order) => [
		constantLength(order, 'any'),
		constantLength(order, 'the oldest'),
	]),
	...[5, 60].flatMap((every) =>
		(['newest', 'oldest', 'uuid'] as const).map((order) => rarely(every, order)),
	),
	...(['newest', 'oldest', 'uuid'] as const).flatMap((order) => [
		slow(order, 9_000, 'D+'),
		slow(order, 14_000, 'D-'),
		slow(order, 25_000, 'L'),
	]),
];
