/** Promise 8: small cost. */
import type { Play } from '../play';
import type { Order } from '../records';
import type { World } from '../world';

const idle = (size: number, order: Order, given: { most: number; mean: number }): World => ({
	name: `idle, ${size} leads, ${order}`,
	about: 'Promise 8: an idle poll makes at most 3 requests at any size.',
	seeds: 1,
	service: { order },
	story: async (play) => {
		play.existing(size);
		await play.baseline(Math.max(130, size / 200));
		play.add(1);
		await play.polls(10);
		await play.idlePolls(240);
	},
	bounds: { idleRequests: given.most, meanIdleRequests: given.mean },
});

/** The cost of a poll that delivers this many. */
async function costsOfNews(play: Play, idleMost: number): Promise<void> {
	for (const count of [1, 10, 50, 89, 90, 91, 100, 180, 181, 500]) {
		play.add(count);
		const before = play.service.requests;
		await play.polls(1);
		const requests = play.service.requests - before;
		const most = idleMost + Math.ceil(count / 90) + 1;
		play.mustHold(`${count} new ones cost ${requests} requests, at most ${most}`, requests <= most);
		await play.polls(9);
	}
}

const news = (order: 'newest' | 'oldest', size: number): World => ({
	name: `what news cost, ${order}, ${size} leads`,
	about: 'Promise 8: k new records cost ⌈k/90⌉ + 1 more than an idle poll.',
	seeds: 2,
	service: { order },
	story: async (play) => {
		play.existing(size);
		await play.baseline(130);
		play.add(1);
		await play.polls(10);
		await costsOfNews(play, 3);
	},
});

export const COST: readonly World[] = [
	idle(50, 'newest', { most: 1, mean: 1 }),
	idle(98, 'newest', { most: 1, mean: 1 }),
	idle(98, 'oldest', { most: 1, mean: 1 }),
	idle(120, 'newest', { most: 3, mean: 1.6 }),
	idle(2_000, 'newest', { most: 3, mean: 1.8 }),
	idle(2_000, 'oldest', { most: 3, mean: 2.7 }),
	idle(5_000, 'newest', { most: 3, mean: 3 }),
	idle(5_000, 'oldest', { most: 3, mean: 3 }),
	idle(5_000, 'uuid', { most: 3, mean: 3 }),
	idle(100_000, 'newest', { most: 3, mean: 3 }),
	idle(100_000, 'oldest', { most: 3, mean: 3 }),
	news('newest', 300),
	news('newest', 2_000),
	news('oldest', 300),
	news('oldest', 2_000),
	{
		name: '300 idle clients with 100 leads each',
		about: 'Promise 8: 330 requests at most. Promise 9: 400 bytes per client.',
		trigger: { event: 'newLead', watch: 'allClients' },
		seeds: 1,
		service: { clients: 300 },
		story: async (play) => {
			for (let at = 0; at < 300; at++) play.existing(100, { list: play.client(at) });
			await play.baseline(10);
			for (let at = 0; at < 5; at++) play.add(1, { list: play.client(7 * at) });
			await play.polls(6);
			await play.idlePolls(12);
		},
		bounds: { idleRequests: 330 },
	},
];
