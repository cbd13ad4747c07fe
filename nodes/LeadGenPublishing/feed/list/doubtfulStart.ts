/**
 * A first reading that has found nothing, or one full page without more, may have missed the list.
 * If many records that may be old then appear at once within a day, the list is read again as if for
 * the first time. Pure.
 */
import { beginPass, type ListState } from './state';
import type { Met } from './turn';
import type { ListRules } from './rules';

/** More unknown records than this at once are hardly new. */
export const MANY_AT_ONCE = 100;
const DAY = 24 * 3_600_000;

export const isDoubtfulStart = ({ scan }: ListState, now: number): boolean =>
	scan.kind === 'check' &&
	scan.heldBack.kind === 'firstDay' &&
	scan.heldBack.isDoubtful &&
	now - scan.heldBack.since < DAY;

/** The records that are to be delivered, although nothing shows that they are new. */
export const unprovenOf = (met: readonly Met[], { entersLate }: ListRules): Met[] =>
	met.filter(
		({ due, known, createdAt }) =>
			due !== undefined && known === undefined && (createdAt === undefined || entersLate),
	);

export function readAgain(list: ListState, now: number): ListState {
	const { scan } = list;
	if (scan.kind !== 'check' || scan.heldBack.kind !== 'firstDay') return list;
	const { after } = scan.heldBack;
	return {
		...list,
		gaps: [],
		lead: 0,
		scan: {
			kind: 'first',
			pass: beginPass(now),
			after,
			emits: scan.emits,
			isRepeated: true,
			tries: 0,
		},
	};
}
