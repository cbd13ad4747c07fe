/** What one poll makes of what its lists have given: what is told, stored, and left for the next one. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { rulesFor } from '../../../nodes/LeadGenPublishing/watch/list/events';
import { LIST_NOTICES } from '../../../nodes/LeadGenPublishing/watch/list/notices';
import { USUAL_PACE } from '../../../nodes/LeadGenPublishing/watch/list/pace';
import { freshCheck } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { emptyWatch, type WatchState } from '../../../nodes/LeadGenPublishing/watch/store/state';
import { newLeads, pollOnce, scannedState, serve, START, uuids } from '../pollHelpers';

const settings = {
	...{ rules: newLeads, emitExisting: false, maxItems: 100_000, maxRequests: 10_000 },
	pace: USUAL_PACE,
};
const ids = uuids(20);
const listOf = ({ lists }: WatchState) => lists['scope.own'];

describe('records without an ID', () => {
	it.each([1, 2])('%i of them are told and counted', async (count) => {
		const without = Array.from({ length: count }, (_, at): JsonRecord => ({ name: `n${at}` }));
		const page: FetchListPage = async ({ limit }) => ({
			records: [...ids.map((id) => ({ id })), ...without],
			limit,
			hasMore: false,
		});
		const { withoutId, notices, delivered } = await pollOnce(scannedState(ids), page);
		expect(delivered).toEqual([]);
		expect(withoutId).toEqual([{ account: 'own', count }]);
		expect(notices).toEqual([`own: ${count} records without an ID were skipped`]);
	});

	it('none are not told', async () => {
		const { withoutId, notices } = await pollOnce(scannedState(ids), serve(ids));
		expect([withoutId, notices]).toEqual([[], []]);
	});
});

describe('a failure', () => {
	const failing: FetchListPage = async () => await Promise.reject(new Error('no'));
	const classify = (lasting: boolean) => ({
		classify: () => ({ kind: 'server', message: 'no', lasting }),
	});

	it('that is tolerated is stored, so that another process goes on counting', async () => {
		const first = await pollOnce(scannedState(ids), failing, classify(false));
		expect([first.worthStoring, first.failuresToReport]).toEqual([true, []]);
		expect(first.failures).toMatchObject([{ account: 'own', kind: 'server', tolerated: 1 }]);
	});

	it('that is reported need not be, and its list is read again after its pause', async () => {
		const result = await pollOnce(scannedState(ids), failing, classify(true));
		expect([result.worthStoring, result.failuresToReport.length]).toEqual([false, 1]);
		expect(result.failures[0]).not.toHaveProperty('tolerated');
		const calm = await pollOnce(result.state, serve(['new', ...ids]));
		expect([calm.requests, calm.delivered]).toEqual([0, []]);
		const later = START + 3_600_000;
		const after = await pollOnce(result.state, serve(['new', ...ids]), {
			now: () => later,
			deadline: later + 1e4,
		});
		expect(after.delivered.map(({ record }) => record.id)).toEqual(['new']);
		expect([after.worthStoring, after.state.pauses]).toEqual([true, {}]);
	});
});

describe('lists that are read together', () => {
	it('have a minute each, and a list alone has all the time', async () => {
		const given: number[] = [];
		const noting: FetchListPage = async (request) => {
			given.push(request.deadline);
			return await serve(ids)(request);
		};
		const deadline = START + 200_000;
		await pollOnce(scannedState(ids), noting, { deadline });
		const lists = ['a', 'b'].map((account) => ({ account, fetchPage: noting }));
		await pollOnce(scannedState(ids), noting, { deadline, lists });
		await pollOnce(scannedState(ids), noting, { deadline: START + 5_000, lists });
		expect([...new Set(given)]).toEqual([deadline, START + 60_000, START + 5_000]);
	});

	it('of which the whole state was damaged stay silent through their first scan, however long it is', async () => {
		const many = uuids(500);
		const emit = { settings: { ...settings, emitExisting: true, maxRequests: 4 }, damaged: true };
		const first = await pollOnce(emptyWatch('line'), serve(many), emit);
		expect(first.delivered).toEqual([]);
		expect(listOf(first.state)?.progress).toMatchObject({ quietly: true, baseline: {} });
		let { state } = first;
		for (let poll = 0; poll < 20; poll++) {
			const next = await pollOnce(state, serve(many), { ...emit, damaged: false });
			expect(next.delivered).toEqual([]);
			({ state } = next);
		}
		expect(listOf(state)?.progress).not.toHaveProperty('quietly');
		expect(listOf(state)?.n).toBe(500);
	});
});

describe('the memory', () => {
	it('holds back no more records than it has room for, and fills that', async () => {
		const rules = rulesFor('newLead', { onlyWithIntent: true });
		const known = uuids(8);
		const others = uuids(5, 3);
		const limited = { settings: { ...settings, rules, maxRecords: 10 } };
		const page = serve([...others, ...known], (id) => ({ id, has_intent: known.includes(id) }));
		const { state } = await pollOnce(scannedState(known, { rules }), page, limited);
		expect(listOf(state)?.n).toBe(10);
	});
});

describe('a list without order', () => {
	it('is told by the poll that finds out, and by no other one that only begins to doubt', async () => {
		const many = uuids(1_000);
		let turn = 0;
		const shuffled: FetchListPage = async (request) => {
			turn += 137;
			const from = turn % many.length;
			return await serve([...many.slice(from), ...many.slice(0, from)].reverse())(request);
		};
		const { notices, state } = await pollOnce(emptyWatch('line'), shuffled);
		expect(notices).toContain(`own: ${LIST_NOTICES.noOrder}`);
		expect(state.lists).toHaveProperty(['scope.own']);
		const ordered = await pollOnce(emptyWatch('line'), serve(many));
		expect(ordered.notices).toEqual([]);
	});

	it.each([
		['after one restart', { anchors: [1, 2, 3], restarts: 0 }, 1],
		['while its check goes on', { anchors: [], restarts: 3 }, 3],
	])('is not told %s', async (_, place, restarts) => {
		const many = uuids(500);
		const check = { ...freshCheck(START), next: 200, ...place };
		const pace = { maxPages: 1, maxPagesWhenSearching: 1 };
		const { notices, state } = await pollOnce(
			scannedState(many, { grows: 'head', check }),
			serve(many),
			{ settings: { ...settings, pace } },
		);
		expect([notices, listOf(state)?.progress.check.restarts]).toEqual([[], restarts]);
	});
});

it('polls that met doubtful answers are counted in a row only', async () => {
	const { state } = await pollOnce(scannedState(ids, { doubts: 3 }), serve(ids));
	expect(listOf(state)?.progress).not.toHaveProperty('doubts');
	const blank: FetchListPage = async ({ limit }) => ({ records: [], limit, hasMore: true });
	const doubtful = await pollOnce(scannedState(ids, { doubts: 3 }), blank);
	expect(listOf(doubtful.state)?.progress.doubts).toBe(4);
});
