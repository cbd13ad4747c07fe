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
	type WholeReading,
	type ListProblem,
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
export const isBelieved = (look: Look, problem: ListProblem): boolean =>
	(look === 'blank' && problem.kind === 'endless') ||
	(look === problem.kind && problem.polls >= LASTING_POLLS);

/** If the poll ended before the second look, the first one counts. */
export function withoutSecondLook(progress: Progress): Progress {
	const { secondLook, list } = progress;
	if (secondLook.kind === 'none') return progress;
	const problem = problemAfter(progress, secondLook.doubt, secondLook.at);
	return {
		...progress,
		secondLook: { kind: 'none' },
		hasCountedProblem: true,
		list: { ...list, problem },
	};
}

/**
 * Counts a problem that goes on from an earlier poll, or begins a new one.
 *
 * @doubt repeatedPages
 */
export function problemAfter(
	{ list, hasCountedProblem }: Progress,
	kind: DoubtfulKind,
	at: number,
): ListProblem {
	const { problem } = list;
	const readingSince = list.scan.reading.since;
	if (kind === 'blank' && problem.kind === 'endless') return problem;
	if (problem.kind !== kind) return { kind, at, polls: 1, readingSince };
	if (hasCountedProblem)
		return { kind, at: Math.min(at, problem.at), polls: problem.polls, readingSince };
	return { kind, at, polls: Math.min(LASTING_POLLS, problem.polls + 1), readingSince };
}

/**
 * What is left at the end of the list. A first page that says it is another one may say so again,
 * and empty pages that this reading has skipped may be empty in the next one.
 */
export function problemAtEnd(
	problem: ListProblem,
	{ since }: Pick<WholeReading, 'since'>,
): ListProblem {
	const isSkipped =
		problem.kind === 'blank' && isLasting(problem) && problem.readingSince === since;
	return problem.kind === 'misplaced' || isSkipped ? problem : { kind: 'none' };
}

/**
 * Whether a page shows that the problem is over. Repetition, and pages without end, only end with the
 * end of the list. A page elsewhere does not show that an empty one has records now.
 */
export function isOverWith(
	{ offset, entries }: PageView,
	problem: ListProblem,
	look: Look,
): boolean {
	switch (problem.kind) {
		case 'none':
		case 'repeating':
		case 'endless':
			return false;
		case 'misplaced':
			return offset === 0 && look === 'fine';
		case 'blank':
			return offset === problem.at && entries.length > 0;
		case 'emptied':
		case 'refused':
			return offset >= problem.at && entries.length > 0;
	}
}
