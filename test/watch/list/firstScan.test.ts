/**
 * The first scan of a list that shifts while several polls read it: all existing records are known
 * afterwards.
 */
import { USUAL_PACE } from '../../../nodes/LeadGenPublishing/watch/list/pace';
import type { FetchListPage, ListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { emptyWatch, type WatchState } from '../../../nodes/LeadGenPublishing/watch/store/state';
import type { PollResult } from '../../../nodes/LeadGenPublishing/watch/list/turns/pollLists';

import { newLeads, pollOnce, serve, START, uuids } from '../pollHelpers';

const ids = uuids(1_000);
const within = (maxRequests: number) => ({
	settings: {
		...{ rules: newLeads, pace: USUAL_PACE, emitExisting: false },
		...{ maxItems: 100_000, maxRequests },
	},
});
const listOf = ({ lists }: WatchState) => Object.values(lists)[0];
const scanning = (state: WatchState): boolean => listOf(state)?.progress.baseline !== undefined;
const delivered = (result: PollResult) => result.delivered.map(({ record }) => record.id);
/** Later than any pause after a failure. */
let polls = 0;
const later = () => {
	const now = START + (polls += 1) * 24 * 3_600_000;
	return { now: () => now, deadline: now + 36_000 };
};
const begun = async (): Promise<WatchState> => {
	const { state } = await pollOnce(emptyWatch('line'), serve(ids), within(4));
	expect(scanning(state)).toBe(true);
	expect(listOf(state)?.n).toBeLessThan(500);
	return state;
};
async function finished(state: WatchState, page: FetchListPage): Promise<WatchState> {
	let now = state;
	for (let polls = 0; scanning(now); polls++) {
		expect(polls).toBeLessThan(10);
		const result = await pollOnce(now, page);
		expect(result.failures).toEqual([]);
		expect(result.delivered).toEqual([]);
		now = result.state;
	}
	return now;
}

it('meets records that moved up past it, also below others that moved up', async () => {
	const state = await begun();
	const moved = [...ids.slice(900, 910), ...ids.slice(0, 90), ...ids.slice(910, 920)];
	const list = [...moved, ...ids.slice(90, 900), ...ids.slice(920)];
	const after = await finished(state, serve(list));
	expect(listOf(after)?.n).toBe(1_000);
	expect(delivered(await pollOnce(after, serve(['new', ...list])))).toEqual(['new']);
});

it('takes what comes in at the head between its polls for what was there, however much it is', async () => {
	const state = await begun();
	const list = [...uuids(250, 5), ...ids];
	const after = await finished(state, serve(list));
	expect(listOf(after)?.n).toBe(1_250);
});

it('takes what comes in at the head while it reads for what was there', async () => {
	let asked = 0;
	const page: FetchListPage = async (request) => {
		asked += 1;
		return await serve(asked > 3 ? ['meanwhile', ...ids] : ids)(request);
	};
	const { state } = await pollOnce(emptyWatch('line'), page);
	expect(scanning(state)).toBe(false);
	expect(listOf(state)?.n).toBe(1_001);
});

it('is not finished while its last look at the head is owed, and then looks', async () => {
	// Ten steps of a page less one record, the end once more, and no request for the head.
	let state: WatchState | undefined;
	let enough = 0;
	for (let budget = 11; enough === 0; budget++) {
		const result = await pollOnce(emptyWatch('line'), serve(ids), within(budget));
		if (!scanning(result.state)) enough = budget;
		else state = result.state;
	}
	if (state === undefined) throw new Error('it never was without its last look');
	expect(listOf(state)?.n).toBe(1_000);
	const after = await finished(state, serve(['meanwhile', ...ids]));
	expect(listOf(after)?.n).toBe(1_001);
});

it('waits where the head is blank when it goes on, and loses nothing by it', async () => {
	const state = await begun();
	const blank: ListPage = { records: [], limit: 100, hasMore: true };
	const list = ['moved up', ...ids];
	const waiting = await pollOnce(state, async (request) =>
		request.offset === 0 ? blank : await serve(list)(request),
	);
	expect(waiting.failures).toEqual([]);
	expect(waiting.delivered).toEqual([]);
	expect(scanning(waiting.state)).toBe(true);
	expect(listOf(waiting.state)?.n).toBe(listOf(state)?.n);
	const after = await finished(waiting.state, serve(list));
	expect(listOf(after)?.n).toBe(1_001);
});

it('does not take blank pages at their word when it could go on in between', async () => {
	let state = await begun();
	const blank: ListPage = { records: [], limit: 100, hasMore: true };
	for (let round = 0; round < 6; round++) {
		const before = listOf(state)?.n ?? 0;
		const blankPoll = await pollOnce(state, async () => await Promise.resolve(blank), later());
		expect(blankPoll.notices).toEqual([]);
		// One page at the scan's place, and then an error.
		let pages = 0;
		const errs = await pollOnce(
			blankPoll.state,
			async (request) => {
				if (request.offset > 0 && ++pages > 1) throw new Error('cut off');
				return await serve(ids)(request);
			},
			later(),
		);
		expect(errs.failures).toHaveLength(1);
		state = errs.state;
		expect(listOf(state)?.n).toBeGreaterThan(before);
	}
	expect(listOf(state)?.progress.believes).toBeUndefined();
});

it('takes them at their word when it could not, although the head was given', async () => {
	let state = await begun();
	const blank: ListPage = { records: [], limit: 100, hasMore: true };
	const notices: string[] = [];
	for (let round = 0; round < 6; round++) {
		const result = await pollOnce(
			state,
			async (request) => {
				if (request.offset === 0) return await serve(ids)(request);
				if (round % 2 === 1) throw new Error('no answer');
				return blank;
			},
			later(),
		);
		notices.push(...result.notices);
		state = result.state;
	}
	for (let round = 0; round < 8 && notices.length === 0; round++) {
		const result = await pollOnce(
			state,
			async (request) => (request.offset === 0 ? await serve(ids)(request) : blank),
			later(),
		);
		notices.push(...result.notices);
		state = result.state;
	}
	expect(notices).toEqual([expect.stringMatching(/announced more behind empty pages/)]);
});
