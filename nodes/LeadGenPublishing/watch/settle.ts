/**
 * What one list delivers of what a poll has met, and what is remembered of it. Records that are left
 * over stay unknown, and stay together at their end of the list: at the head the deepest are
 * delivered first, elsewhere the first ones. So the next poll meets the others where it looks. Pure.
 */
import { together, type Met, type Reading } from './list';
import type { Seen } from './seen';
import type { Progress } from './state';

export function settle(
	before: { seen: Seen; progress: Progress },
	reading: Reading,
	{ quota, now }: { quota: number; now: number },
) {
	const { met, walkedSince, progress } = reading;
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
	const seen = before.seen.with(new Map(learned.map(({ hash, value }) => [hash, value])));
	if (left.length === 0) return { delivered, seen, progress, walkedSince };
	const back = goBackFor(left, { before: before.progress, progress, now });
	// A walk that leaves records over has not ended.
	return { delivered, seen, progress: back, walkedSince: undefined };
}

/** So that the next poll meets what is left over; meanwhile the walk stays where it was. */
function goBackFor(
	left: readonly Met[],
	{ before, progress, now }: { before: Progress; progress: Progress; now: number },
): Progress {
	const placesIn = (phase: Met['phase']): number[] =>
		left.filter((one) => one.phase === phase).map(({ position }) => position);
	const walked = placesIn('walk');
	const { first, since, pages } = before;
	const back: Progress = { ...progress, first, since, pages, at: Math.min(before.at, ...walked) };
	if (walked.length > 0 && first === undefined) back.scattered = now;
	for (const end of ['head', 'tail'] as const)
		if (placesIn(end).length > 0) {
			back.grows &&= together(back.grows, end);
			// They are counted again when they are met again.
			back.end = Math.min(back.end, before.end, ...placesIn('tail'));
		}
	return back;
}
