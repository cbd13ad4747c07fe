/** The API client for an operation, bound to one item with its account and time limit. */
import type { Client } from '../api/client';
import type { WalkOptions } from '../api/pageWalker';
import type { Account } from '../api/endpoints';
import { reservedForLastRead } from '../api/timeLimit';
import type { BoundApi } from '../item/itemCall';

interface Binding extends Pick<WalkOptions, 'atOnce'> {
	readonly item: number;
	readonly account: Account;
	/** As chosen by the user. */
	readonly maxWaitMs: number | undefined;
}

export function bindApi(
	client: Client,
	{ item, account, maxWaitMs, ...walking }: Binding,
): BoundApi {
	// Shared by all requests of the item except lists, because a list may have any length.
	const time = client.timeLimit(maxWaitMs);
	return {
		agency: account.kind === 'client',
		accountId: client.accountId(account),
		// Operations that wait for a change to settle leave time for a last read.
		maxWaitMs: time.maxMs - reservedForLastRead(time.maxMs),
		now: client.now,
		call: (name, options) => client.call(name, { ...options, maxWaitMs, time, item, account }),
		// The client itself allows every request. `personDecides.ts` replaces this.
		requireAllowed: () => undefined,
		planned: (name, options) => client.planned(name, { ...options, account }),
		list: async (name, options) =>
			await client.list(name, { ...walking, ...options, maxWaitMs, item, account }),
		wait: async (ms) => await client.wait(ms),
		upload: async (given, file) =>
			await time.uncounted(async () => await client.upload(given, file, account)),
		download: async (wanted) => await client.download(wanted),
		uncounted: async (work) => await time.uncounted(work),
		networkWord: () => client.networkWord,
		learnNetworkWord: async () => await client.learnNetworkWord({ maxWaitMs, time, item }),
	};
}
