/** Whether a poll delivers its items or reports: each row of the decision. */
import { conclusionOf } from '../../nodes/LeadGenPublishing/feed/conclusion';
import type { HashedDelivery } from '../../nodes/LeadGenPublishing/feed/delivery';
import type { ListFailure } from '../../nodes/LeadGenPublishing/feed/reports/listFailure';

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
