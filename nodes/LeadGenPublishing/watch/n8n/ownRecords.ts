/**
 * Which of the own lists the records belong to that a new key shows. Promise: a list is certain only
 * if it remembers one of them.
 */
import { listKey } from '../list/events';
import { OWN, ownNames } from '../store/accountNames';
import type { OwnAccount } from '../store/extras';
import { hash53 } from '../store/hash';
import { compareIdentities, type Identity } from '../store/identity';
import { openList } from '../store/listState';
import { PAGE_SIZE } from '../store/progress';
import type { WatchState } from '../store/state';
import { noAnswer, withTimeout } from './clients';
import { endpointOf, PAGE_TIMEOUT_MS, readAccountPage, type PollSession } from './pollSession';

/** What the records shown to the new key say about the list that they belong to. */
interface RecordsFound {
	readonly list: string | undefined;
	/** The list remembers one of them; otherwise it is the best guess. */
	readonly isCertain: boolean;
	/** A blank page may hide known records. */
	readonly hidden: boolean;
}

/** Prefers a list that remembers one of the records: the current one first, the oldest last. */
export async function listByRecords(
	session: PollSession,
	{
		before,
		identity,
		state,
		deadline,
	}: {
		readonly before: OwnAccount;
		readonly identity: Identity | null | undefined;
		readonly state: WatchState;
		readonly deadline: number;
	},
): Promise<RecordsFound> {
	const { settings } = session;
	const own = ownNames(settings.scope, state.lists).reverse();
	const names = [...new Set([before.list, ...own])].filter(
		(list) =>
			compareIdentities(before.owners[list] ?? undefined, identity ?? undefined) !== 'different',
	);
	const lists = names.flatMap((name) => {
		const opened = openList(state.lists[listKey(settings.scope, name)], settings.list.rules.width);
		return opened.kind === 'ok' ? [{ name, ...opened.value }] : [];
	});
	let hidden = false;
	const guess = (list: string | undefined) => ({ list, isCertain: false, hidden });
	const [first] = lists;
	// Nothing is remembered, or nothing that can be read.
	if (first === undefined) return guess(names.find((name) => name === before.list));
	for (const offset of new Set([0, Math.max(0, first.progress.end - PAGE_SIZE)])) {
		const timeoutMs = Math.max(1, Math.min(PAGE_TIMEOUT_MS, deadline - Date.now()));
		const page = await withTimeout(
			deadline - Date.now(),
			async (givenUp) =>
				await readAccountPage(session, {
					account: OWN,
					offset,
					limit: PAGE_SIZE,
					timeoutMs,
					givenUp,
				}),
			() => noAnswer(endpointOf(settings), OWN),
		);
		const hashes = page.data.map(({ id }) => hash53(String(id)));
		const found = lists.find(({ seen }) => hashes.some((hash) => seen.get(hash) !== undefined));
		if (found !== undefined) return { list: found.name, isCertain: true, hidden };
		if (hashes.length > 0) continue;
		hidden ||= page.pagination.has_more;
		if (offset > 0 || page.pagination.has_more) continue;
		// There are no records that could be delivered as new, but a first scan in progress must
		// not end like this.
		return guess(lists.find(({ progress }) => progress.baseline === undefined)?.name);
	}
	return guess(undefined);
}
