import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { rulesFor } from '../../../nodes/LeadGenPublishing/watch/list/events';
import { USUAL_PACE } from '../../../nodes/LeadGenPublishing/watch/list/pace';
import {
	redeliveredFirst,
	markDelivered,
	searchForMissing,
	resumeLastBatch,
	type DeliveryMark,
	type ResumedBatch,
} from '../../../nodes/LeadGenPublishing/watch/store/redelivery';
import type { WatchState } from '../../../nodes/LeadGenPublishing/watch/store/state';
import type { PollResult } from '../../../nodes/LeadGenPublishing/watch/list/turns/pollLists';

import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import { openList } from '../../../nodes/LeadGenPublishing/watch/store/listState';
import {
	freshPlace,
	freshProgress,
	type Progress,
} from '../../../nodes/LeadGenPublishing/watch/store/progress';

import { newLeads, pollOnce, scannedState, serve, START, uuids } from '../pollHelpers';

interface World {
	state: WatchState;
	mark: unknown;
}

/** Handles the delivery mark as a poll of one process does. */
async function poll(
	world: World,
	process: string,
	ids: readonly string[],
	given: {
		now?: number;
		rules?: typeof newLeads;
		render?: (id: string) => JsonRecord;
		maxItems?: number;
		maxTimes?: number;
	} = {},
): Promise<World & { ids: unknown[]; result: PollResult; taken: ResumedBatch }> {
	const { now = START, rules = newLeads, render, maxItems = 1_000, maxTimes = Infinity } = given;
	const { width } = rules;
	const taken = resumeLastBatch(world.state, { stored: world.mark, process, width, now, maxTimes });
	const result = await pollOnce(taken.state, serve(ids, render), {
		settings: {
			rules,
			emitExisting: false,
			maxItems,
			pace: USUAL_PACE,
			maxRequests: 10_000,
		},
		now: () => now,
		deadline: now + 36_000,
	});
	const delivered = redeliveredFirst(
		result.delivered.map((one) => ({ ...one, key: 'scope.own', id: one.record.id })),
		taken.toRedeliver,
	);
	const { toRedeliver } = taken;
	return {
		state: searchForMissing(result.state, { toRedeliver, delivered, width, now }),
		mark: markDelivered(taken, { delivered, width, now }),
		ids: delivered.map(({ id }) => id),
		result,
		taken,
	};
}

const old = uuids(250);
const before: World = { state: scannedState(old), mark: undefined };
const CONFIRMED_AFTER_MS = 10_000;
const LATER = START + CONFIRMED_AFTER_MS;

describe('a process that finds what another one has delivered last', () => {
	it('delivers it again, at the head or the tail, once', async () => {
		for (const ids of [
			['a', 'b', ...old],
			[...old, 'a', 'b'],
		]) {
			const first = await poll(before, 'one', ids);
			expect(new Set(first.ids)).toEqual(new Set(['a', 'b']));
			const second = await poll(first, 'two', ids);
			expect(second.ids).toEqual(first.ids);
			expect((await poll(second, 'two', ids)).ids).toEqual([]);
			expect((await poll(second, 'two', ids, { now: LATER })).ids).toEqual([]);
		}
	});

	it('delivers it again before what is new', async () => {
		const first = await poll(before, 'one', ['a', ...old]);
		const second = await poll(first, 'two', ['c', 'b', 'a', ...old]);
		expect(second.ids).toEqual(['a', 'b', 'c']);
	});

	it('finds it wherever it has moved meanwhile', async () => {
		const first = await poll(before, 'one', ['a', 'b', ...old]);
		const moved = [...old.slice(0, 120), 'a', ...old.slice(120, 130), 'b', ...old.slice(130)];
		const second = await poll(first, 'two', moved);
		const third = await poll(second, 'two', moved);
		expect(new Set([...second.ids, ...third.ids])).toEqual(new Set(['a', 'b']));
		expect((await poll(third, 'two', moved)).ids).toEqual([]);
	});

	it('delivers it although it is killed itself each time', async () => {
		let world: World = await poll(before, 'one', ['a', ...old]);
		for (const process of ['two', 'three', 'four', 'five', 'six']) {
			const next = await poll(world, process, ['a', ...old]);
			expect(next.ids).toEqual(['a']);
			world = next;
		}
	});

	it('loses nothing when it may deliver less than that in one poll', async () => {
		const ids = ['a', 'b', 'c', 'd', ...old];
		const first = await poll(before, 'one', ids);
		const got: unknown[] = [];
		let world: World = first;
		for (let polls = 0; polls < 4; polls++) {
			const next = await poll(world, `process ${polls}`, ids, { maxItems: 1 });
			got.push(...next.ids);
			world = next;
		}
		// Each of these processes has repeated the batch of the previous one; the rest has stayed
		// open.
		for (let polls = 0; polls < 8; polls++) {
			const next = await poll(world, 'the last', ids, { maxItems: 1, now: LATER + polls * 60_000 });
			got.push(...next.ids);
			world = next;
		}
		expect(new Set(got)).toEqual(new Set(['a', 'b', 'c', 'd']));
	});

	it('goes on without what is gone', async () => {
		const first = await poll(before, 'one', ['a', ...old]);
		const second = await poll(first, 'two', old);
		expect(second.ids).toEqual([]);
		const third = await poll(second, 'two', ['b', ...old]);
		expect(third.ids).toEqual(['b']);
		expect(third.result.failures).toEqual([]);
	});

	it('hands it on no more often than allowed where several processes take turns', async () => {
		const ids = ['a', ...old];
		const maxTimes = 3;
		let world: World = await poll(before, 'one', ids, { maxTimes });
		const counts: number[] = [];
		for (let turn = 0; turn < 8; turn++) {
			const next = await poll(world, turn % 2 === 0 ? 'two' : 'one', ids, { maxTimes });
			counts.push(next.ids.length);
			world = next;
		}
		expect(counts).toEqual([1, 1, 1, 0, 0, 0, 0, 0]);
		// Another batch has attempts of its own.
		const more = await poll(world, 'one', ['b', ...ids], { maxTimes });
		expect(more.ids).toEqual(['b']);
		expect((await poll(more, 'two', ['b', ...ids], { maxTimes })).ids).toEqual(['b']);
	});

	it('gives a batch attempts of its own, although nothing was left of the one before', async () => {
		const maxTimes = 3;
		const gone = await poll(before, 'one', ['a', ...old], { maxTimes });
		const resumed = await poll(gone, 'two', old, { maxTimes });
		expect(resumed.ids).toEqual([]);
		let world: World = await poll(resumed, 'two', ['b', ...old], { maxTimes });
		for (const process of ['three', 'four', 'five']) {
			const next = await poll(world, process, ['b', ...old], { maxTimes });
			expect(next.ids).toEqual(['b']);
			world = next;
		}
		expect((await poll(world, 'six', ['b', ...old], { maxTimes })).ids).toEqual([]);
	});
});

describe('new records that come together with a resumed batch', () => {
	it('have attempts of their own', async () => {
		const maxTimes = 3;
		let ids = ['a', ...old];
		let world: World = await poll(before, 'one', ids, { maxTimes });
		for (const process of ['two', 'three']) world = await poll(world, process, ids, { maxTimes });
		ids = ['b', ...ids];
		const both = await poll(world, 'four', ids, { maxTimes });
		expect(new Set(both.ids)).toEqual(new Set(['a', 'b']));
		// "a" was resumed three times, "b" never.
		const last = await poll(both, 'five', ids, { maxTimes });
		expect(last.ids).toEqual(['b']);
		expect((last.mark as DeliveryMark).batches.map(({ again }) => again)).toEqual([1]);
	});
});

describe('what a process has delivered itself', () => {
	it('is confirmed by a later poll of it, and not delivered again then', async () => {
		const ids = ['a', ...old];
		const first = await poll(before, 'one', ids);
		const second = await poll(first, 'one', ids, { now: LATER });
		expect(second.taken.changed).toBe(true);
		expect((await poll(second, 'two', ids, { now: LATER })).ids).toEqual([]);
	});

	it('stays marked while a poll follows too soon, together with what that one delivers', async () => {
		const first = await poll(before, 'one', ['a', ...old]);
		const second = await poll(first, 'one', ['b', 'a', ...old], { now: LATER - 1 });
		expect(second.ids).toEqual(['b']);
		expect(second.taken.changed).toBe(false);
		const third = await poll(second, 'two', ['b', 'a', ...old], { now: LATER });
		expect(new Set(third.ids)).toEqual(new Set(['a', 'b']));
	});

	it('is confirmed by a clock that was set back, too', async () => {
		const first = await poll(before, 'one', ['a', ...old]);
		const second = await poll(first, 'one', ['a', ...old], { now: START - CONFIRMED_AFTER_MS });
		expect((second.mark as DeliveryMark).batches).toEqual([]);
	});
});

describe('a changed lead', () => {
	const rules = rulesFor('leadChanged', {});
	const ids = old.slice(0, 30);

	it('is delivered again with the same former state, so that it says the same change', async () => {
		const status = new Map<string, string>();
		const render = (id: string) => ({ id, qualification_status: status.get(id) ?? 'open' });
		const given = { rules, render };
		const scanned = await poll(
			{ state: scannedState([], { rules }), mark: undefined },
			...(['one', ids, given] as const),
		);
		const [changed = ''] = ids;
		const base = await poll(scanned, 'one', ids, given);
		status.set(changed, 'qualified');
		const first = await poll(base, 'one', ids, given);
		const second = await poll(first, 'two', ids, given);
		expect([first.ids, second.ids]).toEqual([[changed], [changed]]);
		const formers = [first, second].map(({ result }) => result.delivered[0]?.previousValue);
		expect(formers[0]).toBeDefined();
		expect(formers[1]).toBe(formers[0]);
		expect((await poll(second, 'two', ids, given)).ids).toEqual([]);
	});

	it('that was changed twice in two batches goes back to what was before the first', async () => {
		const status = new Map<string, string>();
		const render = (id: string) => ({ id, qualification_status: status.get(id) ?? 'open' });
		const given = { rules, render };
		const base = await poll(
			{ state: scannedState([], { rules }), mark: undefined },
			'one',
			ids,
			given,
		);
		const settled = await poll(base, 'one', ids, given);
		const [changed = ''] = ids;
		status.set(changed, 'qualified');
		const first = await poll(settled, 'one', ids, given);
		status.set(changed, 'lost');
		const second = await poll(first, 'one', ids, given);
		const third = await poll(second, 'two', ids, given);
		expect(third.ids).toEqual([changed]);
		expect(third.result.delivered[0]?.previousValue).toBe(first.result.delivered[0]?.previousValue);
	});
});

describe('a post that was first met as scheduled', () => {
	const rules = rulesFor('postStatusChanged', {});
	const ids = old.slice(0, 30);

	it('is delivered again without the others', async () => {
		const render = (id: string) => ({ id, status: id === 'new' ? 'scheduled' : 'draft' });
		const given = { rules, render };
		const empty = { state: scannedState([], { rules }), mark: undefined };
		const settled = await poll(await poll(empty, 'one', ids, given), 'one', ids, given);
		const first = await poll(settled, 'one', ['new', ...ids], given);
		const second = await poll(first, 'two', ['new', ...ids], given);
		expect([first.ids, second.ids]).toEqual([['new'], ['new']]);
		expect(second.result.delivered[0]?.previousValue).toBeUndefined();
	});
});

describe('what is resumed', () => {
	const WIDTH = 28;
	const MOST = 2 ** WIDTH - 1;
	const KEY = 'scope.own';
	const rules = { ...newLeads, width: WIDTH };
	const known = ['a', 'b', 'c', 'd'];
	const options = { width: WIDTH, now: START, maxTimes: 3 };
	const record = (id: unknown, previousValue?: number, key = KEY) => ({ key, id, previousValue });
	const stateWith = (progress: Partial<Progress> = {}) =>
		scannedState(known, { rules, ...progress });
	const taken = (mark: unknown, state = stateWith(), process = 'two') =>
		resumeLastBatch(state, { ...options, stored: mark, process });
	const noMark = () => taken(undefined, stateWith(), 'one').mark;
	const marked = (delivered: Array<ReturnType<typeof record>>, mark = noMark()) =>
		markDelivered({ mark, toRedeliver: new Map() }, { delivered, ...{ width: WIDTH, now: START } });
	const opened = ({ state }: { state: WatchState }, key = KEY) => {
		const list = openList(state.lists[key], WIDTH);
		if (list.kind !== 'ok') throw new Error(list.kind);
		return list.value;
	};
	const valuesIn = (resumed: ResumedBatch) =>
		known.map((id) => opened(resumed).seen.get(hash53(id)));

	it('is unknown again, or has the value that it had before, whatever that was', () => {
		const mark = marked([record('a'), record('b', 0), record('c', MOST)]);
		const resumed = taken(mark);
		expect(valuesIn(resumed)).toEqual([undefined, 0, MOST, 0]);
		expect(resumed.changed).toBe(true);
		expect([...(resumed.toRedeliver.get(KEY) ?? [])]).toEqual(
			expect.arrayContaining(['a', 'b', 'c'].map((id) => [hash53(id), 1])),
		);
		expect(resumed.toRedeliver.get(KEY)?.size).toBe(3);
		expect(resumed.mark).toMatchObject({ process: 'two', batches: [] });
	});

	it('is a number as well as a text', () => {
		const state = scannedState(['7', ...known], { rules });
		const resumed = taken(marked([record(7)]), state);
		expect(opened(resumed).seen.get(hash53('7'))).toBeUndefined();
	});

	it('makes its list be read from both ends', () => {
		expect(opened({ state: stateWith() }).progress).toHaveProperty('first');
		const { progress } = opened(taken(marked([record('a')])));
		expect(progress).not.toHaveProperty('first');
		expect(progress).not.toHaveProperty('last');
		expect(progress).not.toHaveProperty('baseline');
	});

	it('makes a first scan that delivers start over, with its page size', () => {
		const baseline = { ...freshPlace(), next: 200, pages: 2, passes: 1, news: true };
		const { progress } = opened(taken(marked([record('a')]), stateWith({ baseline, limit: 25 })));
		expect(progress.baseline).toEqual(freshProgress(START).baseline);
		expect([progress.limit, progress.end]).toEqual([25, known.length]);
	});

	it('is nothing of a list that is gone, and all of the others', () => {
		const mark = marked([record('x', undefined, 'scope.gone'), record('a')]);
		const resumed = taken(mark);
		expect([...resumed.toRedeliver.keys()]).toEqual([KEY]);
		expect(valuesIn(resumed)).toEqual([undefined, 0, 0, 0]);
	});

	it('is nothing, and nothing is to be stored, where the other process had confirmed it', () => {
		const mark = marked([]);
		const state = stateWith();
		const resumed = taken(mark, state, 'three');
		expect(resumed).toMatchObject({ changed: false, state, mark: { process: 'three' } });
		expect(resumed.toRedeliver.size).toBe(0);
		expect(marked([], mark)).toEqual(mark);
	});

	it('is marked by when it was delivered, a bit wider than the list stores it', () => {
		const mark = marked([record('a'), record('b', MOST)], marked([record('c', 1)]));
		expect(mark.batches).toMatchObject([
			{ at: START, again: 0, lists: { [KEY]: { n: 1, w: WIDTH + 1 } } },
			{ at: START, again: 0, lists: { [KEY]: { n: 2, w: WIDTH + 1 } } },
		]);
	});

	describe('is searched for in the whole list', () => {
		const searching = (delivered: readonly string[], redelivers = ['a', 'b']) => {
			const toRedeliver = new Map([
				[KEY, new Map(redelivers.map((id) => [hash53(id), 1]))],
				['scope.gone', new Map([[hash53('x'), 1]])],
			]);
			const state = searchForMissing(stateWith({ waiting: 2 }), {
				...{ toRedeliver, width: WIDTH, now: START + 5 },
				delivered: delivered.map((id) => record(id)),
			});
			expect(opened({ state }).progress.waiting).toBe(2);
			return opened({ state }).progress.check;
		};
		const everything = { ...freshPlace(), kind: 'everything', since: START + 5, pages: 0 };

		it('unless all of it was delivered', () => {
			expect(searching(['a', 'b', 'c'])).toMatchObject({ kind: 'paced', since: START });
			expect(searching(['b', 'a'])).toMatchObject({ kind: 'paced', since: START });
		});

		it('if any of it was not', () => {
			expect(searching(['a'])).toEqual(everything);
			expect(searching([])).toEqual(everything);
			expect(searching(['c'])).toEqual(everything);
		});
	});
});

describe('a mark', () => {
	it.each([
		['something else', 'nonsense'],
		['a number', 7],
		['a list', []],
		['nothing in it', {}],
		['no batches', { process: 'one', batches: 'x', sum: '' }],
	])('that is %s names no record', async (_, mark) => {
		const taken = resumeLastBatch(before.state, {
			...{ stored: mark, process: 'two', width: 0, now: START, maxTimes: 9 },
		});
		expect(taken.toRedeliver.size).toBe(0);
		expect(taken.state).toBe(before.state);
		expect(taken.changed).toBe(true);
	});

	it('that was changed by somebody names no record', async () => {
		const first = await poll(before, 'one', ['a', ...old]);
		const mark = first.mark as DeliveryMark;
		const damaged = { ...mark, batches: mark.batches.map((batch) => ({ ...batch, again: 5 })) };
		expect((await poll({ ...first, mark: damaged }, 'two', ['a', ...old])).ids).toEqual([]);
	});

	it('holds no id', async () => {
		const first = await poll(before, 'one', ['a-lead-that-is-new', ...old]);
		expect(JSON.stringify(first.mark)).not.toContain('a-lead-that-is-new');
	});
});
