/** Answers that may hide records pause the reading; they neither end it nor make it wrong. */
import { USUAL_PACE } from '../../../nodes/LeadGenPublishing/watch/list/pace';
import type { FetchListPage, ListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { emptyWatch, type WatchState } from '../../../nodes/LeadGenPublishing/watch/store/state';
import type { PollResult } from '../../../nodes/LeadGenPublishing/watch/list/turns/pollLists';

import { newLeads, pollOnce, scannedState, serve, uuids } from '../pollHelpers';

const SETTINGS = {
	...{ rules: newLeads, pace: USUAL_PACE, emitExisting: false },
	...{ maxItems: 100_000, maxRequests: 10_000 },
};

type Request = Parameters<FetchListPage>[0];
const blank = ({ limit }: Request): ListPage => ({ records: [], limit, hasMore: true });
/** A service that answers differently where `when` says so. */
const mixed =
	(ids: readonly string[], when: (request: Request) => ListPage | undefined): FetchListPage =>
	async (request) =>
		when(request) ?? (await serve(ids)(request));
const idsOf = ({ delivered }: PollResult): unknown[] => delivered.map(({ record }) => record.id);
const progressOf = (state: WatchState) => Object.values(state.lists)[0]?.progress;
const polls = async (
	state: WatchState,
	page: FetchListPage,
	count: number,
): Promise<PollResult[]> => {
	const results: PollResult[] = [];
	for (let left = count; left > 0; left--) {
		results.push(await pollOnce(results.at(-1)?.state ?? state, page));
	}
	return results;
};

describe('a first scan', () => {
	const ids = uuids(1_000);

	it.each([1, 3, 4])(
		'waits while the head is blank for %i polls, and knows all then',
		async (count) => {
			const few = ids.slice(0, 80);
			const blind = await polls(emptyWatch('line'), mixed(few, blank), count);
			const scanned = await pollOnce(blind.at(-1)?.state as WatchState, serve(few));
			expect(scanned.delivered).toEqual([]);
			expect(idsOf(await pollOnce(scanned.state, serve(['new', ...few])))).toEqual(['new']);
		},
	);

	it('waits at a blank page in the middle, and goes on there', async () => {
		const page = mixed(ids, (request) =>
			request.offset >= 300 && request.offset < 500 ? blank(request) : undefined,
		);
		const [first] = await polls(emptyWatch('line'), page, 1);
		expect(progressOf(first?.state as WatchState)?.baseline?.next).toBeGreaterThanOrEqual(290);
		const scanned = await pollOnce(first?.state as WatchState, serve(ids));
		expect(progressOf(scanned.state)?.baseline).toBeUndefined();
		expect(idsOf(await pollOnce(scanned.state, serve(['new', ...ids])))).toEqual(['new']);
	});

	it('takes a service at its word after five polls, says so once, and asks little all the while', async () => {
		const results = await polls(emptyWatch('line'), mixed([], blank), 40);
		expect(Math.max(...results.map(({ requests }) => requests))).toBeLessThanOrEqual(8);
		const told = results.map(({ notices }) =>
			notices.some((text) => /taken at its word/.test(text)),
		);
		expect(told.indexOf(true)).toBe(5);
		expect(told.filter(Boolean)).toHaveLength(1);
		expect(progressOf(results.at(-1)?.state as WatchState)?.baseline).toBeUndefined();
	});

	const last = { records: [{ id: ids[229] }], limit: 100, offset: 700, hasMore: false };

	it.each([1, 4])(
		'waits while its first page is one for another place for %i polls, and knows all then',
		async (count) => {
			const few = ids.slice(0, 230);
			const misled = await polls(emptyWatch('line'), async () => last, count);
			expect(progressOf(misled.at(-1)?.state as WatchState)?.baseline?.next).toBe(0);
			const scanned = await pollOnce(misled.at(-1)?.state as WatchState, serve(few));
			expect(scanned.delivered).toEqual([]);
			expect(progressOf(scanned.state)?.elsewhere).toBeUndefined();
			expect(idsOf(await pollOnce(scanned.state, serve(['new', ...few])))).toEqual(['new']);
		},
	);

	it('takes places that are counted in another way at their word after five polls', async () => {
		const odd: (list: readonly string[]) => FetchListPage = (list) => async (request) => ({
			...(await serve(list)(request)),
			offset: request.offset / 100 + 1,
		});
		const few = ids.slice(0, 230);
		const waiting = await polls(emptyWatch('line'), odd(few), 5);
		expect(waiting.map(({ requests }) => requests)).toEqual([3, 3, 3, 3, 3]);
		const scanned = await pollOnce(waiting.at(-1)?.state as WatchState, odd(few));
		expect(progressOf(scanned.state)?.baseline).toBeUndefined();
		const news = await pollOnce(scanned.state, odd(['new', ...few]));
		expect(idsOf(news)).toEqual(['new']);
		expect((await pollOnce(news.state, odd(['new', ...few]))).requests).toBeLessThanOrEqual(2);
	});

	it('reads on behind blank pages that stay', async () => {
		const page: FetchListPage = async (request) => {
			const gone = request.offset + request.limit > 300 && request.offset < 500;
			return gone ? blank(request) : await serve(ids)(request);
		};
		const { state } = (await polls(emptyWatch('line'), page, 12)).at(-1) as PollResult;
		expect(progressOf(state)?.baseline).toBeUndefined();
		expect(
			idsOf(
				await pollOnce(
					state,
					mixed(['new', ...ids], () => undefined),
				),
			),
		).toContain('new');
	});

	it('asks twice where a list ends after several pages: it may have been cut off', async () => {
		let cuts = 1;
		const page = mixed(ids, (request) =>
			request.offset >= 400 && cuts-- > 0
				? {
						records: ids.slice(request.offset, 450).map((id) => ({ id })),
						limit: 100,
						hasMore: false,
					}
				: undefined,
		);
		const scanned = await pollOnce(emptyWatch('line'), page);
		expect(Object.values(scanned.state.lists)[0]?.n).toBe(1_000);
	});

	it('reads every record of a service that gives half a page and does not say so', async () => {
		const page: FetchListPage = async ({ offset, limit }) => ({
			records: ids.slice(offset, offset + 50).map((id) => ({ id })),
			limit,
			hasMore: offset + 50 < ids.length,
		});
		expect(Object.values((await pollOnce(emptyWatch('line'), page)).state.lists)[0]?.n).toBe(1_000);
	});

	it('is not misled by a limit that is told smaller or greater than it is', async () => {
		for (const limit of [10, 50, 1_000]) {
			const page: FetchListPage = async (request) => ({ ...(await serve(ids)(request)), limit });
			const { state } = await pollOnce(emptyWatch('line'), page);
			expect(Object.values(state.lists)[0]?.n).toBe(1_000);
		}
	});
});

describe('a list that is known', () => {
	it('is asked three times for a page of another place, and from the next poll on once', async () => {
		const list = uuids(50);
		const odd: FetchListPage = async (request) => ({ ...(await serve(list)(request)), offset: 7 });
		const idle = await polls(scannedState(list), odd, 3);
		expect(idle.map(({ requests }) => requests)).toEqual([3, 1, 1]);
		expect(idle[0]?.worthStoring).toBe(true);
		expect(progressOf(idle[2]?.state as WatchState)?.elsewhere).toBe(true);
	});

	it('is asked three times again once a page beyond its head was at the place asked for', async () => {
		const list = uuids(350);
		const placed =
			(places: (offset: number) => number): FetchListPage =>
			async (request) => ({
				...(await serve(list)(request)),
				offset: places(request.offset),
			});
		const misled = await pollOnce(
			scannedState(list),
			placed(() => 7),
		);
		expect(progressOf(misled.state)?.elsewhere).toBe(true);
		const right = await pollOnce(
			misled.state,
			placed((offset) => offset),
		);
		expect(progressOf(right.state)?.elsewhere).toBeUndefined();
	});

	const ids = uuids(500);

	it('costs a few requests while it is blank, and delivers what came meanwhile', async () => {
		for (const count of [2, 30]) {
			const results = await polls(scannedState(ids, { grows: 'head' }), mixed(ids, blank), count);
			expect(Math.max(...results.map(({ requests }) => requests))).toBeLessThanOrEqual(8);
			expect(results.flatMap(idsOf)).toEqual([]);
			const state = results.at(-1)?.state as WatchState;
			expect(idsOf(await pollOnce(state, serve(['new', ...ids])))).toEqual(['new']);
		}
	});

	it('is not taken for shorter by more than a page before five polls have said so', async () => {
		const cut = serve(ids.slice(0, 60));
		const results = await polls(scannedState(ids, { grows: 'both' }), cut, 7);
		const ends = results.map(({ state }) => progressOf(state)?.end ?? 0);
		expect(Math.min(...ends.slice(0, 5))).toBeGreaterThan(400);
		expect(results.slice(0, 5).flatMap(({ completedChecks }) => completedChecks)).toEqual([]);
		expect(ends.at(-1)).toBe(60);
		expect(results.flatMap(idsOf)).toEqual([]);
	});

	it('whose pages always announce more has an end all the same', async () => {
		const endless: FetchListPage = async (request) => ({
			...(await serve(ids)(request)),
			hasMore: true,
		});
		const results = await polls(scannedState(ids, { grows: 'tail' }), endless, 12);
		expect(results.at(-1)?.requests).toBeLessThanOrEqual(5);
		const more: FetchListPage = async (request) => ({
			...(await serve([...ids, 'new'])(request)),
			hasMore: true,
		});
		expect(idsOf(await pollOnce(results.at(-1)?.state as WatchState, more))).toEqual(['new']);
	});

	it('reads the gap that a short budget left at the head, and at the tail, before anything else', async () => {
		const news = uuids(350, 9);
		for (const [grows, grown] of [
			['head', [...news, ...ids]],
			['tail', [...ids, ...news]],
		] as const) {
			let state = scannedState(ids, { grows });
			const got: unknown[] = [];
			for (let poll = 0; poll < 6; poll++) {
				const settings = { ...SETTINGS, maxRequests: 2 };
				const result = await pollOnce(state, serve(grown), { settings });
				got.push(...idsOf(result));
				// Stored as text, as n8n does: what is left for the next poll must survive that.
				state = JSON.parse(JSON.stringify(result.state)) as WatchState;
			}
			expect([...got].sort()).toEqual([...news].sort());
		}
	});
});
