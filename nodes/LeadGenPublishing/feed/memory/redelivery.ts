/**
 * Delivers the last batch again after a restart, if the user has chosen that. Delivered records
 * stay marked in the stored state until a later poll of the same process removes the mark. A
 * process that finds marks of another process forgets these records, so that it reads and delivers
 * them again. No record is delivered more than three times in this way. Pure.
 */
import { inHurry } from '../list/scan';
import type { Seen } from '../list/seen';
import type { ListState } from '../list/state';
import type { Marked } from '../delivery';
import type { Mark, RememberedList } from './state';

/** After this time, n8n has created the execution, or reported that it could not. */
export const CONFIRMED_AFTER_MS = 10_000;
const MOST_TIMES = 3;

type MarkedRecord = Mark['records'][string][number];

export interface Resumed {
	/** For each record that is to be delivered again: how often it was, by account and hash. */
	readonly again: ReadonlyMap<string, number>;
	/** Records that stay marked. */
	readonly marked: Mark['records'];
}

interface Given {
	readonly lists: Map<string, RememberedList>;
	readonly process: string;
	readonly now: number;
}

const keyOf = ({ account, hash }: Pick<Marked, 'account' | 'hash'>): string => `${account} ${hash}`;

/** Takes back the last batch of another process, by changing the lists. */
export function resumeLastBatch(mark: Mark | undefined, { lists, process, now }: Given): Resumed {
	const again = new Map<string, number>();
	const marked: Mark['records'] = {};
	const isMine = mark?.process === process;
	for (const [account, records] of Object.entries(mark?.records ?? {})) {
		const remembered = lists.get(account);
		if (remembered === undefined) continue;
		const { list } = remembered;
		const comesAgain = (one: MarkedRecord): boolean =>
			isMine ? isStillMissing(one, list) : one[2] < MOST_TIMES;
		const isUnconfirmed = ([, , , at]: MarkedRecord): boolean =>
			isMine && Math.abs(now - at) < CONFIRMED_AFTER_MS;
		const stay = records.filter((one) => comesAgain(one) || isUnconfirmed(one));
		if (stay.length > 0) marked[account] = stay;
		// The latest first, so that what was known before the first one is restored last.
		const back = stay.filter(comesAgain).toReversed();
		for (const [hash, , times] of back) again.set(keyOf({ account, hash }), times);
		if (isMine || back.length === 0) continue;
		lists.set(account, { ...remembered, list: withoutBatch(list, { back, now }) });
	}
	return { again, marked };
}

/** Whether an earlier poll of this process has taken it back, and no poll has met it since. */
function isStillMissing([hash, known]: MarkedRecord, { scan, seen }: ListState): boolean {
	const isLookedFor = scan.kind === 'first' || scan.pace === 'fast';
	return isLookedFor && (seen.get(hash)?.value ?? null) === known;
}

/** The records of the batch may be anywhere in the list by now. */
function withoutBatch(
	list: ListState,
	{ back, now }: { back: readonly MarkedRecord[]; now: number },
): ListState {
	return inHurry({ ...list, seen: restored(list, back), tailNewsAt: now }, now);
}

function restored({ seen, generation }: ListState, back: readonly MarkedRecord[]): Seen {
	const { number } = generation;
	return seen.with(
		new Map(
			back.map(([hash, known]) => [
				hash,
				known === null ? undefined : { value: known, generation: number, isDelivered: false },
			]),
		),
	);
}

export function markDelivered(
	delivered: readonly Marked[],
	{ again, marked }: Resumed,
	{ process, now }: { process: string; now: number },
): Mark {
	const records: Mark['records'] = {};
	const come = new Set(delivered.map(keyOf).filter((key) => again.has(key)));
	for (const [account, ones] of Object.entries(marked))
		records[account] = ones.filter(([hash]) => !come.has(keyOf({ account, hash })));
	for (const one of delivered) {
		const times = (again.get(keyOf(one)) ?? 0) + 1;
		(records[one.account] ??= []).push([one.hash, one.previousValue ?? null, times, now]);
	}
	return { process, records };
}

/** Records that come again go first. */
export const againFirst = (delivered: readonly Marked[], { again }: Resumed): Marked[] =>
	[true, false].flatMap((is) => delivered.filter((one) => again.has(keyOf(one)) === is));
