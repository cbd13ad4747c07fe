/** What a poll says of its lists: faults of our own, what is worth storing, failures that are owed. */
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import type {
	PollInput,
	PollResult,
	WatchedList,
} from '../../../nodes/LeadGenPublishing/watch/list/turns/pollLists';
import { emptyWatch, type WatchState } from '../../../nodes/LeadGenPublishing/watch/store/state';
import { FAULT, faulty, ids, knownOf, poll, settings, watched } from '../knownLists';
import { serve, START } from '../pollHelpers';

const HOUR = 3_600_000;
const failing: FetchListPage = async () => await Promise.reject(new Error('no grant'));

describe('a fault of our own', () => {
	const lists: WatchedList[] = [{ account: 'a', fetchPage: faulty }];
	const repeated = async (state: WatchState, times: number, page: FetchListPage) => {
		let [last, result] = [state, await poll(state, [])];
		for (let time = 0; time < times; time++) {
			const now = START + time * 10 * HOUR;
			const about = { now: () => now, deadline: now + 36_000 };
			result = await poll(last, [{ account: 'a', fetchPage: page }], about);
			last = result.state;
		}
		return result;
	};
	const kinds = ({ failures }: PollResult): string[] => failures.map(({ kind }) => kind);

	it('pauses the list, and takes no other along', async () => {
		const others = watched(['b'], serve(['new', ...ids])).lists;
		const result = await poll(knownOf(['a', 'b']), [...lists, ...others]);
		expect(result.delivered.map(({ account }) => account)).toEqual(['b']);
		expect(result.failures).toMatchObject([{ account: 'a', error: FAULT }]);
		expect(result.state.pauses['scope.a']).toMatchObject({ failures: 1, faults: 1 });
		expect(Object.keys(result.state.lists)).toEqual(['scope.a', 'scope.b']);
	});

	it('that comes only when its items are chosen does the same', async () => {
		const page: FetchListPage = async ({ limit }) => ({
			...{ limit, hasMore: false },
			records: [
				{
					id: 'new',
					get created_at(): never {
						throw FAULT;
					},
				},
				...ids.map((id) => ({ id })),
			],
		});
		const others = watched(['b'], serve(['newer', ...ids])).lists;
		const own = { account: 'a', fetchPage: page };
		const result = await poll(knownOf(['a', 'b']), [own, ...others]);
		expect(result.delivered.map(({ account }) => account)).toEqual(['b']);
		expect(result.failures.map(({ account, error }) => [account, error])).toEqual([['a', FAULT]]);
		expect(result.state.pauses['scope.a']).toMatchObject({ failures: 1, faults: 1 });
		expect(result.state.lists['scope.a']?.n).toBe(20);
	});

	it('makes the list begin anew when it comes a third time in a row, once', async () => {
		const second = await repeated(knownOf(['a']), 2, faulty);
		expect([kinds(second), second.state.lists['scope.a']?.n]).toEqual([['server'], 20]);
		const third = await repeated(knownOf(['a']), 3, faulty);
		expect(kinds(third)).toEqual(['server', 'damaged-state']);
		expect(third.worthStoring).toBe(true);
		expect(third.state.lists['scope.a']?.n).toBe(0);
		expect(third.state.pauses['scope.a']).not.toHaveProperty('faults');
		expect(kinds(await repeated(third.state, 3, faulty))).toEqual(['server']);
		// What it has by then counts as known, whatever the settings.
		const now = START + 100 * HOUR;
		const existing = { ...settings, emitExisting: true };
		const mended = await poll(third.state, watched(['a']).lists, {
			...{ settings: existing, now: () => now, deadline: now + 36_000 },
		});
		expect([mended.delivered, mended.state.lists['scope.a']?.n]).toEqual([[], 20]);
	});

	it('does not where the service failed as often, or where nothing is remembered', async () => {
		const service = await repeated(knownOf(['a']), 4, failing);
		expect([kinds(service), service.state.lists['scope.a']?.n]).toEqual([['server'], 20]);
		const twice = await repeated(knownOf(['a']), 2, failing);
		const now = START + 100 * HOUR;
		const mixed = await poll(twice.state, lists, { now: () => now, deadline: now + 36_000 });
		expect([kinds(mixed), mixed.state.lists['scope.a']?.n]).toEqual([['server'], 20]);
		expect(kinds(await repeated(emptyWatch('line'), 3, faulty))).toEqual(['server']);
	});
});

describe('a poll says', () => {
	it('what it is worth to store: a list that is left out, a new one, a pause that has ended', async () => {
		const { lists } = watched(['a', 'b']);
		const worth = async (state: WatchState, some = lists) => (await poll(state, some)).worthStoring;
		expect(await worth(knownOf(['a', 'b']))).toBe(false);
		expect(await worth(knownOf(['a']))).toBe(true);
		expect(await worth(knownOf(['b']))).toBe(true);
		const { 'scope.a': list } = knownOf(['a']).lists;
		if (list === undefined) throw new Error('no list');
		const other = { ...knownOf(['a', 'b']).lists, 'other.a': list };
		expect(await worth(knownOf([], { lists: other }))).toBe(true);
		const pauses = { 'scope.a': { failures: 1, since: START - HOUR, ms: 1 } };
		const ended = await poll(knownOf(['a', 'b'], { pauses }), lists);
		expect([ended.worthStoring, ended.state.pauses]).toEqual([true, {}]);
	});

	it('that of a failure, if it is tolerated: the next process goes on counting', async () => {
		const lists = [{ account: 'a', fetchPage: failing }];
		const failed = async (lasting: boolean) =>
			await poll(knownOf(['a']), lists, {
				classify: () => ({ kind: 'server', message: 'no', lasting }),
			});
		const tolerated = await failed(false);
		expect([tolerated.worthStoring, tolerated.failuresToReport]).toEqual([true, []]);
		const lasting = await failed(true);
		expect([lasting.worthStoring, lasting.failuresToReport.length]).toEqual([false, 1]);
	});

	it('whose turn has been: only who was read as far as planned', async () => {
		const changes = { settings: { ...settings, maxRequests: 0 } };
		const state = knownOf(['a'], { turn: 7 });
		expect((await poll(state, watched(['a']).lists)).state).toMatchObject({
			...{ turn: 8, served: { 'scope.a': 8 } },
		});
		expect((await poll(state, watched(['a']).lists, changes)).state.served).toEqual({});
	});

	it('which records have no ID, and which list is nearly full', async () => {
		const page = serve(ids, (id) => (id === ids[3] ? { name: 'x' } : { id }));
		const some = await poll(knownOf(['a']), watched(['a'], page).lists);
		expect(some.withoutId).toEqual([{ account: 'a', count: 1 }]);
		expect(some.notices).toEqual(['a: 1 records without an ID were skipped']);
		const sound = await poll(knownOf(['a']), watched(['a']).lists);
		expect([sound.withoutId, sound.notices]).toEqual([[], []]);
		const full = { settings: { ...settings, maxRecords: 20 } };
		const { notices } = await poll(knownOf(['a']), watched(['a']).lists, full);
		expect(notices).toEqual([expect.stringMatching(/^a: ./)]);
	});

	it('which checks have ended, unless something is left over', async () => {
		const { lists } = watched(['a'], serve(['new', ...ids]));
		const ended = async (maxItems: number) =>
			(await poll(knownOf(['a']), lists, { settings: { ...settings, maxItems } })).completedChecks;
		expect(await ended(1)).toEqual([{ account: 'a', since: START }]);
		expect(await ended(0)).toEqual([]);
	});

	it('nothing of a list that is too long to be remembered, but why', async () => {
		const small = { settings: { ...settings, maxRecords: 10 } };
		const { state, failures } = await poll(emptyWatch('line'), watched(['a']).lists, small);
		expect([Object.keys(state.lists), failures.length]).toEqual([[], 1]);
	});
});

describe('failures that are owed', () => {
	const owed = (account: string, kind = 'server') => ({ account, kind, message: kind });
	const reported = async (all: WatchState['owed'], changes: Partial<PollInput> = {}) =>
		(
			await poll(knownOf(['a', 'b'], { owed: all }), watched(['a']).lists, changes)
		).failuresToReport.map(({ account, kind }) => `${account} ${kind}`);

	it('are told of who is watched and has not recovered, and of all', async () => {
		expect(await reported([owed('a'), owed('gone'), owed('all')])).toEqual(['all server']);
		expect(await reported([owed('a', 'damaged-state')])).toEqual(['a damaged-state']);
		const paused = { random: () => 0, deadline: START };
		expect(await reported([owed('a'), owed('gone')], paused)).toEqual(['a server']);
	});

	it('begin with a state that was damaged: then a list that is not in it delivers nothing', async () => {
		const existing = { settings: { ...settings, emitExisting: true }, damaged: true };
		const { lists } = watched(['a', 'b'], serve(['new', ...ids]));
		const result = await poll(knownOf(['b']), lists, existing);
		expect(result.delivered.map(({ account }) => account)).toEqual(['b']);
		expect(result.state.owed.map(({ account, kind }) => [account, kind])).toEqual([
			['all', 'damaged-state'],
		]);
		const whole = await poll(emptyWatch('line'), lists, { ...existing, damaged: false });
		expect(whole.delivered).toHaveLength(42);
	});
});

it('of one kind of record, a list of another kind is forgotten', async () => {
	const result = await poll(knownOf(['a']), watched(['a']).lists, { scope: 'other' });
	expect(Object.keys(result.state.lists)).toEqual(['other.a']);
});

it('of lists that had another name in a former version, that they were there: they begin anew', async () => {
	const settingsOfAll = { ...settings, emitExisting: true };
	const { asked, lists } = watched(['a', 'b']);
	const failing = async () => await Promise.reject(new Error('not now'));
	const renamed = { scope: 'other', formerScope: 'scope', settings: settingsOfAll };
	const [first, ...others] = lists;
	const one = await poll(
		knownOf(['a', 'b', 'gone']),
		[...others, { account: 'a', fetchPage: failing }],
		renamed,
	);
	expect([one.delivered, asked]).toEqual([[], expect.arrayContaining(['b'])]);
	expect(Object.keys(one.state.lists)).toEqual(['other.a', 'other.b', 'other.gone']);
	if (first === undefined) throw new Error('no list');
	const then = await poll(one.state, [first], { ...renamed, ignorePauses: true });
	expect([then.delivered, then.state.lists['other.a']?.n]).toEqual([[], 20]);
	// One that was not there is like any other.
	const fresh = await poll(one.state, [{ ...first, account: 'c' }], renamed);
	expect(fresh.delivered).toHaveLength(20);
	const same = await poll(knownOf(['a']), [first], {
		formerScope: 'scope',
		settings: settingsOfAll,
	});
	expect([same.delivered, same.state.lists['scope.a']?.n]).toEqual([[], 20]);
});
