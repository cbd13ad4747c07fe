/** Adds the lists that a poll watches, and marks those that are no longer watched. Pure. */
import { unspell } from '../feed/hash';
import { HASH_LENGTH, type Remembered } from '../feed/seen';
import { freshList, type Beginning, type ListState } from '../feed/state';
import type { Horizon } from './horizon';
import { isOwn, OWN } from './names';
import type { Lists, RememberedList } from './state';
import type { World } from './world';

const FORGOTTEN_AFTER = 30 * 24 * 3_600_000;

interface Given {
	readonly world: Pick<World<unknown>, 'event' | 'scope' | 'list'>;
	readonly horizon: Horizon;
	readonly now: number;
	/** The stored state was damaged, so a list that seems new may not be. */
	readonly isLost: boolean;
	/** The records that were delivered since the filters were changed. */
	readonly sinceChange: string;
}

/** Adds the missing lists, and marks all of these as watched. */
export function withLists(
	lists: Map<string, RememberedList>,
	accounts: readonly string[],
	given: Given,
): void {
	for (const account of accounts) {
		const known = lists.get(account);
		if (known === undefined) lists.set(account, beginList(account, given));
		else if (known.awaySince !== undefined) lists.set(account, { ...known, awaySince: undefined });
	}
}

function beginList(account: string, given: Given): RememberedList {
	const { world, now } = given;
	const { rules } = world.list;
	const list = freshList({ width: rules.width, now }, beginningOf(account, given));
	return { list: withDelivered(list, given), readAt: now };
}

/** From when on the records that the first reading meets count as new. */
function beginningOf(account: string, { world, horizon, isLost }: Given): Beginning {
	const { scope, event, list } = world;
	const known = horizon.of(scope, { event, account });
	// A further own account appears when the key is replaced.
	const isFurther = isOwn(account) && account !== OWN;
	const isNew = known.kind !== 'thisList' && !isLost && !isFurther;
	const emits = isNew && list.emitExisting && list.startFrom === undefined;
	if (known.kind !== 'never') return { after: known.until, emits };
	return { after: (isNew ? list.startFrom : undefined) ?? 'unset', emits };
}

/** Records that were delivered under other filters in the meantime are not delivered again. */
function withDelivered(list: ListState, { world, sinceChange }: Given): ListState {
	const { kind, width } = world.list.rules;
	if (kind === 'change') return list;
	const one: Remembered = { value: '1'.repeat(width), generation: list.generation.number };
	const hashes = Array.from({ length: sinceChange.length / HASH_LENGTH }, (_, index) =>
		unspell(sinceChange.slice(index * HASH_LENGTH, (index + 1) * HASH_LENGTH)),
	);
	return { ...list, seen: list.seen.with(new Map(hashes.map((hash) => [hash, one]))) };
}

/**
 * Marks the lists that are not watched now. Lists that were not watched for a month are forgotten.
 */
export function markUnwatched(
	lists: Map<string, RememberedList>,
	{ watched, now }: { watched: ReadonlySet<string>; now: number },
): void {
	for (const [account, one] of lists) {
		if (watched.has(account)) continue;
		const awaySince = Math.min(one.awaySince ?? now, now);
		if (now - awaySince >= FORGOTTEN_AFTER) lists.delete(account);
		else lists.set(account, { ...one, awaySince });
	}
}

/** The watched accounts, according to the stored lists. */
export const accountsIn = (lists: Lists): string[] =>
	[...lists].flatMap(([account, { awaySince }]) => (awaySince === undefined ? account : []));
