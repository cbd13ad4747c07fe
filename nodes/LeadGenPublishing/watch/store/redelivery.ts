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
	/** How often in a row a process has resumed it, without confirming it. */
	readonly again: number;
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
	readonly batches: readonly Batch[];
	readonly sum: string;
}

export interface MarkedRecord {
	/** The name of the record's list. */
	readonly key: string;
	readonly id: unknown;
	readonly previousValue: number | undefined;
}

const sumOf = ({ process, batches }: Omit<DeliveryMark, 'sum'>): string =>
	digest(JSON.stringify([process, batches]));

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
	/** Hashes to deliver again, by list, and how often each has been resumed. */
	toRedeliver: Map<string, Map<number, number>>;
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
	const none = { state, mark: seal({ process, batches: [] }), toRedeliver: new Map() };
	if (found === undefined) return { ...none, changed: stored !== undefined };
	if (found.process === process) {
		const batches = found.batches.filter(({ at }) => Math.abs(now - at) < CONFIRMED_AFTER_MS);
		if (batches.length === found.batches.length) return { ...none, mark: found, changed: false };
		return { ...none, mark: seal({ process, batches }), changed: true };
	}
	if (found.batches.length === 0) return { ...none, changed: false };
	const resumable = found.batches.filter(({ again }) => again < maxTimes);
	const lists = { ...state.lists };
	const toRedeliver: ResumedBatch['toRedeliver'] = new Map();
	// The latest first, so that the values before the first batch are restored last.
	for (const batch of resumable.toReversed()) {
		for (const [key, text] of Object.entries(batch.lists)) {
			const opened = openList(lists[key], width);
			if (opened.kind !== 'ok') continue;
			const entries = new SeenSet(text).entries();
			const { seen, progress } = opened.value;
			const marked = new Set(entries.map(([hash]) => hash));
			const known = new Map(
				entries.flatMap(([hash, value]) => (value > 0 ? [[hash, value - 1]] : [])),
			);
			// A first scan that delivers starts over.
			const fresh = freshProgress(now, progress.limit).baseline;
			lists[key] = sealList(seen.without(marked).with(known), {
				...withoutEnds(progress),
				...(progress.baseline === undefined ? {} : { baseline: fresh }),
			});
			const times = toRedeliver.get(key) ?? new Map<number, number>();
			for (const [hash] of entries) times.set(hash, batch.again + 1);
			toRedeliver.set(key, times);
		}
	}
	return { ...none, state: sealWatch({ ...state, lists }), toRedeliver, changed: true };
}

const hashOf = (id: unknown): number => hash53(String(id));

/** After a poll: marks its deliveries in the same state that remembers them. */
export function markDelivered(
	{ mark, toRedeliver }: Pick<ResumedBatch, 'mark' | 'toRedeliver'>,
	{ delivered, width, now }: { delivered: readonly MarkedRecord[]; width: number; now: number },
): DeliveryMark {
	// New records have not been resumed, even if they come together with some that have.
	const byTimes = new Map<number, Map<string, Map<number, number>>>();
	for (const { key, id, previousValue } of delivered) {
		const hash = hashOf(id);
		const times = toRedeliver.get(key)?.get(hash) ?? 0;
		const byList = byTimes.get(times) ?? new Map<string, Map<number, number>>();
		const values = byList.get(key) ?? new Map<number, number>();
		values.set(hash, (previousValue ?? -1) + 1);
		byTimes.set(times, byList.set(key, values));
	}
	const batches = [...byTimes].map(([again, byList]) => ({
		...{ at: now, again },
		lists: Object.fromEntries(
			[...byList].map(([key, values]) => [
				key,
				SeenSet.empty(width + 1)
					.with(values)
					.toText(),
			]),
		),
	}));
	return seal({ process: mark.process, batches: [...mark.batches, ...batches] });
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
	for (const [key, hashes] of toRedeliver) {
		const opened = openList(lists[key], width);
		if (opened.kind !== 'ok' || [...hashes.keys()].every((hash) => met.get(key)?.has(hash)))
			continue;
		const check = { ...freshCheck(now), kind: 'everything' as const };
		lists[key] = sealList(opened.value.seen, { ...opened.value.progress, check });
	}
	return sealWatch({ ...state, lists });
}

/** Puts the redelivered records first. */
export const redeliveredFirst = <T extends MarkedRecord>(
	delivered: readonly T[],
	toRedeliver: ResumedBatch['toRedeliver'],
): T[] => {
	const isAgain = ({ key, id }: T): boolean => toRedeliver.get(key)?.has(hashOf(id)) === true;
	return [...delivered.filter(isAgain), ...delivered.filter((one) => !isAgain(one))];
};
