/** The time up to which each list is known completely. */
import { Horizon, type StoredHorizon } from '../../../nodes/LeadGenPublishing/feed/memory/horizon';

const NOW = 1_800_000_000_000;
const NEW_LEADS = { event: 'newLead', account: 'own' };

const stored = (
	before: unknown,
	filtersName: string,
	{ event = 'newLead', now = NOW, own = NOW } = {},
): StoredHorizon =>
	Horizon.open(before).after(filtersName, { event, now, known: new Map([['own', own]]) });

it('of a list that was never read is not known', () => {
	const horizon = Horizon.open(undefined);
	expect([horizon.of('all', NEW_LEADS), horizon.isDamaged]).toEqual([{ kind: 'never' }, false]);
});

it('is kept for each filter and account, and moves forward', () => {
	const one = stored(undefined, 'all');
	const two = stored(one, 'all', { own: NOW + 5 });
	expect(Horizon.open(two).of('all', NEW_LEADS)).toEqual({ kind: 'thisList', until: NOW + 5 });
	const other = { event: 'newLead', account: 'own2' };
	expect(Horizon.open(two).of('all', other)).toEqual({ kind: 'never' });
});

it('stays if a poll learns nothing newer', () => {
	const one = stored(undefined, 'all');
	const two = Horizon.open(one).after('all', {
		event: 'newLead',
		now: NOW + 5,
		known: new Map(),
	});
	expect(Horizon.open(two).of('all', NEW_LEADS)).toEqual({ kind: 'thisList', until: NOW });
});

it('is taken from the latest other filters of the same event, but not from another event', () => {
	const first = stored(undefined, 'emails', { own: NOW });
	const second = stored(first, 'keyword', { own: NOW + 5 });
	const horizon = Horizon.open(second);
	expect(horizon.of('all', NEW_LEADS)).toEqual({ kind: 'otherFilters', until: NOW + 5 });
	expect(horizon.of('emails', NEW_LEADS)).toEqual({ kind: 'thisList', until: NOW });
	expect(horizon.of('all', { ...NEW_LEADS, event: 'newActivity' })).toEqual({ kind: 'never' });
});

it('of four earlier filters is kept however often the same filters poll', () => {
	const names = ['a', 'b', 'c', 'd', 'now', 'now'];
	let horizon: StoredHorizon | undefined;
	for (const [at, name] of names.entries()) horizon = stored(horizon, name, { now: NOW + at });
	expect(Object.keys(horizon?.byFilters ?? {}).sort()).toEqual(['a', 'b', 'c', 'd', 'now']);
});

it('of earlier filters is kept for the last four of them, whatever their age', () => {
	let horizon: StoredHorizon | undefined;
	for (let at = 0; at < 7; at++)
		horizon = stored(horizon, `filters ${at}`, { now: NOW + at, own: NOW + at });
	const kept = Array.from({ length: 7 }, (_, at) =>
		Horizon.open(horizon).of(`filters ${at}`, NEW_LEADS),
	).map(({ kind }) => kind);
	expect(kept).toEqual([
		...['otherFilters', 'otherFilters', 'thisList', 'thisList', 'thisList', 'thisList', 'thisList'],
	]);
	const year = 365 * 24 * 3_600_000;
	expect(
		Horizon.open(stored(horizon, 'filters 6', { now: NOW + year })).of('filters 5', NEW_LEADS),
	).toEqual({ kind: 'thisList', until: NOW + 5 });
});

it.each<[string, (sound: StoredHorizon) => unknown]>([
	['no object', () => 'damaged'],
	['a time that was changed', (sound) => ({ ...sound, byFilters: { all: { event: 'newLead' } } })],
	['a checksum that was changed', (sound) => ({ ...sound, sum: 'x' })],
	['another version', (sound) => ({ ...sound, v: 99 })],
	['nothing in it', () => ({})],
])('is damaged by %s, and then knows nothing', (_, damage) => {
	const horizon = Horizon.open(damage(stored(undefined, 'all')));
	expect([horizon.isDamaged, horizon.of('all', NEW_LEADS)]).toEqual([true, { kind: 'never' }]);
});

it('is not damaged if the database returns its fields in another order', () => {
	const { v, byFilters, sum } = stored(undefined, 'all');
	expect(Horizon.open({ sum, v, byFilters }).isDamaged).toBe(false);
});

it('names no account, and takes at most 30 characters for each', () => {
	const accounts = Array.from({ length: 1_000 }, (_, at) => `6f1c2f0e-0000-4000-8000-${at + 1e11}`);
	const known = new Map(accounts.map((account) => [account, NOW]));
	const horizon = Horizon.open(undefined).after('all', {
		event: 'newLead',
		now: NOW,
		known,
	});
	const text = JSON.stringify(horizon);
	expect(text).not.toContain('6f1c2f0e');
	expect(text.length).toBeLessThan(1_000 * 30);
});

it('is kept for any number of accounts, and for a year after one was last read', () => {
	const day = 24 * 3_600_000;
	const accounts = Array.from({ length: 5_000 }, (_, at) => `account ${at}`);
	const readIn = (before: unknown, names: readonly string[], time: number) =>
		Horizon.open(before).after('all', {
			...{ event: 'newLead', now: time },
			known: new Map(names.map((name) => [name, time])),
		});
	const [first = '', ...others] = accounts;
	const kindsAfter = (days: number) => {
		const horizon = Horizon.open(
			readIn(readIn(undefined, accounts, NOW), others, NOW + days * day),
		);
		return accounts.map((account) => horizon.of('all', { event: 'newLead', account }).kind);
	};
	expect(new Set(kindsAfter(364))).toEqual(new Set(['thisList']));
	expect(kindsAfter(365).map((kind) => kind === 'never')).toEqual(
		accounts.map((account) => account === first),
	);
});
