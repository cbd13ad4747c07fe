/** The input of one poll of several lists. */
import type { ListSettings } from '../pollList';
import type { FetchListPage } from '../reader';
import type { WatchState } from '../../store/state';

export interface WatchedList {
	/** `own`, or the client's ID. */
	account: string;
	fetchPage: FetchListPage;
}

export interface ClassifiedFailure {
	/** Part of the message: `auth`, `rate-limited`, `server`, … */
	kind: string;
	message: string;
	retryAfterMs?: number;
	/** Retrying soon does not help, as with a revoked grant or a wrong key. */
	lasting?: boolean;
	/** The service was not asked, so the list keeps its turn. */
	unsent?: boolean;
}

export interface PollInput {
	state: WatchState;
	/** The stored state could not be read, and `state` takes its place. */
	damaged?: boolean;
	scope: string;
	/** The name that a former version gave it, if it was another: such lists begin anew, silently. */
	formerScope?: string;
	lists: readonly WatchedList[];
	settings: ListSettings;
	/** How many lists are read concurrently. */
	parallel: number;
	deadline: number;
	/**
	 * Settles when the poll must end: lists that have not answered by then are left to the next
	 * poll.
	 */
	expiry?: Promise<unknown>;
	now: () => number;
	random: () => number;
	classify: (error: unknown) => ClassifiedFailure;
	/** The failure of a list that had not answered at the expiry. */
	unanswered?: (account: string) => unknown;
	/** Reads paused lists, too: the key was replaced, or somebody waits for the result. */
	ignorePauses?: boolean;
	/** Whether the service asked to wait: then this poll starts no further list. */
	isThrottled?: () => boolean;
}
