/**
 * Responses that may hide records: how to recognize them, and when they count as normal for the
 * service.
 */
import type { PageView } from './compare';
import type { ListPage } from './page';
import {
	isLasting,
	LASTING_POLLS,
	type DoubtfulKind,
	type ListState,
	type Pass,
	type Trouble,
} from './state';
import type { Progress } from './progress';

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
	(look === 'blank' && trouble.kind === 'endless') ||
	(look === trouble.kind && trouble.polls >= LASTING_POLLS);

/** If the poll ended before the second look, the first one counts. */
export function withoutSecondLook(progress: Progress): Progress {
	const { secondLook, list } = progress;
	if (secondLook.kind === 'none') return progress;
	const trouble = troubleAfter(progress, secondLook.doubt, secondLook.at);
	return {
		...progress,
		secondLook: { kind: 'none' },
		isTroubled: true,
		list: { ...list, trouble },
	};
}

/**
 * Counts a trouble that goes on from an earlier poll, or begins a new one.
 *
 * @doubt repeatedPages
 */
export function troubleAfter(
	{ list, isTroubled }: Progress,
	kind: DoubtfulKind,
	at: number,
): Trouble {
	const { trouble } = list;
	const pass = list.scan.pass.since;
	if (kind === 'blank' && trouble.kind === 'endless') return trouble;
	if (trouble.kind !== kind) return { kind, at, polls: 1, pass };
	if (isTroubled) return { kind, at: Math.min(at, trouble.at), polls: trouble.polls, pass };
	return { kind, at, polls: Math.min(LASTING_POLLS, trouble.polls + 1), pass };
}

/**
 * What is left at the end of the list. A first page that says it is another one may say so again,
 * and empty pages that this reading has skipped may be empty in the next one.
 */
export function troubleAtEnd(trouble: Trouble, { since }: Pick<Pass, 'since'>): Trouble {
	const isSkipped = trouble.kind === 'blank' && isLasting(trouble) && trouble.pass === since;
	return trouble.kind === 'misplaced' || isSkipped ? trouble : { kind: 'none' };
}

/**
 * Whether a page shows that the trouble is over. Repetition, and pages without end, only end with the
 * end of the list. A page elsewhere does not show that an empty one has records now.
 */
export function isOverWith({ offset, entries }: PageView, trouble: Trouble, look: Look): boolean {
	switch (trouble.kind) {
		case 'none':
		case 'repeating':
		case 'endless':
			return false;
		case 'misplaced':
			return offset === 0 && look === 'fine';
		case 'blank':
			return offset === trouble.at && entries.length > 0;
		case 'emptied':
		case 'refused':
			return offset >= trouble.at && entries.length > 0;
	}
}
