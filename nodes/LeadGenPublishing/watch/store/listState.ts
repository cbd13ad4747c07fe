/**
 * The stored state of one list. Promise: it is either exactly what was written, in a known version,
 * or refused. Never trust a partly valid state: it could deliver everything again, or nothing.
 */
import { isRecord } from '../../api/schemas';
import { checksum } from './checksum';
import { freshProgress, type Progress } from './progress';
import { readProgress } from './readProgress';
import type { SeenText } from './eliasFano';
import { SeenSet } from './seen';

const LIST_VERSION = 2;

/** As stored, per list. */
export interface ListState extends SeenText {
	v: number;
	progress: Progress;
	/** Checksum of `set` alone, the long part, which most polls leave unchanged. */
	setSum: string;
	/** Checksum of the rest, `setSum` included. */
	sum: string;
}

export type Opened<T> = { kind: 'ok'; value: T } | { kind: 'none' } | { kind: 'damaged' };

const listSum = ({ n, w, m, v, setSum, progress }: Omit<ListState, 'sum'>): string =>
	checksum(JSON.stringify([v, n, w, m ?? 0, setSum, progress]));

/**
 * `before`: the state from which `seen` was opened; its checksum is reused if the set is unchanged.
 */
export function sealList(seen: SeenSet, progress: Progress, before?: ListState): ListState {
	const text = seen.toText();
	const setSum = before?.set === text.set ? before.setSum : checksum(text.set);
	const state = { v: LIST_VERSION, ...text, setSum, progress };
	return { ...state, sum: listSum(state) };
}

/**
 * Opens one list. `width`: the bits that its event stores per record; another width means another
 * event.
 */
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

/** A list whose first scan is silent: it delivers nothing, even with "Emit Existing". */
export const silentNewList = (width: number, now: number): ListState =>
	sealList(SeenSet.empty(width), { ...freshProgress(now), quietly: true });
