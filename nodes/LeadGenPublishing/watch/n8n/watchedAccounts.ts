/** Which accounts one poll watches, and what it may report about them. */
import { isOwn } from '../store/accountNames';
import type { Extras } from '../store/extras';
import type { WatchState } from '../store/state';
import type { ListFailure } from '../list/turns/pollLists';
import { allClients, nothingWatched } from './clients';
import { classify, CLIENT_LIST } from './failures';
import { findOwnList } from './ownAccount';
import type { PollSession } from './pollSession';
import type { ProcessMemory } from './processMemory';

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
	const { watched } = session.settings;
	const { state, own, remembered } = given;
	const plain = {
		state,
		own,
		changed: false,
		failures: [],
		news: [],
		notices: [],
		accountsUnknown: false,
	};
	if (watched.kind === 'clients') {
		const news = nothingWatched(session, remembered, watched.ids);
		return { ...plain, accounts: watched.ids, news };
	}
	if (watched.kind === 'own') {
		try {
			const mine = await findOwnList(session, { ...given, before: own });
			return {
				...plain,
				...mine,
				accounts: [mine.account],
				news: mine.news,
				notices: mine.notice === undefined ? [] : [mine.notice],
			};
		} catch (error) {
			// The account cannot be determined at the moment; the next poll tries again.
			return { ...plain, accounts: [], failures: [failureOf('own', error)], accountsUnknown: true };
		}
	}
	const { accounts, failure } = await allClients(session, given);
	if (failure !== undefined) {
		return {
			...plain,
			accounts,
			failures: [failureOf(CLIENT_LIST, failure)],
			accountsUnknown: true,
		};
	}
	remembered.clients = new Map(session.clients);
	return { ...plain, accounts, news: nothingWatched(session, remembered, accounts) };
}

const failureOf = (account: string, error: unknown): ListFailure => ({
	...classify(error),
	account,
	error,
});

export const isClientAccount = (account: string): boolean =>
	!isOwn(account) && account !== CLIENT_LIST;
