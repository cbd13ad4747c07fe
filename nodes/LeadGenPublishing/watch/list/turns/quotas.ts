/** How many items each list may deliver in one poll. Pure. */
import type { FinishedList } from './pollResult';

/**
 * Equal shares first, then what the others did not need, in the order in which the lists finished.
 */
export function distribute(
	finished: readonly FinishedList[],
	maxItems: number,
): Array<{ list: FinishedList; quota: number }> {
	const wanted = (one: FinishedList): number =>
		'report' in one ? one.report.reading.findings.deliverables.length : 0;
	const all = finished.map((list) => ({ list, wants: wanted(list), quota: 0 }));
	let open = all;
	let left = maxItems;
	while (left > 0 && (open = open.filter(({ wants }) => wants > 0)).length > 0) {
		const share = Math.max(1, Math.floor(left / open.length));
		for (const entry of open) {
			const given = Math.min(share, entry.wants, left);
			entry.quota += given;
			entry.wants -= given;
			left -= given;
		}
	}
	return all;
}
