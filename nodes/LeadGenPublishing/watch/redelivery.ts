/**
 * Delivers the last batch again after a restart, if the user has chosen that. What a process has
 * delivered stays marked in the stored state until a later poll of the same process takes the mark
 * away. A process that finds the mark of another one forgets these records, so that reading meets
 * and delivers them again. No batch comes more than three times. Pure.
 */
import { without } from '../api/schemas';
import type { RememberedList } from './state';
import type { Batch, Mark } from './stored';

/** By then n8n has created the execution, or reported that it could not. */
export const CONFIRMED_AFTER_MS = 10_000;
const MOST_TIMES = 3;

export interface Marked {
	readonly account: string;
	readonly hash: number;
	/** The value that was remembered; undefined if the record was not known. */
	readonly previousValue: string | undefined;
}

/** How often a record has been delivered that is to come again. */
type Again = ReadonlyMap<string, number>;

export interface Resumed {
	readonly again: Again;
	/** Batches that stay marked. */
	readonly batches: readonly Batch[];
}

const keyOf = ({ account, hash }: Omit<Marked, 'previousValue'>): string => `${account} ${hash}`;

/** Takes back what another process has delivered last: changes the lists. */
export function resumeLastBatch(
	mark: Mark | undefined,
	{ lists, process, now }: { lists: Map<string, RememberedList>; process: string; now: number },
): Resumed {
	const again = new Map<string, number>();
	if (mark === undefined) return { again, batches: [] };
	if (mark.process === process) {
		const batches = mark.batches.filter(({ at }) => Math.abs(now - at) < CONFIRMED_AFTER_MS);
		return { again, batches };
	}
	// The latest first, so that what was known before the first one is restored last.
	for (const { times, records } of mark.batches.toReversed()) {
		if (times >= MOST_TIMES) continue;
		for (const [account, delivered] of Object.entries(records)) {
			const list = lists.get(account);
			// A silent first walk delivers nothing, and records known before it began would mislead it.
			if (list === undefined || list.progress.silent) continue;
			for (const [hash] of delivered) again.set(keyOf({ account, hash }), times);
			const before = new Map(delivered.map(([hash, known]) => [hash, known ?? undefined]));
			// They may stand anywhere by now.
			const anywhere = { at: 0, pages: 0, since: now, scattered: now };
			lists.set(account, {
				...{ ...list, seen: list.seen.with(before) },
				progress: { ...without(list.progress, 'last'), ...anywhere },
			});
		}
	}
	return { again, batches: [] };
}

export function markDelivered(
	delivered: readonly Marked[],
	{ again, batches }: Resumed,
	{ process, now }: { process: string; now: number },
): Mark {
	const byTimes = new Map<number, Record<string, Array<[number, string | null]>>>();
	for (const one of delivered) {
		const times = (again.get(keyOf(one)) ?? 0) + 1;
		const records = byTimes.get(times) ?? {};
		(records[one.account] ??= []).push([one.hash, one.previousValue ?? null]);
		byTimes.set(times, records);
	}
	const latest = [...byTimes].map(([times, records]) => ({ at: now, times, records }));
	return { process, batches: [...batches, ...latest] };
}

/** Records that come again go first. */
export const againFirst = <T extends Marked>(delivered: readonly T[], again: Again): T[] => [
	...delivered.filter((one) => again.has(keyOf(one))),
	...delivered.filter((one) => !again.has(keyOf(one))),
];
