/**
 * Takes up the remembered lists under the settings of this poll, adds those that it watches in
 * addition, and marks those that are no longer watched. Pure.
 */
import type { ListRules } from '../list/rules';
import type { Seen } from '../list/seen';
import {
	emitting,
	freshList,
	refiltered,
	type Beginning,
	type Emits,
	type ListState,
} from '../list/state';
import type { Horizon } from '../memory/horizon';
import { isOwn, OWN } from '../names';
import { openLists } from '../memory/packing';
import type { Lists, RememberedList, State } from '../memory/state';
import type { ListSettings, World } from '../world';

const FORGOTTEN_AFTER = 30 * 24 * 3_600_000;

interface Given {
	readonly world: Pick<
		World<unknown>,
		'event' | 'filtersName' | 'queryName' | 'list' | 'isOfClients'
	>;
	readonly horizon: Horizon;
	readonly now: number;
	/** The stored state was damaged, so a list that seems new may not be. */
	readonly isLost: boolean;
	/** If each list is a client: whether one without a list has joined since the last poll. */
	readonly hasListed: boolean;
	readonly isOtherAgency: boolean;
}

/** Which records the user has asked for that were never delivered. */
export const emitsOf = ({
	startFrom,
	emitExisting,
}: Pick<ListSettings, 'startFrom' | 'emitExisting'>): Emits =>
	startFrom ?? (emitExisting ? 'all' : 'nothing');

/** The lists that were stored. Another event compares records in another way, so it starts over. */
export function takeUpLists(
	state: State | undefined,
	{ world, horizon, now }: Pick<Given, 'world' | 'horizon' | 'now'>,
): Map<string, RememberedList> {
	const { event, filtersName, queryName, list } = world;
	const { rules } = list;
	if (state?.event !== event) return new Map();
	const stored = openLists(state, rules.width);
	const emits = emitsOf(list);
	const isOtherQuery = state.queryName !== queryName;
	const hasChanged = isOtherQuery || state.filtersName !== filtersName;
	const isAskedAgain = (state.rest.emits ?? 'nothing') !== emits;
	return new Map(
		[...stored].map(([account, one]) => {
			const known = horizon.of(filtersName, { event, account });
			const after = known.kind === 'never' ? 'unset' : known.until;
			const kept = hasChanged
				? refiltered(one.list, { seen: revalued(one.list, rules), after, now, isOtherQuery })
				: one.list;
			return [account, { ...one, list: isAskedAgain ? emitting(kept, emits, now) : kept }];
		}),
	);
}

/** Copies each record, so it takes time in a long list. */
const revalued = ({ seen }: ListState, rules: ListRules): Seen =>
	seen.valued(rules.width, ({ value }) => rules.revalued(value));

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
	const { width } = world.list.rules;
	return { list: freshList({ width, now }, beginningOf(account, given)), readAt: now };
}

/** From when on the records that the first reading finds count as new. */
function beginningOf(account: string, given: Given): Beginning {
	const { world, horizon, isLost } = given;
	if (world.isOfClients) return beginningOfClient(given);
	const { filtersName, event, list } = world;
	const known = horizon.of(filtersName, { event, account });
	if (known.kind !== 'never') return { after: known.until, emits: 'nothing' };
	// A further own account appears when the key is replaced.
	const isFurther = isOwn(account) && account !== OWN;
	return { after: 'unset', emits: isLost || isFurther ? 'nothing' : emitsOf(list) };
}

function beginningOfClient({ world, horizon, isLost, hasListed, isOtherAgency }: Given): Beginning {
	if (isOtherAgency) return { after: 'unset', emits: 'nothing' };
	if (hasListed) return { after: 'unset', emits: 'all' };
	const after = horizon.latest(world.filtersName);
	if (after !== undefined) return { after, emits: 'nothing' };
	return { after: 'unset', emits: isLost ? 'nothing' : emitsOf(world.list) };
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
