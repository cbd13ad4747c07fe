/**
 * What a poll gets from n8n and the service, so that a simulation can play both, and what it learns
 * about whose lists are watched. Types only.
 */
import type { PageRequest } from '../api/pages';
import type { ListPage } from './list/page';
import type { ListRules } from './list/rules';
import type { ClassifiedFailure, ListFailure } from './reports/listFailure';
import type { Delivery } from './delivery';
import type { Pause } from './reports/pauses';
import type { Stored } from './memory/pollMemory';
import type { Lists, OwnAccount } from './memory/state';

export interface ListSettings {
	readonly rules: ListRules;
	readonly emitExisting: boolean;
	readonly maxItems: number;
	/** Within what time a whole list is read (ms). With 0, each poll reads one page. */
	readonly checkEvery: number | undefined;
	/** If set, only what was created since is delivered of what was never delivered. */
	readonly startFrom: number | undefined;
}

export interface Whose {
	readonly accounts: readonly string[];
	/** If false, these are the accounts of earlier polls, and none counts as gone. */
	readonly isSure: boolean;
	readonly own?: OwnAccount;
	/** The key belongs to another agency than before, so its clients begin as existing ones. */
	readonly isOtherAgency?: boolean;
	readonly failure?: { readonly account: string; readonly error: unknown };
	readonly news: readonly ListFailure[];
}

/** What is known about whose lists are watched. */
export interface KnownBefore {
	readonly own: OwnAccount | undefined;
	readonly lists: Lists;
	/** Earlier polls could not find that out. */
	readonly unsure: Pause | undefined;
	/** Whether the pause after them is over. */
	readonly mayAsk: boolean;
	/** Until when this may take. The time after that is for pages. */
	readonly until: number;
}

/** A delivery becomes an `Item`. */
export interface World<Item> {
	/** The event, and the name of the event and the filters that decide what is delivered. */
	readonly event: string;
	readonly filtersName: string;
	/** The name of the event and of what the service is asked for. */
	readonly queryName: string;
	readonly list: ListSettings;
	/** Each account is a client, and the only record of its list is the client itself. */
	readonly isOfClients: boolean;
	readonly redeliversLast: boolean;
	/** Names this process among those that poll the same workflow. */
	readonly process: string;
	readonly stored: Stored;
	/** How long n8n gives this poll. */
	readonly ms: number;
	/** Whether to read lists although they failed recently. */
	readonly ignoresPauses: boolean;
	readonly now: () => number;
	readonly random: () => number;
	readonly newSequence: () => string;
	readonly whoseLists: (before: KnownBefore) => Promise<Whose>;
	/** Fails if the page has not arrived by `until`. */
	readonly fetchPage: (
		account: string,
		request: PageRequest & { timeoutMs?: number; until: number },
	) => Promise<ListPage>;
	readonly classify: (error: unknown) => ClassifiedFailure;
	readonly refusesOffset: (error: unknown) => boolean;
	/**
	 * Whether this poll must not fail with these failures, because n8n would deactivate the workflow.
	 */
	readonly isSilent: (open: readonly ListFailure[], accounts: readonly string[]) => boolean;
	/** The words that records have as their status. */
	readonly statuses?: Iterable<string>;
	/** `statuses` are all statuses that records have had. */
	readonly itemsOf: (
		delivered: readonly Delivery[],
		statuses: readonly string[],
	) => Promise<readonly Item[]>;
}
