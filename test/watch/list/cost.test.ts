import type { Progress } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import type { PollResult } from '../../../nodes/LeadGenPublishing/watch/list/turns/pollLists';

import { pollOnce, scannedState, serve, START, uuids } from '../pollHelpers';

const MINUTE = 60_000;
const DAY = 24 * 60;
const known = uuids(100_000);
const fresh = uuids(1_000, 99);
const grown = (grows?: Progress['grows']) => scannedState(known, { grows });

/** A poll per minute, for so many minutes; counts all records that are sent. */
async function watch(
	ids: readonly string[],
	given: { grows?: Progress['grows']; minutes: number },
): Promise<{ requests: number; records: number; mostRequests: number; checks: number }> {
	let state = scannedState(ids, { grows: given.grows });
	const sums = { requests: 0, records: 0, mostRequests: 0, checks: 0 };
	const page = serve(ids);
	for (let minute = 1; minute <= given.minutes; minute++) {
		const now = START + minute * MINUTE;
		const result = await pollOnce(
			state,
			async (request) => {
				const answer = await page(request);
				sums.records += answer.records.length;
				return answer;
			},
			{ now: () => now, deadline: now + 36_000 },
		);
		expect(result.delivered).toEqual([]);
		sums.requests += result.requests;
		sums.mostRequests = Math.max(sums.mostRequests, result.requests);
		sums.checks += result.completedChecks.length;
		state = result.state;
	}
	return sums;
}

describe('what an idle poll costs', () => {
	it.each([undefined, 'head', 'tail'] as const)(
		'is 1.1 requests on average over a day at 2,000 records that grow at: %s',
		async (grows) => {
			const { requests, mostRequests, checks } = await watch(uuids(2_000), { grows, minutes: DAY });
			expect(requests / DAY).toBeLessThanOrEqual(1.1);
			expect(mostRequests).toBeLessThanOrEqual(2);
			// Complete checks continue, four per day.
			expect(checks).toBeGreaterThanOrEqual(3);
		},
	);

	it.each([undefined, 'head', 'tail'] as const)(
		'is at most 2 requests at 100,000 records that grow at: %s',
		async (grows) => {
			const { requests, mostRequests } = await watch(known, { grows, minutes: 8 });
			expect(mostRequests).toBeLessThanOrEqual(2);
			expect(requests).toBeGreaterThanOrEqual(8);
		},
	);

	it('is 1 request at 100,000 records when nothing of the check is due', async () => {
		for (const grows of [undefined, 'head', 'tail'] as const) {
			expect((await pollOnce(grown(grows), serve(known))).requests).toBe(1);
		}
	});

	it('is 1 request for each end of a list that grows at both', async () => {
		expect((await pollOnce(grown('both'), serve(known))).requests).toBe(2);
	});

	// Before, an idle poll read 100 records at the head, 10 at the tail and 100 for the check.
	it.each([100, 2_000])('takes a quarter of the records it used to, at %i', async (size) => {
		const before = size === 100 ? 100 : 210;
		for (const grows of ['head', 'tail'] as const) {
			const { records } = await watch(uuids(size), { grows, minutes: 6 * 60 });
			expect(records / (6 * 60)).toBeLessThanOrEqual(before / 4);
		}
	});

	it('is 1 request for a list of less than a page', async () => {
		const few = uuids(99);
		for (const grows of [undefined, 'head', 'tail', 'both'] as const) {
			expect((await pollOnce(scannedState(few, { grows }), serve(few))).requests).toBe(1);
		}
	});

	it('asks for no write', async () => {
		expect((await pollOnce(grown(), serve(known))).worthStoring).toBe(false);
	});
});

describe('what is new', () => {
	const ends = [
		['head', undefined],
		['head', 'head'],
		['head', 'both'],
		['tail', undefined],
		['tail', 'tail'],
		['tail', 'both'],
	] as const;
	const counts = [1, 10, 100, 1_000];
	it.each(ends.flatMap(([end, grows]) => counts.map((count) => [count, end, grows] as const)))(
		'%i records at the %s, known to grow at %s: all at once, for a request per page',
		async (count, end, grows) => {
			const news = fresh.slice(0, count);
			const ids = end === 'head' ? [...news, ...known] : [...known, ...news];
			const result = await pollOnce(grown(grows), serve(ids));
			const inOrder = end === 'head' ? [...news].reverse() : news;
			expect(result.delivered.map(({ record }) => record.id)).toEqual(inOrder);
			const ends = grows === end ? 1 : grows === 'both' ? 2 : 3;
			expect(result.requests).toBeLessThanOrEqual(ends + Math.ceil(count / 100));
			expect(progressOf(result).grows).toBe(grows ?? end);
			expect(progressOf(result).end).toBe(ids.length);
		},
	);

	it('at the other end is found within one complete check, and both ends are looked at then', async () => {
		for (const [grows, other] of [
			['head', 'tail'],
			['tail', 'head'],
		] as const) {
			const list = uuids(500, 5);
			const ids = other === 'head' ? ['new', ...list] : [...list, 'new'];
			let state = scannedState(list, { grows });
			let polls = 0;
			for (let found = false; !found; polls++) {
				const now = START + polls * 10 * MINUTE;
				const result = await pollOnce(state, serve(ids), { now: () => now, deadline: now + 1e4 });
				({ state } = result);
				found = result.delivered.length > 0;
				expect(progressOf(result).grows).toBe(found ? 'both' : grows);
			}
			expect(polls).toBeLessThanOrEqual(6 * 6 + 2);
			const again = other === 'head' ? ['newer', ...ids] : [...ids, 'newer'];
			const next = await pollOnce(state, serve(again));
			expect(next.delivered.map(({ record }) => record.id)).toEqual(['newer']);
		}
	});

	it('in the middle shows in a list that has shown no news yet, and is sought at once', async () => {
		const list = uuids(1_000, 5);
		const ids = [...list.slice(0, 500), 'in-the-middle', ...list.slice(500)];
		const first = await pollOnce(scannedState(list), serve(ids));
		expect(first.delivered).toEqual([]);
		expect(progressOf(first).searching).toBe(START);
		const second = await pollOnce(first.state, serve(ids));
		expect(second.delivered.map(({ record }) => record.id)).toEqual(['in-the-middle']);
		expect(progressOf(second).grows).toBe('both');
		// The search ends when a check that began later finds nothing.
		let { state } = second;
		let polls = 0;
		for (; progressOf({ state }).searching !== undefined; polls++) {
			({ state } = await pollOnce(state, serve(ids)));
		}
		expect(polls).toBeLessThanOrEqual(4);
	});

	it('is found at the head although as much was taken away, once the list is known to grow there', async () => {
		const ids = ['new', ...known.slice(0, 50), ...known.slice(51)];
		const result = await pollOnce(grown('head'), serve(ids));
		expect(result.delivered.map(({ record }) => record.id)).toEqual(['new']);
	});

	it('shows in a list of a fixed length, whose oldest record makes room for the newest', async () => {
		const result = await pollOnce(grown(), serve(['new', ...known.slice(0, -1)]));
		expect(result.delivered.map(({ record }) => record.id)).toEqual(['new']);
	});

	it('is found below records that moved up', async () => {
		const moved = [...known.slice(30, 60), 'new', ...known.slice(0, 30), ...known.slice(60)];
		const result = await pollOnce(grown('head'), serve(moved));
		expect(result.delivered.map(({ record }) => record.id)).toEqual(['new']);
	});

	it('narrows the look to one end only after three checks agree', async () => {
		let ids = uuids(30, 7);
		let { state } = await pollOnce(scannedState(ids, { grows: 'both' }), serve(ids));
		const seen: unknown[] = [];
		for (let count = 0; count < 3; count++) {
			ids = [`new-${count}`, ...ids];
			({ state } = await pollOnce(state, serve(ids)));
			seen.push(progressOf({ state }).grows);
		}
		expect(seen).toEqual(['both', 'both', 'head']);
	});
});

describe('pages asked for at the same time', () => {
	const busy = () => {
		const state = scannedState(known, { grows: 'both', searching: START });
		const check = { ...progressOf({ state }).check, next: 5_000, since: START + 1 };
		return scannedState(known, { grows: 'both', searching: START, check });
	};

	it('are the tail and the check: two answers are waited for, not three', async () => {
		const concurrency: number[] = [];
		let running = 0;
		const page = serve(known);
		await pollOnce(busy(), async (request) => {
			running += 1;
			await new Promise(setImmediate);
			if (running > 0) concurrency.push(running);
			running = 0;
			return await page(request);
		});
		expect(concurrency.slice(0, 2)).toEqual([1, 2]);
	});

	it('are not believed where one is given for two places', async () => {
		const page = serve(known);
		let faults = 2;
		const result = await pollOnce(busy(), async (request) => {
			const repeated = request.offset > 0 && faults > 0;
			if (repeated) faults -= 1;
			return await page(repeated ? { ...request, offset: 50_000 } : request);
		});
		expect(result.requests).toBe(5 + 9);
		expect(result.failuresToReport).toEqual([]);
		expect(progressOf(result).end).toBe(known.length);
	});
});

function progressOf({ state }: Pick<PollResult, 'state'>): Progress {
	const [list] = Object.values(state.lists);
	if (list === undefined) throw new Error('no list');
	return list.progress;
}
