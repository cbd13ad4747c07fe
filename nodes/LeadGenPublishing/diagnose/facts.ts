/**
 * The facts of a diagnosis. The collect step records them, and the judge step reads nothing else.
 * They contain records of real people, so only the words of the judge step may show any part of
 * them.
 */
import type { EndpointName } from '../api/endpoints';
import type { FailureFacts } from '../api/failure';
import type { JsonRecord } from '../api/schemas';

/** The limit for a whole run. A request that is sent again counts again. */
export const MAX_REQUESTS = 80;
/** So many clients are read. If an agency has more, the first ones are read. */
export const MAX_CLIENTS = 40;
export const LARGEST_PAGE = 100;

export type ListName =
	'client.getAll' | 'post.getAll' | 'leadMagnet.getAll' | 'lead.getAll' | 'activity.getAll';

/** The lists that every account has, including a client's. Leads are personal, so they come last. */
export const LISTS_OF_ACCOUNT = [
	'post.getAll',
	'leadMagnet.getAll',
	'activity.getAll',
	'lead.getAll',
] as const satisfies readonly ListName[];

/** One sending of a request. */
export interface AttemptFacts {
	readonly ms: number;
	/** Undefined if no response came. */
	readonly status?: number;
	/** Names are in lower case. */
	readonly headers: JsonRecord;
	/** The JSON of the response. Undefined if the body was not JSON. */
	readonly json?: unknown;
}

export type RequestOutcome =
	| { readonly kind: 'answered'; readonly body: unknown }
	| { readonly kind: 'failed'; readonly failure: FailureFacts }
	/** The run has sent as many requests as it may, or the endpoint has not responded before. */
	| { readonly kind: 'unsent'; readonly why: 'limit' | 'silent' };

export interface Asked {
	readonly name: EndpointName;
	/** Undefined for the own account. */
	readonly clientId?: string;
	/** The ID in the path. */
	readonly id?: string;
	readonly query?: JsonRecord;
	/** When it was sent, in ms by the clock of n8n. */
	readonly at: number;
	readonly attempts: readonly AttemptFacts[];
	readonly outcome: RequestOutcome;
}

/** The requests that decide whether anything else is sent. */
export interface Greeting {
	readonly base: Asked;
	readonly subject: Asked;
	/** A list. It is only read if the first two are inconclusive. */
	readonly further?: Asked;
}

/** Pages of one list, to see whether it can be read to its end. */
export interface ListTrial {
	readonly list: ListName;
	readonly first: Asked;
	/** Two records from the middle of the first page. */
	readonly inside?: Asked;
	/** The page after the first one, as "Return All" requests it. */
	readonly next?: Asked;
	/** One record, from the offset where the records of the first page end. */
	readonly behind?: Asked;
	/** The first page once more. It is only read if the others look wrong. */
	readonly again?: Asked;
}

/** A list with a filter of the service. */
export interface FilterTrial {
	readonly filter: 'hasEmail' | 'source';
	readonly value: boolean | string;
	/** The same list without the filter. */
	readonly first: Asked;
	readonly filtered: Asked;
	/** The list without the filter once more. It is only read if the filtered one looks wrong. */
	readonly again?: Asked;
}

export interface Facts {
	/** All requests in the order in which they were sent. */
	readonly asked: readonly Asked[];
	/** How often a request was sent, repetitions included. */
	readonly requests: number;
	readonly greeting: Greeting;
	/** The client that the user has chosen, and the pages of the list of clients, unless it was found. */
	readonly clients: readonly Asked[];
	/** The first page of each list that was read, of any account. */
	readonly lists: readonly Asked[];
	/** Records that were read by their ID. */
	readonly singles: readonly Asked[];
	readonly listTrials: readonly ListTrial[];
	readonly filterTrials: readonly FilterTrial[];
}
