/**
 * What a poll is given of n8n and of the service, so that a simulation can play both, and what it
 * learns of whose lists are watched. Types only.
 */
import type { PageRequest } from '../api/pages';
import type { ListPage } from '../listdiff/page';
import type { ListRules } from '../listdiff/rules';
import type { ClassifiedFailure, ListFailure } from './listFailure';
import type { Delivery } from './delivery';
import type { Pause } from './pauses';
import type { Stored } from './pollMemory';
import type { Lists, OwnAccount } from './state';

export interface ListSettings {
	readonly rules: ListRules;
	readonly emitExisting: boolean;
	readonly maxItems: number;
	/** Within what time a whole list is looked through (ms); 0: one further page at each poll. */
	readonly checkEvery: number | undefined;
	/** A list that was never read delivers what was created after this time. */
	readonly startFrom: number | undefined;
}

export interface Whose {
	readonly accounts: readonly string[];
	/** If not, these are the accounts of earlier polls, and none counts as gone. */
	readonly isSure: boolean;
	readonly own?: OwnAccount;
	readonly failure?: { readonly account: string; readonly error: unknown };
	readonly news: readonly ListFailure[];
}

/** What is known of whose lists are watched. */
export interface KnownBefore {
	readonly own: OwnAccount | undefined;
	readonly lists: Lists;
	/** Earlier polls that could not find it out. */
	readonly unsure: Pause | undefined;
	/** The pause after them is over. */
	readonly mayAsk: boolean;
	/** When pages must be read instead. */
	readonly until: number;
}

/** `Item` is what becomes of a delivery. */
export interface World<Item> {
	/** The event, and the name of the event and its filters. */
	readonly event: string;
	readonly scope: string;
	readonly list: ListSettings;
	readonly redeliversLast: boolean;
	/** Names this process among those that poll the same workflow. */
	readonly process: string;
	readonly stored: Stored;
	/** How long n8n gives this poll. */
	readonly ms: number;
	/** Reads lists although they failed a short time ago. */
	readonly ignoresPauses: boolean;
	readonly now: () => number;
	readonly random: () => number;
	readonly newLine: () => string;
	readonly whoseLists: (before: KnownBefore) => Promise<Whose>;
	/** Fails if the page has not come until then. */
	readonly fetchPage: (
		account: string,
		request: PageRequest & { timeoutMs?: number; until: number },
	) => Promise<ListPage>;
	readonly classify: (error: unknown) => ClassifiedFailure;
	readonly refusesOffset: (error: unknown) => boolean;
	/** Failures that this poll keeps to itself, since n8n would give the workflow up. */
	readonly isSilent: (open: readonly ListFailure[], accounts: readonly string[]) => boolean;
	/** The words that records have as their status. */
	readonly statuses?: Iterable<string>;
	/** `statuses` are those that records have ever had. */
	readonly itemsOf: (
		delivered: readonly Delivery[],
		statuses: readonly string[],
	) => Promise<readonly Item[]>;
}
