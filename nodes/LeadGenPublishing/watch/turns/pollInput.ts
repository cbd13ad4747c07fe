/** What one poll of many lists is given. */
import type { ListSettings } from '../list';
import type { FetchListPage } from '../list/reader';
import type { WatchState } from '../state';

export interface WatchedList {
	/** `own`, or the client's id. */
	account: string;
	fetchPage: FetchListPage;
}

export interface ClassifiedFailure {
	/** Goes into the message and decides the longest pause: `auth`, `rate-limited`, `server`, … */
	kind: string;
	message: string;
	retryAfterMs?: number;
	/** No use in asking again soon: a revoked grant, a wrong key. */
	lasting?: boolean;
}

export interface PollInput {
	state: WatchState;
	/** The state handed in stands for one that could not be read. */
	damaged?: boolean;
	scope: string;
	lists: readonly WatchedList[];
	settings: ListSettings;
	/** How many lists are read side by side. */
	parallel: number;
	deadline: number;
	/** Settles at the deadline: a list that still hangs then is left to the next poll. */
	expiry?: Promise<unknown>;
	now: () => number;
	random: () => number;
	classify: (error: unknown) => ClassifiedFailure;
	/** The failure of a list that hung until the expiry. */
	unanswered?: (account: string) => unknown;
	/** Whether pauses are over: the key is another one, or somebody waits for the answer. */
	ignorePauses?: boolean;
	/** Whether the service wants to be left alone: then no other list is begun in this poll. */
	isThrottled?: () => boolean;
}
