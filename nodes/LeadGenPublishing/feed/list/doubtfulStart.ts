/**
 * A first reading that has found nothing, or one full page without more, may have missed the list.
 * If many records that may be old then appear at once within a day, the list is read again as if for
 * the first time. Pure.
 */
import { firstScan, type ListState } from './state';
import type { SeenRecord } from './progress';
import type { ListRules } from './rules';

/** More unknown records than this at once are hardly new. */
export const MANY_AT_ONCE = 100;
const DAY = 24 * 3_600_000;

export const isDoubtfulStart = ({ scan }: ListState, now: number): boolean =>
	scan.kind === 'check' &&
	scan.existing.kind === 'firstDay' &&
	scan.existing.isDoubtful &&
	now - scan.existing.since < DAY;

/** The records that are to be delivered, although nothing shows that they are new. */
export const unprovenOf = (
	recordsRead: readonly SeenRecord[],
	{ entersLate }: ListRules,
): SeenRecord[] =>
	recordsRead.filter(
		({ wanted, known, createdAt }) =>
			wanted !== undefined && known === undefined && (createdAt === undefined || entersLate),
	);

export function readAgain(list: ListState, now: number): ListState {
	const { scan } = list;
	if (scan.kind !== 'check' || scan.existing.kind !== 'firstDay') return list;
	const { after, since } = scan.existing;
	return {
		...list,
		gaps: [],
		newAtTop: 0,
		scan: firstScan(now, { after, emits: scan.emits }, since),
	};
}
