/**
 * Delivers the last batch again after a restart, if the user has chosen that. Promise: no batch is
 * lost when a process ends. What a process has delivered stays marked in the stored state until a
 * later poll of the same process confirms it. A process that finds the mark of another one forgets
 * these records, so that reading finds and delivers them again, over several polls if necessary.
 * Pure.
 */
import { digest } from './checksum';
import { hash53 } from './hash';
import { isRecord } from '../../api/schemas';
import type { SeenText } from './eliasFano';
import { SeenSet } from './seen';
import { openList, sealList } from './listState';
import { freshCheck, freshProgress, withoutEnds } from './progress';
import { sealWatch, type WatchState } from './state';

/** By then n8n has created the execution, or reported that it could not. */
export const CONFIRMED_AFTER_MS = 10_000;

interface Batch {
	readonly at: number;
	/**
	 * Hashes of the delivered records, by list; the value beside each is the previous one plus 1,
	 * or 0 if the record was unknown.
	 */
	readonly lists: Readonly<Record<string, SeenText>>;
}

/** As stored beside the lists. */
export interface DeliveryMark {
	/** The process that delivered the batches. */
	readonly process: string;
	/** How often in a row a process has resumed batches that were never confirmed. */
	readonly again: number;
	readonly batches: readonly Batch[];
	readonly sum: string;
}

export interface MarkedRecord {
	/** The name of the record's list. */
	readonly key: string;
	readonly id: unknown;
	readonly previousValue: number | undefined;
}

const sumOf = ({ process, again, batches }: Omit<DeliveryMark, 'sum'>): string =>
	digest(JSON.stringify([process, again, batches]));

const seal = (mark: Omit<DeliveryMark, 'sum'>): DeliveryMark => ({ ...mark, sum: sumOf(mark) });

/** A damaged mark is ignored. */
function openMark(stored: unknown): DeliveryMark | undefined {
	if (!isRecord(stored) || !Array.isArray(stored.batches)) return undefined;
	const mark = stored as unknown as DeliveryMark;
	return mark.sum === sumOf(mark) ? mark : undefined;
}

export interface ResumedBatch {
	state: WatchState;
	/** What stays marked, before this poll adds its own batch. */
	mark: DeliveryMark;
	/** Hashes to deliver again, by list. */
	toRedeliver: Map<string, Set<number>>;
	/** The mark has changed and should be stored. */
	changed: boolean;
}

/**
 * Before reading: confirms what this process has delivered, or resumes the batches of another
 * process.
 */
export function resumeLastBatch(
	state: WatchState,
	{
		stored,
		process,
		width,
		now,
		maxTimes,
	}: {
		stored: unknown;
		process: string;
		/** Bits that the lists store per record. */
		width: number;
		now: number;
		/** Several processes that poll in turn must not pass one batch back and forth for ever. */
		maxTimes: number;
	},
): ResumedBatch {
	const found = openMark(stored);
	const none = { state, mark: seal({ process, again: 0, batches: [] }), toRedeliver: new Map() };
	if (found === undefined) return { ...none, changed: stored !== undefined };
	if (found.process === process) {
		const batches = found.batches.filter(({ at }) => Math.abs(now - at) < CONFIRMED_AFTER_MS);
		// With nothing left to confirm, what this process delivers next is a batch of its own.
		const again = batches.length === 0 ? 0 : found.again;
		const isAsBefore = batches.length === found.batches.length && again === found.again;
		if (isAsBefore) return { ...none, mark: found, changed: false };
		return { ...none, mark: seal({ process, again, batches }), changed: true };
	}
	if (found.batches.length === 0) return { ...none, changed: false };
	if (found.again >= maxTimes) return { ...none, changed: true };
	const lists = { ...state.lists };
	const toRedeliver = new Map<string, Set<number>>();
	// The latest first, so that the values before the first batch are restored last.
	for (const batch of found.batches.toReversed()) {
		for (const [key, text] of Object.entries(batch.lists)) {
			const opened = openList(lists[key], width);
			if (opened.kind !== 'ok') continue;
			const entries = new SeenSet(text).entries();
			const { seen, progress } = opened.value;
			const known = new Map(
				entries.flatMap(([hash, value]) => (value > 0 ? [[hash, value - 1]] : [])),
			);
			const unknown = new Set(entries.flatMap(([hash, value]) => (value > 0 ? [] : [hash])));
			// A first scan that delivers starts over.
			const fresh = freshProgress(now, progress.limit).baseline;
			lists[key] = sealList(seen.with(known).without(unknown), {
				...withoutEnds(progress),
				...(progress.baseline === undefined ? {} : { baseline: fresh }),
			});
			const hashes = toRedeliver.get(key) ?? new Set<number>();
			for (const [hash] of entries) hashes.add(hash);
			toRedeliver.set(key, hashes);
		}
	}
	const mark = seal({ process, again: found.again + 1, batches: [] });
	return { state: sealWatch({ ...state, lists }), mark, toRedeliver, changed: true };
}

const hashOf = (id: unknown): number => hash53(String(id));

/** After a poll: marks its deliveries in the same state that remembers them. */
export function markDelivered(
	{ mark }: Pick<ResumedBatch, 'mark'>,
	{ delivered, width, now }: { delivered: readonly MarkedRecord[]; width: number; now: number },
): DeliveryMark {
	if (delivered.length === 0) return mark;
	const byList = new Map<string, Map<number, number>>();
	for (const { key, id, previousValue } of delivered) {
		const values = byList.get(key) ?? new Map<number, number>();
		values.set(hashOf(id), previousValue === undefined ? 0 : previousValue + 1);
		byList.set(key, values);
	}
	const lists = Object.fromEntries(
		[...byList].map(([key, values]) => [
			key,
			SeenSet.empty(width + 1)
				.with(values)
				.toText(),
		]),
	);
	const { process, again, batches } = mark;
	return seal({ process, again, batches: [...batches, { at: now, lists }] });
}

/**
 * Records to redeliver that were not found where new records usually are may be anywhere: their
 * list is read whole.
 */
export function searchForMissing(
	state: WatchState,
	{
		toRedeliver,
		delivered,
		width,
		now,
	}: {
		toRedeliver: ResumedBatch['toRedeliver'];
		delivered: readonly MarkedRecord[];
		width: number;
		now: number;
	},
): WatchState {
	const met = new Map<string, Set<number>>();
	for (const { key, id } of delivered) {
		met.set(key, (met.get(key) ?? new Set<number>()).add(hashOf(id)));
	}
	const lists = { ...state.lists };
	let open = 0;
	for (const [key, hashes] of toRedeliver) {
		const opened = openList(lists[key], width);
		if (opened.kind !== 'ok' || [...hashes].every((hash) => met.get(key)?.has(hash))) continue;
		const check = { ...freshCheck(now), kind: 'everything' as const };
		lists[key] = sealList(opened.value.seen, { ...opened.value.progress, check });
		open++;
	}
	return open === 0 ? state : sealWatch({ ...state, lists });
}

/** Puts the redelivered records first. */
export const redeliveredFirst = <T extends MarkedRecord>(
	delivered: readonly T[],
	toRedeliver: ResumedBatch['toRedeliver'],
): T[] => {
	const isAgain = ({ key, id }: T): boolean => toRedeliver.get(key)?.has(hashOf(id)) === true;
	return [...delivered.filter(isAgain), ...delivered.filter((one) => !isAgain(one))];
};
