/** Whether a poll delivers its items or reports: each row of the decision, and what n8n is to keep. */
import { conclusionOf } from '../../nodes/LeadGenPublishing/feed/conclusion';
import type { HashedDelivery } from '../../nodes/LeadGenPublishing/feed/delivery';
import { keptAfter } from '../../nodes/LeadGenPublishing/feed/kept';
import { Horizon } from '../../nodes/LeadGenPublishing/feed/memory/horizon';
import { packState } from '../../nodes/LeadGenPublishing/feed/memory/packing';
import { EMPTY_REST } from '../../nodes/LeadGenPublishing/feed/memory/state';
import type { ListFailure } from '../../nodes/LeadGenPublishing/feed/reports/listFailure';
import { knownList, MINUTE, newRecords, NOW } from './list/lists';

const FOUND = [{ account: 'own', hash: 1 }] as unknown as HashedDelivery[];
const OPEN: ListFailure = { account: 'own', kind: 'open', message: '' };
const LATER: ListFailure = { account: 'own', kind: 'later', message: '' };

interface Row {
	readonly open?: boolean;
	readonly isSilent?: boolean;
	readonly found?: boolean;
	readonly reportsNext?: true;
}

function concluded({ open = false, isSilent = false, found = false, reportsNext }: Row) {
	const reported: ListFailure[] = [];
	const reports = {
		open: () => ({ open: open ? [OPEN] : [], later: [LATER] }),
		markReported: (all: readonly ListFailure[]) => void reported.push(...all),
	};
	const conclusion = conclusionOf(found ? FOUND : [], reports, {
		world: { isSilent: () => isSilent },
		before: { pending: [], reportsNext },
		whose: { accounts: ['own'], isSure: true, news: [] },
	});
	return { ...conclusion, reported };
}

it.each<[string, Row, string]>([
	['nothing', {}, 'delivers'],
	['items', { found: true }, 'delivers'],
	[
		'items after a postponed report that is settled',
		{ found: true, reportsNext: true },
		'delivers',
	],
	['a report that must stay silent', { open: true, isSilent: true, found: true }, 'delivers'],
	['a report', { open: true }, 'reports'],
	['a postponed report', { open: true, reportsNext: true }, 'reports'],
	['items and a report', { open: true, found: true }, 'postpones'],
	[
		'items and a postponed report',
		{ open: true, found: true, reportsNext: true },
		'reportsAndUndoes',
	],
])('of %s, the poll concludes as expected', (_, row, kind) => {
	const { delivered, toReport, pending, reported, ...conclusion } = concluded(row);
	const fails = kind === 'reports' || kind === 'reportsAndUndoes';
	expect(conclusion.kind).toBe(kind);
	expect(delivered).toEqual(row.found === true && !fails ? FOUND : []);
	expect([toReport, reported]).toEqual(fails ? [[OPEN], [OPEN]] : [[], []]);
	// Nothing that is not reported now is lost.
	expect(pending).toEqual([...(row.open === true && !fails ? [OPEN] : []), LATER]);
});

describe('n8n is to keep', () => {
	const named = { event: 'newLead', queryName: 'leads', filtersName: 'filters' };
	const accounts = ['own', 'a client'];
	const listsWith = (ids: readonly string[]) =>
		new Map(accounts.map((account) => [account, { list: knownList(ids), readAt: NOW }]));
	const stateWith = (ids: readonly string[], pollNumber: number) =>
		packState(
			{ ...named, sequence: 'one', pollNumber, by: 'this', rest: EMPTY_REST },
			listsWith(ids),
		);
	const horizonAt = (time: number) =>
		Horizon.open(undefined).after('filters', {
			...{ event: 'newLead', now: NOW },
			known: new Map(accounts.map((account) => [account, time])),
		});

	it.each([
		['what a poll has learned', 'delivers', ['1', 'new'], NOW, accounts.length],
		// Its records are found again, so they must not count as older than the list.
		['nothing of a poll that is undone', 'reportsAndUndoes', ['1'], NOW - MINUTE, 0],
	] as const)('%s', (_, kind, ids, until, checks) => {
		const list = { emitExisting: false, startFrom: undefined, rules: newRecords };
		const horizon = Horizon.open(horizonAt(NOW - MINUTE));
		const kept = keptAfter({ kind, delivered: [], toReport: [], pending: [] }, {
			world: { ...named, list, process: 'this' },
			start: { state: stateWith(['1'], 1), horizon },
			lists: listsWith(['1', 'new']),
			learned: {
				...{ found: [], hasLearned: true },
				checked: accounts.map((account) => ({ account, since: NOW })),
				known: new Map(accounts.map((account) => [account, NOW])),
			},
			...{ rest: EMPTY_REST, now: NOW },
		} as unknown as Parameters<typeof keptAfter>[1]);
		expect(kept.state.lists).toEqual(stateWith(ids, 2).lists);
		expect(kept.horizon).toEqual(horizonAt(until));
		expect(kept.checked).toHaveLength(checks);
	});
});
