/** Promise 5: never backwards. */
import type { Play } from '../play';
import { MINUTE } from '../virtualTime';
import { PRINTED_ONLY, type World } from '../world';

type Staleness = 'a replica' | 'a cache';

/** Ten minutes behind on half of the requests, or for each page until it is read again. */
function makeStale(play: Play, how: Staleness): void {
	const readAt = new Map<string, number>();
	play.service.view = ({ path, offset }) => {
		if (how === 'a replica') return play.chance.happens(0.5) ? { lagMs: 10 * MINUTE } : {};
		const key = `${path} ${offset}`;
		const before = readAt.get(key) ?? -Infinity;
		if (play.time.now - before >= 10 * MINUTE) readAt.set(key, play.time.now);
		return { lagMs: play.time.now - (readAt.get(key) ?? play.time.now) };
	};
}

const STATUSES = ['scheduled', 'publishing', 'published', 'draft'];

const stale = (
	how: Staleness,
	event: 'leadChanged' | 'postStatusChanged' | 'activityChanged',
	given: { size: number; updated: boolean; order?: 'newest' | 'updated' },
): World => ({
	name: `${how} 10 min behind, ${event}, ${given.size} records${given.order === 'updated' ? ' by update' : ''}${given.updated ? '' : ', no update time'}`,
	about: 'Promise 5: an older version than the last one delivered produces no event.',
	trigger: { event },
	needs: [event],
	seeds: 3,
	service: {
		order: given.order ?? 'newest',
		times: { updated: given.updated, created: given.updated },
	},
	story: async (play) => {
		play.existing(given.size);
		await play.baseline(70);
		makeStale(play, how);
		const rows = [...play.list().rows];
		const steps = new Map<string, number>();
		await play.polls(600, (at) => {
			if (at % 30 !== 0) return;
			const row = play.chance.pick(rows);
			const step = steps.get(row.id) ?? 0;
			steps.set(row.id, step + 1);
			play.change(
				row,
				event === 'leadChanged'
					? { latest_keyword: `word ${at}`, has_intent: play.chance.happens(0.5) }
					: { status: STATUSES[step % STATUSES.length] },
				{ within: 80 },
			);
		});
		await play.polls(100);
	},
	...(given.updated ? {} : { bounds: PRINTED_ONLY }),
});

const staleNews = (how: Staleness): World => ({
	name: `${how} 10 min behind, newLead`,
	about: 'Promise 2: a lagging answer makes no lead new again.',
	seeds: 3,
	story: async (play) => {
		play.existing(350);
		await play.baseline(70);
		makeStale(play, how);
		await play.polls(300, (at) => {
			if (at % 5 === 0) play.add(1, { within: 22 });
			if (at % 11 === 0) {
				const row = play.some();
				if (row.due.length === 0) play.remove(row);
			}
		});
		await play.polls(40);
	},
});

export const REPLICAS: readonly World[] = [
	...(['leadChanged', 'postStatusChanged', 'activityChanged'] as const).flatMap((event) => [
		stale('a replica', event, { size: 80, updated: true }),
		stale('a replica', event, { size: 300, updated: true }),
		stale('a cache', event, { size: 80, updated: true }),
		stale('a cache', event, { size: 300, updated: true }),
		stale('a replica', event, { size: 80, updated: true, order: 'updated' }),
		stale('a replica', event, { size: 80, updated: false }),
	]),
	staleNews('a replica'),
	staleNews('a cache'),
];
