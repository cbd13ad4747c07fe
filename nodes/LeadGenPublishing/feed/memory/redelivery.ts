/**
 * Delivers the last batch again after a restart, if the user has chosen that. The stored state names
 * the records of the last batch until a later poll of the same process has removed them. A process
 * that finds the last batch of another process forgets its records, so that it reads and delivers
 * them again. No record is delivered more than three times in this way. Pure.
 */
import { inHurry } from '../list/scan';
import type { Seen } from '../list/seen';
import type { ListState } from '../list/state';
import type { HashedDelivery } from '../delivery';
import type { Start } from './pollMemory';
import type { LastBatch, RememberedList } from './state';
import type { World } from '../world';

/** After this time, n8n has created the execution, or reported that it could not. */
export const CONFIRMED_AFTER_MS = 10_000;
const MOST_TIMES = 3;

type BatchRecord = LastBatch['records'][string][number];

export interface Resumed {
	/** For each record that is to be delivered again: how often it was, by account and hash. */
	readonly again: ReadonlyMap<string, number>;
	/** Records that stay in the stored batch. */
	readonly staying: LastBatch['records'];
}

interface Given {
	readonly lists: Map<string, RememberedList>;
	readonly process: string;
	readonly now: number;
}

const keyOf = ({ account, hash }: Pick<HashedDelivery, 'account' | 'hash'>): string =>
	`${account} ${hash}`;

/** The batch before, if it may have to be delivered again. */
export const batchBefore = (
	{ redeliversLast, filtersName }: World<unknown>,
	{ state }: Start,
): LastBatch | undefined =>
	redeliversLast && state?.filtersName === filtersName ? state.rest.lastBatch : undefined;

/** Takes back the last batch of another process, by changing the lists. */
export function resumeLastBatch(
	before: LastBatch | undefined,
	{ lists, process, now }: Given,
): Resumed {
	const again = new Map<string, number>();
	const staying: LastBatch['records'] = {};
	const isMine = before?.process === process;
	for (const [account, records] of Object.entries(before?.records ?? {})) {
		const remembered = lists.get(account);
		if (remembered === undefined) continue;
		const { list } = remembered;
		const comesAgain = (one: BatchRecord): boolean =>
			isMine ? isStillMissing(one, list) : one[2] < MOST_TIMES;
		const isUnconfirmed = ([, , , at]: BatchRecord): boolean =>
			isMine && Math.abs(now - at) < CONFIRMED_AFTER_MS;
		const stay = records.filter((one) => comesAgain(one) || isUnconfirmed(one));
		if (stay.length > 0) staying[account] = stay;
		// The latest first, so that what was known before the first one is restored last.
		const back = stay.filter(comesAgain).toReversed();
		for (const [hash, , times] of back) again.set(keyOf({ account, hash }), times);
		if (isMine || back.length === 0) continue;
		lists.set(account, { ...remembered, list: withoutBatch(list, { back, now }) });
	}
	return { again, staying };
}

/** Whether an earlier poll of this process has taken it back, and no poll has read it since. */
function isStillMissing([hash, known]: BatchRecord, { scan, seen }: ListState): boolean {
	const isLookedFor = scan.kind === 'first' || scan.pace === 'fast';
	return isLookedFor && (seen.get(hash)?.value ?? null) === known;
}

/** The records of the batch may be anywhere in the list by now. */
function withoutBatch(
	list: ListState,
	{ back, now }: { back: readonly BatchRecord[]; now: number },
): ListState {
	return inHurry({ ...list, seen: restored(list, back), tailNewsAt: now }, now);
}

function restored({ seen, day }: ListState, back: readonly BatchRecord[]): Seen {
	const { number } = day;
	return seen.with(
		new Map(
			back.map(([hash, known]) => [
				hash,
				known === null ? undefined : { value: known, day: number, isDelivered: false },
			]),
		),
	);
}

export function lastBatchAfter(
	delivered: readonly HashedDelivery[],
	{ again, staying }: Resumed,
	{ process, now }: { process: string; now: number },
): LastBatch {
	const records: LastBatch['records'] = {};
	const come = new Set(delivered.map(keyOf).filter((key) => again.has(key)));
	for (const [account, ones] of Object.entries(staying))
		records[account] = ones.filter(([hash]) => !come.has(keyOf({ account, hash })));
	for (const one of delivered) {
		const times = (again.get(keyOf(one)) ?? 0) + 1;
		(records[one.account] ??= []).push([one.hash, one.previousValue ?? null, times, now]);
	}
	return { process, records };
}

/** Records that come again go first. */
export const againFirst = (
	delivered: readonly HashedDelivery[],
	{ again }: Resumed,
): HashedDelivery[] =>
	[true, false].flatMap((is) => delivered.filter((one) => again.has(keyOf(one)) === is));
