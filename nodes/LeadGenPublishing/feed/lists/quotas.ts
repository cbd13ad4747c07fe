/** How many items each list may deliver in one poll. Pure. */
import { MAX_RECORDS } from '../memory/state';
import type { ReadList } from './readLists';

/** How many records of the list are to be delivered. */
function wantedOf({ reading, remembered }: ReadList): number {
	const wanted = [...reading.recordsRead.values()].filter((one) => one.wanted !== undefined);
	const unknown = wanted.filter(({ known }) => known === undefined).length;
	// A list that is full has no room for new records.
	const room = Math.max(0, MAX_RECORDS - remembered.list.seen.size);
	return wanted.length - unknown + Math.min(unknown, room);
}

/**
 * Each list gets an equal share of the items, plus what other lists do not need. If there are fewer
 * items than lists, the lists take turns.
 */
export function quotasOf(
	readings: readonly ReadList[],
	{ maxItems, pollNumber }: { maxItems: number; pollNumber: number },
): ReadonlyMap<ReadList, number> {
	const wanting = readings
		.map((one) => ({ one, wanted: wantedOf(one) }))
		.filter(({ wanted }) => wanted > 0)
		.sort(({ one }, other) => (one.account < other.one.account ? -1 : 1));
	const first = pollNumber % wanting.length;
	const inTurn =
		maxItems < wanting.length
			? [...wanting.slice(first), ...wanting.slice(0, first)]
			: wanting.sort((one, other) => one.wanted - other.wanted);
	let left = maxItems;
	return new Map(
		inTurn.map(({ one, wanted }, index) => {
			const quota = Math.min(wanted, Math.ceil(left / (inTurn.length - index)));
			left -= quota;
			return [one, quota];
		}),
	);
}
