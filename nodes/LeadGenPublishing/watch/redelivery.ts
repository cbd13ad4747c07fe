/**
 * Delivers the last batch again after a restart, if the user has chosen that. What a process has
 * delivered stays marked in the stored state until a later poll of the same process takes the mark
 * away. A process that finds marks of another one forgets these records, so that reading meets and
 * delivers them again. No record comes more than three times in this way. Pure.
 */
import { without } from '../api/schemas';
import type { Delivery } from './items';
import type { Mark, RememberedList } from './state';

/** By then n8n has created the execution, or reported that it could not. */
export const CONFIRMED_AFTER_MS = 10_000;
const MOST_TIMES = 3;

export interface Marked extends Delivery {
	readonly hash: number;
}

type MarkedRecord = Mark['records'][string][number];
type Resumed = ReturnType<typeof resumeLastBatch>;

const keyOf = ({ account, hash }: Pick<Marked, 'account' | 'hash'>): string => `${account} ${hash}`;

/** Takes back what another process has delivered last: changes the lists. */
export function resumeLastBatch(
	mark: Mark | undefined,
	{ lists, process, now }: { lists: Map<string, RememberedList>; process: string; now: number },
) {
	/** How often a record has been delivered that is to come again. */
	const again = new Map<string, number>();
	/** Records that stay marked. */
	const marked: Mark['records'] = {};
	for (const [account, records] of Object.entries(mark?.records ?? {})) {
		const list = lists.get(account);
		// A silent first walk delivers nothing, and records known before it began would mislead it.
		if (list === undefined || list.progress.silent) continue;
		const isMine = mark?.process === process;
		/** It is taken back now, or was by an earlier poll, and none has met it since. */
		const comesAgain = ([hash, known, times]: MarkedRecord): boolean =>
			isMine
				? list.progress.scattered !== undefined && (list.seen.get(hash) ?? null) === known
				: times < MOST_TIMES;
		const isUnconfirmed = ([, , , at]: MarkedRecord): boolean =>
			isMine && Math.abs(now - at) < CONFIRMED_AFTER_MS;
		const stay = records.filter((one) => comesAgain(one) || isUnconfirmed(one));
		if (stay.length > 0) marked[account] = stay;
		// The latest first, so that what was known before the first one is restored last.
		const back = stay.filter(comesAgain).toReversed();
		for (const [hash, , times] of back) again.set(keyOf({ account, hash }), times);
		if (isMine || back.length === 0) continue;
		// They may stand anywhere by now.
		const anywhere = { at: 0, pages: 0, since: now, scattered: now };
		lists.set(account, {
			...list,
			seen: list.seen.with(new Map(back.map(([hash, known]) => [hash, known ?? undefined]))),
			progress: { ...without(list.progress, 'last'), ...anywhere },
		});
	}
	return { again, marked };
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
