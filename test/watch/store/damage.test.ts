/** Whatever the stored state contains, no poll throws, and undamaged lists keep working. */
import { openWatch, type WatchState } from '../../../nodes/LeadGenPublishing/watch/store/state';
import { beginPoll, freshMemory } from '../../../nodes/LeadGenPublishing/watch/store/stateMemory';
import { rulesFor } from '../../../nodes/LeadGenPublishing/watch/list/events';
import { openList } from '../../../nodes/LeadGenPublishing/watch/store/listState';

import { damaged } from '../simulation/damage';
import { Chance } from '../random';
import { pollOnce, scannedState, serve, START, uuids } from '../pollHelpers';

const ids = uuids(130);
const news = ['new', ...ids];
const serving = (records: readonly string[]) =>
	['a', 'b'].map((account) => ({ account, fetchPage: serve(records) }));

async function realState(): Promise<WatchState> {
	const list = scannedState(ids, { grows: 'head' }).lists['scope.own'];
	if (list === undefined) throw new Error('no list');
	const both = { ...scannedState([]), lists: { 'scope.a': list, 'scope.b': list } };
	const lists = serving(ids);
	const broken = [...lists.slice(0, 1), { account: 'c', fetchPage: failing }];
	return (await pollOnce(both, failing, { lists: [...broken, ...lists.slice(1)] })).state;
}
const failing = async () => await Promise.reject(new Error('revoked'));

async function pollStored(stored: unknown, records: readonly string[]) {
	const start = beginPoll(freshMemory(), { stored, now: START, until: START + 1e5, line: 'l' });
	if (start === undefined) throw new Error('busy');
	const { state, damaged: all } = start;
	const lists = serving(records);
	return await pollOnce(state, failing, { lists, damaged: all });
}

describe('a state that was damaged outside', () => {
	it('never makes a poll throw, and costs no sound list a record', async () => {
		const sound = await realState();
		const text = JSON.stringify(sound);
		for (let seed = 1; seed <= 1_500; seed++) {
			const { stored, lists } = damaged(JSON.parse(text) as unknown, new Chance(seed));
			const first = await pollStored(stored, news);
			for (const account of ['a', 'b']) {
				const got = first.delivered.filter((one) => one.account === account);
				// A list that is unchanged, in a readable state, is not affected.
				if (lists.includes(account))
					expect([seed, account, got.length]).toEqual([seed, account, 1]);
				else expect(got.length).toBeLessThanOrEqual(1);
			}
			const next = await pollStored(JSON.parse(JSON.stringify(first.state)), ['newer', ...news]);
			const delivered = next.delivered.map(
				({ account, record }) => `${account} ${String(record.id)}`,
			);
			expect([seed, delivered.filter((one) => one.endsWith(' newer')).sort()]).toEqual([
				seed,
				['a newer', 'b newer'],
			]);
			expect(openWatch(next.state).kind).toBe('ok');
		}
	}, 120_000);

	describe('of which only the whole can show it', () => {
		const pollWith = async (change: (lists: WatchState['lists']) => WatchState['lists']) => {
			const sound = await realState();
			return await pollStored({ ...sound, lists: change(sound.lists) }, news);
		};
		const told = ({ failures }: { failures: ReadonlyArray<{ account: string; kind: string }> }) =>
			failures.filter(({ kind }) => kind === 'damaged-state').map(({ account }) => account);

		it('a list that is missing is told, and its records count as known', async () => {
			const result = await pollWith(({ 'scope.a': _, ...rest }) => rest);
			expect(told(result)).toEqual(['all']);
			expect(result.delivered.map(({ account }) => account)).toEqual(['b']);
		});

		it('a list under the name of another is told', async () => {
			const result = await pollWith(({ 'scope.a': a, 'scope.b': b }) => ({
				...(b === undefined ? {} : { 'scope.a': b }),
				...(a === undefined ? {} : { 'scope.b': a }),
			}));
			expect(told(result)).toEqual(['all']);
		});
	});

	it('is refused where a number, a flag or a word cannot be ours, checksum or not', () => {
		const list = scannedState(ids).lists['scope.own'];
		if (list === undefined) throw new Error('no list');
		expect(openList(list, 0).kind).toBe('ok');
		for (const [field, value] of [
			['n', 1e12],
			['n', -1],
			['n', 131],
			['m', 3],
			['set', `${list.set}A`],
			['set', list.set.slice(4)],
			['progress', null],
			['progress', []],
		] as const) {
			expect([field, openList({ ...list, [field]: value }, 0).kind]).toEqual([field, 'damaged']);
		}
	});
});

describe('a fault of our own in one list', () => {
	const rules = {
		...rulesFor('newLead', { onlyWithIntent: true }),
		matches: ({ id }: { id?: unknown }) => {
			if (id === 'poison') throw new TypeError('poison');
			return true;
		},
	};
	const settings = {
		...{ rules, emitExisting: false, maxItems: 10, maxRequests: 100 },
		pace: { maxPages: 1, maxPagesWhenSearching: 10 },
	};
	const lists = (a: readonly string[], b: readonly string[]) => [
		{ account: 'a', fetchPage: serve(a) },
		{ account: 'b', fetchPage: serve(b) },
	];

	it('leaves the others alone, keeps what it knows, and begins anew only after three', async () => {
		let { state } = await pollOnce(scannedState([]), failing, { lists: lists(ids, ids), settings });
		const told: string[][] = [];
		for (let poll = 1; poll <= 7; poll++) {
			const now = START + poll * 2 * 3_600_000;
			const given = { lists: lists(['poison', ...ids], [`${poll}`, ...ids]), settings };
			const result = await pollOnce(state, failing, {
				...given,
				now: () => now,
				deadline: now + 1e4,
			});
			({ state } = result);
			expect(result.delivered.map(({ account }) => account)).toEqual(['b']);
			told.push(result.failures.map(({ kind }) => kind));
			const known = openList(state.lists['scope.a'], 1);
			expect(known.kind === 'ok' && known.value.seen.size).toBe(poll < 3 ? ids.length : 0);
		}
		expect(told.filter((kinds) => kinds.includes('damaged-state'))).toHaveLength(1);
		const now = START + 24 * 3_600_000;
		const later = { now: () => now, deadline: now + 1e4, settings };
		const calm = await pollOnce(state, failing, { ...later, lists: lists(ids, ids) });
		expect(calm.delivered).toEqual([]);
		const grown = await pollOnce(calm.state, failing, {
			...later,
			lists: lists(['x', ...ids], ids),
		});
		expect(grown.delivered.map(({ record }) => record.id)).toEqual(['x']);
	});
});
