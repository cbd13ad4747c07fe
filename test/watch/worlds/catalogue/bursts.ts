/** Promises 3 and 8 in bursts: leftovers, deletions between two pages, replicas far behind. */
import type { End, Order } from '../records';
import type { Play } from '../play';
import type { World } from '../world';

const ORDER_OF: Record<End, Order> = { head: 'newest', tail: 'oldest', anywhere: 'uuid' };

const leftovers = (end: End, given: { isFirst: boolean; size: number }): World => ({
	name: `150 new leads, 50 a batch, ${end}${given.isFirst ? '' : ', after other news'}, ${given.size} leads`,
	about: 'Promise 3: what does not fit into a batch follows, one full batch per poll.',
	options: { maxItemsPerPoll: 50 },
	modes: ['L', 'D-', 'D+'],
	seeds: 2,
	service: { order: ORDER_OF[end] },
	story: async (play) => {
		play.existing(given.size);
		await play.baseline(130);
		if (!given.isFirst) {
			play.add(2);
			await play.polls(65);
		}
		play.add(150);
		await play.polls(70);
		play.add(150);
		play.add(120);
		await play.polls(70);
	},
});

const big = (
	name: string,
	given: { size: number; end: End; batch: number; burst: number },
): World => ({
	name,
	about: 'Promise 8: a burst of 2,000 with 25 a batch costs no more than 250 requests.',
	options: { maxItemsPerPoll: given.batch },
	seeds: 2,
	service: { order: ORDER_OF[given.end] },
	story: async (play) => {
		play.existing(given.size);
		await play.baseline(200);
		play.add(1);
		await play.polls(65);
		await play.metering(async () => {
			play.add(given.burst);
			await play.polls(Math.ceil(given.burst / given.batch) + 6);
		});
		// What appears anywhere is found by the next complete check.
		if (given.end === 'anywhere') await play.polls(65);
	},
	bounds: { requests: 250 },
});

/**
 * In the next reading, this many are removed at once between the first two pages, or some before
 * each page.
 */
function deleteBetweenPages(play: Play, count: number, each: number): void {
	let left = count;
	play.service.before.push(({ offset, path }) => {
		if (left <= 0 || offset === 0 || !path.endsWith('/leads')) return;
		for (let now = each; now > 0 && left > 0; now--, left--) {
			const { rows } = play.list();
			const row = rows[play.chance.below(Math.max(1, Math.min(rows.length, offset)))];
			if (row !== undefined) play.remove(row);
		}
	});
}

const deletions = (
	count: number,
	given: { burst: number; batch: number; each: number },
): World => ({
	name: `${count} deletions${given.each < count ? `, ${given.each} at a time,` : ''} between pages of a burst of ${given.burst}, ${given.batch} a batch`,
	about: 'Promise 3: also in a burst and during deletions.',
	options: { maxItemsPerPoll: given.batch },
	seeds: 5,
	story: async (play) => {
		play.existing(600);
		await play.baseline(70);
		play.add(1);
		await play.polls(6);
		for (let round = 0; round < 3; round++) {
			deleteBetweenPages(play, count, given.each);
			play.add(given.burst);
			await play.polls(Math.ceil(given.burst / given.batch) + 10);
		}
	},
});

const bulkBetweenPages = (count: number): World => ({
	name: `${count} at once deleted between two pages of a burst of 400`,
	about: 'Promise 3: also in a burst and during deletions.',
	seeds: 5,
	story: async (play) => {
		play.existing(600);
		await play.baseline(70);
		play.add(1);
		await play.polls(6);
		let isDone = false;
		play.service.before.push(({ offset }) => {
			if (isDone || offset === 0) return;
			isDone = true;
			for (const row of play.list().rows.slice(0, count)) play.remove(row);
		});
		play.add(400);
		await play.polls(80);
	},
});

/** In the middle of the list, away from both ends. */
const inTheMiddle = (size: number): World => ({
	name: `150 new leads, 50 a batch, in the middle of ${size}`,
	about: 'Promise 3: within an hour, and what does not fit into a batch follows.',
	options: { maxItemsPerPoll: 50 },
	modes: ['L', 'D-', 'D+'],
	seeds: 2,
	story: async (play) => {
		play.existing(size);
		await play.baseline(130);
		play.add(150, { at: size / 2, within: 60 });
		await play.polls(64);
		play.add(100, { at: size / 3, within: 60 });
		await play.polls(64);
	},
});

type Lagging = 'half of the requests' | 'every other request' | 'the first request of each poll';

const behindInBurst = (when: Lagging, size: number): World => ({
	name: `${when} miss 100 leads of a burst of 400, ${size} leads`,
	about: 'Promise 3: also in a burst, if some answers lack the newest.',
	seeds: 4,
	story: async (play) => {
		play.existing(size);
		await play.baseline(70);
		play.add(1);
		await play.polls(6);
		let requests = 0;
		let lastPoll = -1;
		play.service.view = () => {
			requests++;
			const isFirst = play.n8n.polls !== lastPoll;
			lastPoll = play.n8n.polls;
			const isBehind = {
				'half of the requests': play.chance.happens(0.5),
				'every other request': requests % 2 === 0,
				'the first request of each poll': isFirst,
			}[when];
			return isBehind ? { missesNewest: 100 } : {};
		};
		play.add(400, { within: 12 });
		await play.polls(11);
		play.service.view = () => ({});
		await play.polls(70);
	},
});

export const BURSTS: readonly World[] = [
	inTheMiddle(300),
	inTheMiddle(2_000),
	...(['head', 'tail', 'anywhere'] as const).flatMap((end) => [
		leftovers(end, { isFirst: true, size: 60 }),
		leftovers(end, { isFirst: true, size: 120 }),
		leftovers(end, { isFirst: true, size: 300 }),
		leftovers(end, { isFirst: false, size: 300 }),
		leftovers(end, { isFirst: true, size: 2_000 }),
	]),
	big('a burst of 2,000, 25 a batch, at the head', {
		size: 500,
		end: 'head',
		batch: 25,
		burst: 2_000,
	}),
	big('a burst of 2,000, 25 a batch, at the tail', {
		size: 500,
		end: 'tail',
		batch: 25,
		burst: 2_000,
	}),
	big('a burst of 2,000, 25 a batch, anywhere', {
		size: 500,
		end: 'anywhere',
		batch: 25,
		burst: 2_000,
	}),
	big('a burst of 2,000, 1,000 a batch, at the head', {
		size: 500,
		end: 'head',
		batch: 1_000,
		burst: 2_000,
	}),
	big('a burst of 2,000, 25 a batch, on 20,000', {
		size: 20_000,
		end: 'head',
		batch: 25,
		burst: 2_000,
	}),
	big('a burst of 200, 1 a batch, at the head', { size: 300, end: 'head', batch: 1, burst: 60 }),
	deletions(5, { burst: 400, batch: 1_000, each: 5 }),
	deletions(5, { burst: 400, batch: 50, each: 5 }),
	deletions(30, { burst: 400, batch: 100, each: 2 }),
	deletions(30, { burst: 400, batch: 1_000, each: 15 }),
	bulkBetweenPages(30),
	bulkBetweenPages(150),
	behindInBurst('half of the requests', 600),
	behindInBurst('every other request', 600),
	behindInBurst('half of the requests', 60),
	behindInBurst('the first request of each poll', 600),
	{
		name: 'few match a filter, with leftovers',
		about: 'Promise 3: records that a filter holds back do not hide those that it lets through.',
		filters: { keyword: 'rare' },
		options: { maxItemsPerPoll: 5 },
		modes: ['L', 'D+'],
		seeds: 4,
		story: async (play) => {
			play.existing(500, { fields: () => ({ latest_keyword: 'usual' }) });
			await play.baseline(70);
			for (let round = 0; round < 4; round++) {
				for (let at = 0; at < 18; at++) {
					play.add(1, { fields: { latest_keyword: 'rare' }, within: 8 });
					play.add(16, { fields: { latest_keyword: 'usual' }, newness: 'never' });
				}
				await play.polls(40);
			}
		},
	},
	{
		name: 'a held-back lead comes to match the filter',
		about: 'Promise 1: a lead that the filter held back is delivered once it matches.',
		filters: { keyword: 'rare' },
		modes: ['L', 'D+'],
		seeds: 2,
		story: async (play) => {
			play.existing(250, { fields: { latest_keyword: 'usual' } });
			await play.baseline(70);
			for (let round = 0; round < 6; round++) {
				const row = play.some();
				if (row.newness === 'must') continue;
				play.change(row, { latest_keyword: 'rare' });
				row.newness = 'must';
				play.expectNew(row, 60);
				const [held] = play.add(1, { fields: { latest_keyword: 'usual' }, newness: 'never' });
				await play.polls(65);
				if (held === undefined) continue;
				play.change(held, { latest_keyword: 'rare' });
				held.newness = 'must';
				play.expectNew(held, 60);
				await play.polls(65);
			}
		},
	},
	{
		name: 'a restart after ten quiet days, 20,000 leads',
		about: 'Promise 8: an idle poll makes at most 3 requests at any size, also after a restart.',
		modes: ['L', 'D-', 'D+'],
		every: 10,
		seeds: 1,
		story: async (play) => {
			play.existing(20_000);
			await play.baseline(300);
			play.add(1);
			await play.polls(3);
			await play.polls(10 * 144);
			const before = play.service.requests;
			await play.restart();
			const requests = play.service.requests - before;
			play.mustHold(`a restart makes ${requests} requests`, requests <= 12);
			await play.idlePolls(30);
			play.add(3);
			await play.polls(5);
		},
		bounds: { idleRequests: Infinity },
	},
];
