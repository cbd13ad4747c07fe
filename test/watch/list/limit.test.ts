/**
 * The trigger remembers a limited number of records; records that have left the list do not count.
 */
import { sealWatch, type WatchState } from '../../../nodes/LeadGenPublishing/watch/store/state';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { Chance } from '../random';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import { openList, sealList } from '../../../nodes/LeadGenPublishing/watch/store/listState';
import { freshCheck, type Progress } from '../../../nodes/LeadGenPublishing/watch/store/progress';
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

	it('the next poll that has nothing to deliver says so, if the first one had something', async () => {
		let state = scannedState(uuids(990));
		const list = [...uuids(15, 8), ...uuids(990)];
		const told: string[][] = [];
		for (let count = 0; count < 50; count++) {
			const result = await poll(state, serve(list));
			({ state } = result);
			told.push(result.failuresToReport.map(({ kind }) => kind));
		}
		expect(told.slice(0, 3)).toEqual([[], ['list-full'], []]);
		expect(told.flat()).toHaveLength(1);
		expect(state.owed).toEqual([]);
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

/** A list of 850 records that nearly fills the memory; its check ends with the next page. */
function nearlyFull(known: readonly string[], changes: Partial<Progress> = {}): WatchState {
	const state = scannedState(known, { grows: 'head', ...changes });
	const opened = openList(state.lists['scope.own'], 0);
	if (opened.kind !== 'ok') throw new Error('no list');
	const met = new Set(known.slice(0, 801).map((id) => hash53(id)));
	const seen = opened.value.seen.clearMarks(true).markFound((hash) => met.has(hash));
	const check = {
		...freshCheck(START - 6 * 3_600_000),
		...{ next: 801, pages: 8, anchors: known.slice(793, 801).map((id) => hash53(id)) },
		marks: true as const,
	};
	const progress = { ...opened.value.progress, nearlyFull: true as const, check };
	return sealWatch({ ...state, lists: { 'scope.own': sealList(seen, progress) } });
}

describe('a check whose last page shows more than is delivered', () => {
	const known = uuids(850);
	const added = uuids(5, 77);
	const list = [...known.slice(0, 805), ...added, ...known.slice(805)];

	it.each([1, 2, 1_000])(
		'ends once, with %i items a poll: nothing is forgotten',
		async (maxItems) => {
			let state = nearlyFull(known);
			const got: unknown[] = [];
			const sizes: number[] = [];
			for (let count = 0; count < 60; count++) {
				const at = (now += 60_000);
				const result = await pollOnce(state, serve(list), {
					settings: { ...settings, maxItems },
					...{ now: () => at, deadline: at + 1e4 },
				});
				({ state } = result);
				sizes.push(sizeOf(state));
				got.push(...result.delivered.map(({ record }) => record.id));
			}
			expect(Math.min(...sizes)).toBeGreaterThanOrEqual(850);
			expect([...got].sort()).toEqual([...added].sort());
		},
	);

	it('says nothing about where the list grows, nor about blank pages, until it has ended', async () => {
		const learned: Partial<Progress> = {
			...{ grows: 'both', grewLately: 'head', believes: true },
			...{ agreed: { end: 'head', checks: 2 }, searching: START - 7 * 3_600_000 },
		};
		const progressWith = async (maxItems: number) => {
			const at = (now += 60_000);
			const { state } = await pollOnce(nearlyFull(known, learned), serve(list), {
				settings: { ...settings, maxItems },
				...{ now: () => at, deadline: at + 1e4 },
			});
			const progress = Object.values(state.lists)[0]?.progress;
			// A record was found that neither end shows.
			expect(progress?.searching).toBe(at);
			return progress;
		};
		const again = await progressWith(1);
		expect(again).toMatchObject({
			...{ grows: 'both', grewLately: 'both', believes: true },
			...{ agreed: learned.agreed, check: { next: 801 } },
		});
		const ended = await progressWith(1_000);
		expect(ended).toMatchObject({ grows: 'both', agreed: { end: 'both', checks: 1 } });
		for (const name of ['grewLately', 'believes', 'repeats'])
			expect(ended).not.toHaveProperty(name);
	});
});
