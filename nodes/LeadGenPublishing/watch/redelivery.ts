/**
 * Delivers the last batch again after a restart, if the user has chosen that. What a process has
 * delivered stays marked in the stored state until a later poll of the same process takes the mark
 * away. A process that finds the mark of another one forgets these records, so that reading meets
 * and delivers them again. No batch comes more than three times. Pure.
 */
import { without } from '../api/schemas';
import { Seen } from './seen';
import type { RememberedList } from './state';

/** By then n8n has created the execution, or reported that it could not. */
export const CONFIRMED_AFTER_MS = 10_000;
const MOST_TIMES = 3;

interface Batch {
	readonly at: number;
	/** How often it has been delivered. */
	readonly times: number;
	/** The delivered records, by list; behind each hash a sign and the value that was known before. */
	readonly lists: Readonly<Record<string, string>>;
}

export interface Mark {
	readonly process: string;
	readonly batches: readonly Batch[];
}

/** The signs before the value: whether the record was known. */
const UNKNOWN = '0';
const KNOWN = '1';

/** How often the records to deliver again have been delivered, by list and hash. */
type Again = ReadonlyMap<string, ReadonlyMap<number, number>>;

export interface Resumed {
	readonly again: Again;
	/** Batches that stay marked. */
	readonly batches: readonly Batch[];
	readonly hasChanged: boolean;
}

/** Takes back what another process has delivered last: changes the lists. */
export function resumeLastBatch(
	mark: Mark | undefined,
	{
		lists,
		process,
		width,
		now,
	}: { lists: Map<string, RememberedList>; process: string; width: number; now: number },
): Resumed {
	const again = new Map<string, Map<number, number>>();
	if (mark === undefined) return { again, batches: [], hasChanged: false };
	if (mark.process === process) {
		const batches = mark.batches.filter(({ at }) => Math.abs(now - at) < CONFIRMED_AFTER_MS);
		return { again, batches, hasChanged: batches.length < mark.batches.length };
	}
	// The latest first, so that what was known before the first one is restored last.
	for (const { times, lists: delivered } of mark.batches.toReversed()) {
		if (times >= MOST_TIMES) continue;
		for (const [name, text] of Object.entries(delivered)) {
			const list = lists.get(name);
			// A silent first walk delivers nothing, and records known before it began would mislead it.
			if (list === undefined || list.progress.silent) continue;
			const records = new Seen(text, width + 1);
			const counted = again.get(name) ?? new Map<number, number>();
			const before = new Map<number, string | undefined>();
			for (const hash of records.hashes()) {
				const value = records.get(hash) ?? UNKNOWN;
				before.set(hash, value.startsWith(KNOWN) ? value.slice(1) : undefined);
				counted.set(hash, times);
			}
			again.set(name, counted);
			// They may stand anywhere by now.
			lists.set(name, {
				...list,
				seen: list.seen.with(before),
				progress: {
					...without(list.progress, 'last'),
					at: 0,
					pages: 0,
					since: now,
					scattered: now,
				},
			});
		}
	}
	return { again, batches: [], hasChanged: true };
}

export interface Marked {
	readonly list: string;
	readonly hash: number;
	readonly known: string | undefined;
}

export function markDelivered(
	delivered: readonly Marked[],
	{
		resumed,
		process,
		width,
		now,
	}: { resumed: Resumed; process: string; width: number; now: number },
): Mark {
	const byTimes = new Map<number, Map<string, Map<number, string>>>();
	for (const { list, hash, known } of delivered) {
		const times = (resumed.again.get(list)?.get(hash) ?? 0) + 1;
		const lists = byTimes.get(times) ?? new Map<string, Map<number, string>>();
		const values = lists.get(list) ?? new Map<number, string>();
		const padding = UNKNOWN.repeat(width);
		values.set(hash, known === undefined ? UNKNOWN + padding : KNOWN + known);
		byTimes.set(times, lists.set(list, values));
	}
	const batches = [...byTimes].map(([times, lists]) => ({
		...{ at: now, times },
		lists: Object.fromEntries(
			[...lists].map(([name, values]) => [name, new Seen('', width + 1).with(values).text]),
		),
	}));
	return { process, batches: [...resumed.batches, ...batches] };
}

/** Records that come again go first. */
export const againFirst = <T extends Marked>(delivered: readonly T[], again: Again): T[] => {
	const isAgain = ({ list, hash }: T): boolean => again.get(list)?.has(hash) === true;
	return [...delivered.filter(isAgain), ...delivered.filter((one) => !isAgain(one))];
};
