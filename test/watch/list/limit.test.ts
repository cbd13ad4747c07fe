/**
 * The trigger remembers a limited number of records; records that have left the list do not count.
 */
import type { WatchState } from '../../../nodes/LeadGenPublishing/watch/store/state';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { Chance } from '../random';
import { newLeads, pollOnce, scannedState, serve, START, uuids } from '../pollHelpers';

const LIMIT = 1_000;
const settings = {
	...{ rules: newLeads, emitExisting: false, maxItems: 10_000, maxRequests: 10_000 },
	...{ pace: { maxPages: 3, maxPagesWhenSearching: 10 }, maxRecords: LIMIT },
};
let now = START;
const poll = async (state: WatchState, page: FetchListPage) => {
	now += 60_000;
	return await pollOnce(state, page, { settings, now: () => now, deadline: now + 1e4 });
};
const sizeOf = (state: WatchState): number => Object.values(state.lists)[0]?.n ?? 0;
describe('near the limit', () => {
	it('a list that turns over for ever goes on being delivered, each record once, in a bounded state', async () => {
		const all = uuids(6_000, 3);
		let from = all.length - 500;
		let { state } = await poll(scannedState([]), serve(all.slice(from)));
		const got: unknown[] = [];
		const sizes: number[] = [];
		let warned = 0;
		while (from > 0) {
			from -= 20;
			const result = await poll(state, serve(all.slice(from, from + 500)));
			({ state } = result);
			got.push(...result.delivered.map(({ record }) => record.id));
			warned += result.notices.filter((text) => /80 %/.test(text)).length;
			sizes.push(sizeOf(state));
			expect(result.failures).toEqual([]);
		}
		expect(got).toHaveLength(5_500);
		expect(new Set(got).size).toBe(5_500);
		expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMIT);
		expect(Math.min(...sizes.slice(100))).toBeGreaterThanOrEqual(500);
		// Told again only after there was room again.
		expect(warned).toBeGreaterThanOrEqual(1);
		expect(warned).toBeLessThanOrEqual(30);
		expect(JSON.stringify(state).length).toBeLessThan(LIMIT * 9 + 2_000);
	});

	it('is told once, at 80 % and not before', async () => {
		for (const [size, told] of [
			[799, 0],
			[800, 1],
		] as const) {
			const ids = uuids(size);
			let state = scannedState(ids);
			const notices: string[] = [];
			for (let count = 0; count < 5; count++) {
				const result = await poll(state, serve(ids));
				({ state } = result);
				notices.push(...result.notices);
			}
			expect(notices).toHaveLength(told);
		}
	});

	it('a record that vanishes for one check and comes back is not new; for two it may be', async () => {
		const ids = uuids(900);
		let state = scannedState(ids);
		const checks = async (page: FetchListPage, count: number): Promise<number> => {
			let delivered = 0;
			for (let ended = 0; ended < count;) {
				const result = await poll(state, page);
				({ state } = result);
				ended += result.completedChecks.length;
				delivered += result.delivered.length;
			}
			return delivered;
		};
		await checks(serve(ids), 2);
		await checks(serve(ids.slice(50)), 1);
		expect(sizeOf(state)).toBe(900);
		expect(await checks(serve(ids), 2)).toBe(0);
		expect(sizeOf(state)).toBe(900);
		await checks(serve(ids.slice(50)), 3);
		expect(sizeOf(state)).toBe(850);
	});

	it('a list without order forgets nothing', async () => {
		const ids = uuids(900);
		const chance = new Chance(5);
		const shuffled: FetchListPage = async (request) =>
			await serve([...ids].sort(() => chance.next() - 0.5))(request);
		let state = scannedState(ids);
		for (let count = 0; count < 60; count++) ({ state } = await poll(state, shuffled));
		expect(sizeOf(state)).toBe(900);
	});
});

describe('at the limit', () => {
	it('what fits is delivered, the rest when there is room; it is told, but not at every poll', async () => {
		const ids = uuids(990);
		const news = uuids(30, 8);
		let state = scannedState(ids);
		({ state } = await poll(state, serve(ids)));
		const first = await poll(state, serve([...news, ...ids]));
		expect(first.delivered).toHaveLength(10);
		({ state } = first);
		const told: number[] = [first.failures.length];
		const got = first.delivered.map(({ record }) => record.id);
		for (let count = 0; count < 40; count++) {
			// A hundred of the old records are deleted.
			const result = await poll(state, serve([...news, ...ids.slice(0, count < 5 ? 990 : 890)]));
			({ state } = result);
			told.push(result.failures.length);
			got.push(...result.delivered.map(({ record }) => record.id));
		}
		expect([...got].sort()).toEqual([...news].sort());
		expect(told.reduce((sum, count) => sum + count)).toBe(1);
	});

	it('a first scan of more than can be remembered is refused, and no other list with it', async () => {
		const lists = [
			{ account: 'a', fetchPage: serve(uuids(1_100)) },
			{ account: 'b', fetchPage: serve(uuids(10)) },
		];
		const result = await pollOnce(scannedState([]), serve([]), { settings, lists });
		expect(result.failures.map(({ account }) => account)).toEqual(['a']);
		expect(Object.keys(result.state.lists)).toContain('scope.b');
	});
});
