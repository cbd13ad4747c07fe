/** Which accounts one poll watches, and what it may report about them. */
import { isOwn, OWN } from '../store/accountNames';
import { listKey } from '../list/events';
import type { Extras } from '../store/extras';
import type { WatchState } from '../store/state';
import { countFailure, isReported, type ListFailure } from '../list/turns/pollLists';
import { allClients, nothingWatched } from './clients';
import { classify, CLIENT_LIST } from './failures';
import { findOwnList } from './ownAccount';
import type { PollSession } from './pollSession';
import type { ProcessMemory } from './processMemory';

/** The count of polls in a row that could not find out to whom the key belongs. */
const OWNER = 'owner';

export interface WatchedAccounts {
	readonly accounts: readonly string[];
	readonly state: WatchState;
	readonly own: Extras['own'];
	readonly changed: boolean;
	readonly failures: readonly ListFailure[];
	/** Failures to report once; the next poll does not find them again. */
	readonly news: readonly ListFailure[];
	readonly notices: readonly string[];
	/** The accounts could not be determined, so none counts as departed. */
	readonly accountsUnknown: boolean;
}

export async function findWatchedAccounts(
	session: PollSession,
	given: {
		readonly state: WatchState;
		readonly own: Extras['own'];
		readonly remembered: ProcessMemory;
		readonly credential: string;
		readonly now: number;
		readonly deadline: number;
	},
): Promise<WatchedAccounts> {
	const { watched, scope } = session.settings;
	const { state, own, remembered, now } = given;
	const plain = {
		...{ state, own, changed: false, failures: [], news: [], notices: [] },
		accountsUnknown: false,
	};
	if (watched.kind === 'clients') {
		const news = nothingWatched(session, remembered, watched.ids);
		return { ...plain, accounts: watched.ids, news };
	}
	if (watched.kind === 'own') {
		const key = listKey(scope, OWNER);
		try {
			const mine = await findOwnList(session, { ...given, before: own });
			const counted = withoutCount(mine.state, key);
			return {
				...plain,
				...mine,
				...counted,
				accounts: [mine.account],
				changed: mine.changed || counted.changed,
				notices: mine.notice === undefined ? [] : [mine.notice],
			};
		} catch (error) {
			// The account cannot be determined at the moment; the next poll tries again.
			const counted = withFailure(state, { key, account: OWN, error, now });
			return { ...plain, ...counted, accounts: [], accountsUnknown: true };
		}
	}
	const key = listKey(scope, CLIENT_LIST);
	const { accounts, listed, failure } = await allClients(session, {
		...given,
		share: watched.share,
	});
	if (failure !== undefined) {
		const counted = withFailure(state, { key, account: CLIENT_LIST, error: failure, now });
		return { ...plain, ...counted, accounts, accountsUnknown: true };
	}
	if (!listed) return { ...plain, accounts, accountsUnknown: true };
	remembered.clients = new Map(session.clients);
	return {
		...plain,
		...withoutCount(state, key),
		accounts,
		news: nothingWatched(session, remembered, accounts),
	};
}

/** Counted like the failures of a list, though nothing is paused. */
function withFailure(
	state: WatchState,
	{ key, account, error, now }: { key: string; account: string; error: unknown; now: number },
): Pick<WatchedAccounts, 'state' | 'changed' | 'failures'> {
	const { pause, failure } = countFailure(
		{ account, error },
		{ before: state.pauses[key], classified: classify(error) },
		{ now, random: 0 },
	);
	return {
		state: { ...state, pauses: { ...state.pauses, [key]: pause } },
		changed: !isReported(failure),
		failures: [failure],
	};
}

function withoutCount(state: WatchState, key: string): Pick<WatchedAccounts, 'state' | 'changed'> {
	const { [key]: count, ...pauses } = state.pauses;
	return count === undefined
		? { state, changed: false }
		: { state: { ...state, pauses }, changed: true };
}

export const isClientAccount = (account: string): boolean =>
	!isOwn(account) && account !== CLIENT_LIST;
