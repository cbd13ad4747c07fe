/**
 * Responses that may hide records: how to recognize them, and when they count as normal for the
 * service.
 */
import type { PageView } from './meet';
import type { ListPage } from './page';
import { LASTING_POLLS, type DoubtfulKind, type ListState, type Trouble } from './state';
import type { Turn } from './turn';

/**
 * - `blank`: no records, and more are announced.
 * - `misplaced`: the first page names another offset than 0.
 * - `emptied`: the list had records, and now it has none.
 */
export type Look = 'fine' | Exclude<DoubtfulKind, 'repeating'>;

/** @doubt repeatedPages */
export function lookAt(page: ListPage, offset: number, { seen }: ListState): Look {
	if (page.records.length === 0) {
		if (page.hasMore) return 'blank';
		return offset === 0 && seen.size > 0 ? 'emptied' : 'fine';
	}
	return offset === 0 && (page.offset ?? 0) !== 0 ? 'misplaced' : 'fine';
}

/**
 * The service responded like this in many polls, so a second look would show the same.
 *
 * @doubt repeatedPages
 */
export const isBelieved = (look: Look, trouble: Trouble): boolean =>
	look === trouble.kind && trouble.polls >= LASTING_POLLS;

/** If the poll ended before the second look, the first one counts. */
export function withoutSecondLook(turn: Turn): Turn {
	const { secondLook, list } = turn;
	if (secondLook.kind === 'none') return turn;
	const trouble = troubleAfter(turn, secondLook.doubt, secondLook.at);
	return { ...turn, secondLook: { kind: 'none' }, isTroubled: true, list: { ...list, trouble } };
}

/**
 * Counts a trouble that goes on from an earlier poll, or begins a new one.
 *
 * @doubt repeatedPages
 */
export function troubleAfter({ list, isTroubled }: Turn, kind: DoubtfulKind, at: number): Trouble {
	const { trouble } = list;
	if (trouble.kind !== kind) return { kind, at, polls: 1 };
	if (isTroubled) return { kind, at: Math.min(at, trouble.at), polls: trouble.polls };
	return { kind, at, polls: Math.min(LASTING_POLLS, trouble.polls + 1) };
}

/**
 * What is left at the end of the list. A first page that says it is another one may say so again.
 */
export const troubleAtEnd = (trouble: Trouble): Trouble =>
	trouble.kind === 'misplaced' ? trouble : { kind: 'none' };

/** Whether a page shows that the trouble is over. Repetition only ends with the end of the list. */
export function isOverWith({ offset, entries }: PageView, trouble: Trouble, look: Look): boolean {
	switch (trouble.kind) {
		case 'none':
		case 'repeating':
			return false;
		case 'misplaced':
			return offset === 0 && look === 'fine';
		case 'blank':
		case 'emptied':
		case 'refused':
			return offset >= trouble.at && entries.length > 0;
	}
}
