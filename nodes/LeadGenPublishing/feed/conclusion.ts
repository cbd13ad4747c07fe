/**
 * What becomes of a poll's findings: items or a report. n8n shows either the items of a poll or its
 * error, so a report waits for one poll at most. Pure.
 */
import type { HashedDelivery } from './delivery';
import type { Rest } from './memory/state';
import type { ListFailure } from './reports/listFailure';
import type { Reports } from './reports/reports';
import type { Whose, World } from './world';

export interface Conclusion {
	/**
	 * - `delivers`: the items, if there are any.
	 * - `postpones`: the items, and the next poll reports, whatever that one finds.
	 * - `reports`: it has found nothing, and fails so that n8n shows the report.
	 * - `reportsAndUndoes`: it fails although it has found something, which the next poll finds again.
	 */
	readonly kind: 'delivers' | 'postpones' | 'reports' | 'reportsAndUndoes';
	readonly delivered: readonly HashedDelivery[];
	/** The poll fails with these. */
	readonly toReport: readonly ListFailure[];
	/** A later poll reports these. */
	readonly pending: readonly ListFailure[];
}

interface Given {
	readonly world: Pick<World<unknown>, 'isSilent'>;
	readonly before: Pick<Rest, 'pending' | 'reportsNext'>;
	readonly whose: Whose;
}

export function conclusionOf(
	found: readonly HashedDelivery[],
	reports: Pick<Reports, 'open' | 'markReported'>,
	{ world, before, whose }: Given,
): Conclusion {
	const { open, later } = reports.open(before.pending, whose);
	const kind = kindOf({
		hasReports: open.length > 0 && !world.isSilent(open, whose.accounts),
		hasItems: found.length > 0,
		isPostponed: before.reportsNext === true,
	});
	if (kind === 'delivers' || kind === 'postpones')
		return { kind, delivered: found, toReport: [], pending: [...open, ...later] };
	reports.markReported(open);
	return { kind, delivered: [], toReport: open, pending: later };
}

interface Findings {
	readonly hasReports: boolean;
	readonly hasItems: boolean;
	/** The poll before has postponed its report. */
	readonly isPostponed: boolean;
}

function kindOf({ hasReports, hasItems, isPostponed }: Findings): Conclusion['kind'] {
	if (!hasReports) return 'delivers';
	if (!hasItems) return 'reports';
	return isPostponed ? 'reportsAndUndoes' : 'postpones';
}
