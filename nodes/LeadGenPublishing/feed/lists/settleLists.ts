/** Settles all lists of a poll: what they deliver, and what is remembered of them. Pure. */
import { settleList, type Settled } from '../list/settle';
import { leftOut } from '../list/changingFields';
import type { SeenRecord } from '../list/progress';
import type { HashedDelivery } from '../delivery';
import type { Pause } from '../reports/pauses';
import { pollNumberOf, type Start } from '../memory/pollMemory';
import { quotasOf } from './quotas';
import type { ReadList } from './readLists';
import type { Reports } from '../reports/reports';
import { MAX_RECORDS, type RememberedList } from '../memory/state';
import type { World } from '../world';

/** A complete check that has ended, and when it began. */
export interface Checked {
	readonly account: string;
	readonly since: number;
}

interface Settling {
	readonly world: World<unknown>;
	readonly start: Start;
	readonly reports: Reports;
	readonly lists: Map<string, RememberedList>;
	readonly now: number;
}

export interface Learned {
	readonly found: readonly HashedDelivery[];
	readonly checked: readonly Checked[];
	/** Up to when lists are known completely. */
	readonly known: ReadonlyMap<string, number>;
	readonly hasLearned: boolean;
}

/** Chooses what each list delivers, and updates the lists with what was learned. */
export function settleLists(
	readings: readonly ReadList[],
	{ world, start, reports, lists, now }: Settling,
): Learned {
	const { maxItems, startFrom } = world.list;
	const found: HashedDelivery[] = [];
	const checked: Checked[] = [];
	const knownUntil = new Map<string, number>();
	let hasLearned = false;
	const quotas = quotasOf(readings, { maxItems, pollNumber: pollNumberOf(start) });
	for (const one of readings) {
		const { account, remembered, reading } = one;
		const room = Math.max(0, MAX_RECORDS - remembered.list.seen.size);
		const quota = quotas.get(one) ?? 0;
		const { progress: ended, recordsRead } = reading;
		const before = remembered.list;
		const settled = settleList(
			{ before, progress: ended, recordsRead: recordsRead.values() },
			{ quota, room },
		);
		found.push(...deliveriesOf(one, settled));
		if (settled.checkedSince !== undefined) checked.push({ account, since: settled.checkedSince });
		const isNew = (record: SeenRecord): boolean =>
			record.wanted !== undefined && record.known === undefined;
		const isFull = room === 0 && [...reading.recordsRead.values()].some(isNew);
		const pause = reports.addReading(one, {
			isFull,
			isFirst: start.polledAt === undefined,
			startFrom,
		});
		const upTo = knownUpTo(one, { settled, now });
		if (upTo !== undefined) knownUntil.set(account, upTo);
		hasLearned ||= settled.hasLearned || isNewlyPaused(pause, remembered.pause);
		const list = reports.addList(account, { before, after: settled.list });
		lists.set(account, { list, readAt: now, pause });
	}
	return { found, checked, known: knownUntil, hasLearned };
}

function deliveriesOf(
	{ account, remembered: { list } }: ReadList,
	{ delivered }: Settled,
): HashedDelivery[] {
	return delivered.map(({ hash, known, value, wanted }) => ({
		account,
		hash,
		record: wanted,
		value,
		// A record that was never delivered may come as it is.
		previousValue: known === value ? undefined : known,
		leftOut: leftOut(list.changingFields),
	}));
}

/** The beginning and the end of a pause are worth storing in n8n's database. */
const isNewlyPaused = (now: Pause | undefined, before: Pause | undefined): boolean =>
	(now === undefined) !== (before === undefined);

/**
 * Up to when a list is known completely, by the service's clock: the start of the complete check that
 * has just ended. Undefined if no later than before.
 */
function knownUpTo(
	{ reading }: ReadList,
	{ settled, now }: { settled: Settled; now: number },
): number | undefined {
	const { scan } = settled.list;
	if (scan.kind === 'first')
		return scan.firstReadAt !== undefined || scan.after === 'unset' ? undefined : scan.after;
	const { checkedSince } = settled;
	const ahead = (reading.progress.servedAt ?? now) - now;
	return checkedSince === undefined ? undefined : checkedSince + ahead;
}
