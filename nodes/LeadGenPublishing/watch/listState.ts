/**
 * Promise: what was stored about one list is either exactly what was written, in a version we know,
 * or refused. Never half believed: a damaged memory that is trusted delivers everything again, or
 * nothing.
 */
import { isRecord } from './isRecord';
import { checksum } from './checksum';
import { readProgress, type Progress } from './list/progress';
import { SeenSet, type SeenText } from './seen';

const LIST_VERSION = 2;

/** As stored, per list. */
export interface ListState extends SeenText {
	v: number;
	progress: Progress;
	/** Of `set` alone: most polls leave it as it was, and it is the long part. */
	setSum: string;
	/** Of all the rest, `setSum` included. */
	sum: string;
}

export type Opened<T> = { kind: 'ok'; value: T } | { kind: 'none' } | { kind: 'damaged' };

const listSum = ({ n, w, m, v, setSum, progress }: Omit<ListState, 'sum'>): string =>
	checksum(JSON.stringify([v, n, w, m ?? 0, setSum, progress]));

/** `before`: the state that `seen` was opened from, if it was not changed since. */
export function sealList(seen: SeenSet, progress: Progress, before?: ListState): ListState {
	const text = seen.toText();
	const setSum = before?.set === text.set ? before.setSum : checksum(text.set);
	const state = { v: LIST_VERSION, ...text, setSum, progress };
	return { ...state, sum: listSum(state) };
}

/** Opens one list. `width` is what its event keeps per record; another width is another event. */
export function openList(
	stored: unknown,
	width: number,
): Opened<{ seen: SeenSet; progress: Progress }> {
	if (stored === undefined) return { kind: 'none' };
	if (!isRecord(stored) || stored.v !== LIST_VERSION || stored.w !== width) {
		return { kind: 'damaged' };
	}
	const seen = SeenSet.open(stored);
	const progress = readProgress(stored.progress);
	if (seen === undefined || progress === undefined) return { kind: 'damaged' };
	const state = stored as unknown as ListState;
	const sound = state.sum === listSum(state) && state.setSum === checksum(state.set);
	return sound ? { kind: 'ok', value: { seen, progress } } : { kind: 'damaged' };
}
