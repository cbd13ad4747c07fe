/** Many lists in one poll: which of them are read and when, and how many items each may deliver. */
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { emptyWatch, type WatchState } from '../../../nodes/LeadGenPublishing/watch/store/state';
import { faulty, ids, knownOf, poll, settings, watched } from '../knownLists';
import { serve, START, uuids } from '../pollHelpers';

const HOUR = 3_600_000;
const hanging: FetchListPage = async () => await new Promise(() => undefined);
const soon = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

describe('lists are read', () => {
	it.each([
		[0, ['a', 'b', 'c']],
		[0.5, ['b', 'c', 'a']],
		[0.99, ['c', 'a', 'b']],
	])('in turns that begin by chance (%d)', async (chance, order) => {
		const { asked, lists } = watched(['a', 'b', 'c']);
		await poll(knownOf(['a', 'b', 'c']), lists, { random: () => chance, parallel: 1 });
		expect(asked).toEqual(order);
	});

	it.each([
		[0, 1],
		[1, 1],
		[3, 3],
	])('side by side, of %i at a time: %i', async (parallel, expected) => {
		let [open, most] = [0, 0];
		const { lists } = watched(['a', 'b', 'c', 'd'], async (request) => {
			most = Math.max(most, ++open);
			await soon();
			open--;
			return await serve(ids)(request);
		});
		await poll(emptyWatch('line'), lists, { parallel });
		expect(most).toBe(expected);
	});

	it.each([
		[4, 0],
		[5, 1],
		[9, 1],
		[10, 2],
	])('%i at a time, of which %i begin with those that failed before', async (parallel, few) => {
		const [bad, good] = ['b', 'g'].map((kind) =>
			Array.from({ length: 12 }, (_, index) => `${kind}${index}`),
		) as [string[], string[]];
		const pause = { failures: 1, since: START - HOUR, ms: 1 };
		const pauses = Object.fromEntries(bad.map((account) => [`scope.${account}`, pause]));
		const { asked, lists } = watched([...good, ...bad], hanging);
		const state = knownOf([...good, ...bad], { pauses });
		await poll(state, lists, { parallel, expiry: soon() });
		expect(asked).toHaveLength(parallel);
		expect(asked.filter((account) => account.startsWith('b'))).toHaveLength(few);
	});

	it('after the others if one alone failed before, since the service may let one request through', async () => {
		const accounts = ['bad', 'good', 'better'];
		const pauses = { 'scope.bad': { failures: 1, since: START - HOUR, ms: 1 } };
		const { asked, lists } = watched(accounts);
		await poll(knownOf(accounts, { pauses }), lists, { parallel: 10 });
		expect(new Set(asked)).toEqual(new Set(accounts));
		expect(asked[2]).toBe('bad');
	});

	it('last if they were asked last, though they failed, but not if nothing was sent', async () => {
		const failing: FetchListPage = async () => await Promise.reject(new Error('no'));
		const { asked, lists } = watched(['a', 'b'], failing);
		const about = { ...{ ignorePauses: true, parallel: 1 }, random: () => 0 };
		const classify = (unsent: boolean) => () => ({ kind: 'server', message: '', unsent });
		const turns = async (state: WatchState, accounts: number[], unsent = false) => {
			const some = accounts.flatMap((at) => lists[at] ?? []);
			return (await poll(state, some, { ...about, classify: classify(unsent) })).state;
		};
		const state = await turns(await turns(knownOf(['a', 'b']), [0]), [1], true);
		asked.length = 0;
		await turns(state, [0, 1]);
		expect(asked).toEqual(['b', 'a']);
	});

	it('only before the deadline, until the service asks to wait', async () => {
		const { asked, lists } = watched(['a', 'b']);
		const late = await poll(emptyWatch('line'), lists, { deadline: START });
		expect([asked, late.state.lists, late.state.turn]).toEqual([[], {}, 1]);
		const isThrottled = (): boolean => asked.length > 0;
		await poll(knownOf(['a', 'b']), lists, { isThrottled, parallel: 1, random: () => 0 });
		expect(asked).toEqual(['a']);
	});

	it('within a minute where there are several, unless the poll has less', async () => {
		const deadlines: number[] = [];
		const page: FetchListPage = async (request) => {
			deadlines.push(request.deadline - START);
			return await serve(ids)(request);
		};
		const state = knownOf(['a', 'b']);
		const timed = async (accounts: string[], ms: number): Promise<void> =>
			void (await poll(state, watched(accounts, page).lists, { deadline: START + ms }));
		await timed(['a'], 300_000);
		await timed(['a', 'b'], 300_000);
		await timed(['a', 'b'], 10_000);
		expect(deadlines).toEqual([300_000, 60_000, 60_000, 10_000, 10_000]);
	});

	it('in spite of a pause only if that is asked for', async () => {
		const pauses = { 'scope.a': { failures: 1, since: START, ms: HOUR } };
		const { asked, lists } = watched(['a']);
		await poll(knownOf(['a'], { pauses }), lists);
		expect(asked).toEqual([]);
		await poll(knownOf(['a'], { pauses }), lists, { ignorePauses: true });
		expect(asked).toEqual(['a']);
	});
});

describe('when a poll must end', () => {
	const unanswered = (account: string): Error => new Error(`${account} is late`);

	it.each([
		[999, []],
		[1_000, ['slow']],
	])('a list that has not answered for %i ms has failed: %j', async (ms, expected) => {
		let clock = START;
		const expiry = soon().then(() => (clock += ms));
		const lists = [...watched(['quick']).lists, ...watched(['slow'], hanging).lists];
		const about = { expiry, now: () => clock, unanswered };
		const { failures } = await poll(knownOf(['quick', 'slow']), lists, about);
		expect(failures.map(({ account }) => account)).toEqual(expected);
		expect(failures.map(({ message }) => message)).toEqual(
			expected.map(() => 'Error: slow is late'),
		);
	});

	it('none is read any more, even if the answer of another one comes', async () => {
		let answer = (): void => undefined;
		const late = new Promise<void>((resolve) => (answer = resolve));
		const { asked, lists } = watched(['a', 'b'], async (request) => {
			await late;
			return await serve(ids)(request);
		});
		await poll(knownOf(['a', 'b']), lists, { expiry: soon(), parallel: 1 });
		answer();
		for (let turn = 0; turn < 5; turn++) await soon();
		expect(asked).toHaveLength(1);
	});
});

describe('of what one poll may deliver', () => {
	it.each([
		['an equal share for each', 9, [5, 5, 5], [3, 3, 3]],
		['what one does not need goes to the others', 9, [1, 5, 9], [1, 4, 4]],
		['the rest of a division goes to the first', 4, [5, 5, 5], [2, 1, 1]],
		['one for each of the first, if there are fewer', 2, [5, 5, 5], [1, 1, 0]],
		['a single one', 1, [5, 5, 5], [1, 0, 0]],
		['all, if there is enough', 100, [2, 0, 3], [2, 0, 3]],
	])('%s: %i', async (_, maxItems, wants, expected) => {
		const accounts = ['a', 'b', 'c'];
		const lists = accounts.map((account, index) => ({
			...{ account, fetchPage: serve([...ids, ...uuids(wants[index] ?? 0, 7)]) },
		}));
		// Its share is nothing.
		lists.push({ account: 'faulty', fetchPage: faulty });
		const changes = { settings: { ...settings, maxItems }, parallel: 1, random: () => 0 };
		const { delivered } = await poll(knownOf([...accounts, 'faulty']), lists, changes);
		expect(
			accounts.map((one) => delivered.filter(({ account }) => account === one).length),
		).toEqual(expected);
	});
});
