/** Several lists that the trigger has already scanned, all of the same twenty records. */
import { USUAL_PACE } from '../../nodes/LeadGenPublishing/watch/list/pace';
import type { FetchListPage } from '../../nodes/LeadGenPublishing/watch/list/reader';
import type {
	PollInput,
	PollResult,
	WatchedList,
} from '../../nodes/LeadGenPublishing/watch/list/turns/pollLists';
import {
	emptyWatch,
	sealWatch,
	type WatchState,
} from '../../nodes/LeadGenPublishing/watch/store/state';
import { newLeads, pollOnce, scannedState, serve, uuids } from './pollHelpers';

export const ids = uuids(20);
export const settings: PollInput['settings'] = {
	...{ rules: newLeads, emitExisting: false, maxItems: 1_000 },
	...{ pace: USUAL_PACE, maxRequests: 100 },
};

/** What our own code fails with. */
export const FAULT = new Error('a fault of our own');
export const faulty: FetchListPage = async () => ({
	...{ limit: 100, hasMore: false },
	get records(): never {
		throw FAULT;
	},
});

export const poll = async (
	state: WatchState,
	lists: readonly WatchedList[],
	changes: Partial<PollInput> = {},
): Promise<PollResult> => await pollOnce(state, serve([]), { lists, ...changes });

/** The same list is known of each account. */
export function knownOf(
	accounts: readonly string[],
	changes: Partial<WatchState> = {},
): WatchState {
	const list = scannedState(ids).lists['scope.own'];
	if (list === undefined) throw new Error('no list');
	const lists = Object.fromEntries(accounts.map((account) => [`scope.${account}`, list]));
	return sealWatch({ ...emptyWatch('line'), lists, ...changes });
}

/** Notes who is asked. */
export function watched(accounts: readonly string[], page: FetchListPage = serve(ids)) {
	const asked: string[] = [];
	const lists = accounts.map((account): WatchedList => ({
		account,
		fetchPage: async (request) => {
			asked.push(account);
			return await page(request);
		},
	}));
	return { asked, lists };
}
