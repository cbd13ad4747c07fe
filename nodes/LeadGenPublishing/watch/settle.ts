/**
 * What one list delivers of what a poll has met, and what is remembered of it. Records that are left
 * over stay unknown, and stay together at their end of the list: at the head the deepest are
 * delivered first, elsewhere the first ones. So the next poll meets the others where it looks. Pure.
 */
import { together, type Met, type Reading } from './list';
import type { Seen } from './seen';
import type { Progress } from './stored';

export interface Settled {
	readonly delivered: readonly Met[];
	readonly seen: Seen;
	readonly progress: Progress;
	/** How many records were found and not delivered. */
	readonly left: number;
}

export function settle(
	before: { seen: Seen; progress: Progress },
	reading: Reading,
	{ quota, now }: { quota: number; now: number },
): Settled {
	const { met } = reading;
	const of = (phase: Met['phase']): Met[] =>
		met
			.filter((one) => one.record !== undefined && one.phase === phase)
			.sort((one, other) => one.position - other.position);
	const inOrder = [...of('walk'), ...of('tail'), ...of('head').reverse()];
	const delivered = inOrder.slice(0, quota);
	const left = inOrder.slice(quota);
	// While records are left over, none is remembered between them: it would look like the end of
	// the unknown ones.
	const learned = left.length > 0 ? delivered : met.filter(({ known, value }) => known !== value);
	return {
		delivered,
		left: left.length,
		seen: before.seen.with(new Map(learned.map(({ hash, value }) => [hash, value]))),
		progress: left.length > 0 ? goBackFor(left, before.progress, reading, now) : reading.progress,
	};
}

/** So that the next poll meets what is left over. */
function goBackFor(
	left: readonly Met[],
	before: Progress,
	{ progress, walkedSince }: Reading,
	now: number,
): Progress {
	const back: Progress = { ...progress };
	const at = (phase: Met['phase']): number =>
		Math.min(...left.filter((one) => one.phase === phase).map(({ position }) => position));
	for (const end of ['head', 'tail'] as const)
		if (at(end) < Infinity) {
			back.grows &&= together(back.grows, end);
			// They are counted again when they are met again.
			back.end = Math.min(back.end, before.end, at('tail'));
		}
	// Where far offsets are refused, no poll looks at the tail.
	const found = progress.reach === undefined ? at('walk') : Math.min(at('walk'), at('tail'));
	if (found < Infinity && before.first === undefined) back.scattered = now;
	// Should the walk have passed some of them, it goes on there: it has not shown everything yet.
	const end = walkedSince === undefined ? progress.at : Infinity;
	const passed = left.some(({ position }) => before.at <= position && position < end);
	if (passed || found < Infinity) {
		const { first, since, pages } = before;
		Object.assign(back, { first, since, pages, at: Math.min(found, before.at) });
	}
	return back;
}
