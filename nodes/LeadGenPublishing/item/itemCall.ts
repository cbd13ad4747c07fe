/** What a write gets for one item: the API for its account, and what is known about an earlier attempt. */
import type { Answer } from '../api/client';
import type { Download, Wanted } from '../api/download';
import { endpoint, type EndpointName } from '../api/endpoints';
import type { ApiFailure } from '../api/failure';
import { keyFrom } from '../api/identifiers';
import type { Walk, WalkOptions } from '../api/pageWalker';
import type { JsonRecord } from '../api/schemas';
import type { CallOptions, PlannedRequest } from '../api/request';
import type { FileToSend } from '../api/upload';
import type { Notice } from '../panel/fields/notice';

/** The options of a call, without those that are bound to the item. */
interface BoundOptions extends Omit<CallOptions, 'account' | 'maxWaitMs' | 'time' | 'item'> {
	/**
	 * A write that only prepares the item's own write or cleans up after it. Its outcome does not
	 * matter.
	 */
	readonly isSideStep?: true;
}

/** The API client, bound to one item and its account. */
export interface BoundApi {
	readonly agency: boolean;
	/** Identifies the account within this process: the client, or the owner of the key. */
	readonly accountId: string;
	/** How long the operation may wait for a change to settle. */
	readonly maxWaitMs: number;
	readonly now: () => number;
	call(name: EndpointName, options?: BoundOptions): Promise<Answer>;
	/**
	 * Throws if it is certain that `call` would refuse to send this body. Sends nothing. `current` is
	 * the record that it would change, if it is known.
	 */
	requireAllowed(name: EndpointName, known: { body: JsonRecord; current?: JsonRecord }): void;
	/** The request as `call` would send it. */
	planned(name: EndpointName, options?: BoundOptions): PlannedRequest;
	list(name: EndpointName, options?: BoundOptions & Omit<WalkOptions, 'atOnce'>): Promise<Walk>;
	wait(ms: number): Promise<void>;
	/** Sends a file to its upload URL. Does not count towards the time limit. */
	upload(given: JsonRecord, file: FileToSend): Promise<void>;
	/** Fetches a file from a URL outside the service. Does not count towards the time limit. */
	download(wanted: Omit<Wanted, 'baseUrl' | 'now'>): Promise<Download>;
	/** Runs work that does not count towards the item's time limit. */
	uncounted<T>(work: () => Promise<T>): Promise<T>;
	/** The Network Word in fields and paths. Undefined until it is known. */
	readonly networkWord: () => string | undefined;
	/** Tries to learn the Network Word by reading one lead. */
	learnNetworkWord(): Promise<void>;
}

export type Counts = Readonly<Record<string, number>>;

export interface Tally {
	readonly counts: Counts;
	/** Creates the hints from the sums over all items. */
	readonly say: (sums: Counts) => readonly string[];
}

/** Thrown in a dry run instead of sending a request that would change something. */
export class RequestHeld extends Error {
	constructor(readonly request: PlannedRequest) {
		super('A dry run sends nothing');
	}
}

/** A write as it was sent. One that may have succeeded is repeated unchanged, or not at all. */
export interface SentRequest {
	readonly name: EndpointName;
	readonly fingerprint: string;
	/** The record that its path names. */
	readonly recordId?: string;
	readonly etag?: string;
	readonly key?: string;
	/** The value by which a created record with a unique key is recognized. */
	readonly recognisedBy?: string;
	/** When the request ended, in ms. */
	readonly endedAt?: number;
}

/** What the operation has to know about an earlier attempt at the same item. */
export type EarlierAttempt =
	/** It certainly had no effect, so its key and its etag are used again. */
	| { readonly kind: 'notDone'; readonly request: SentRequest }
	/** It may have had an effect, so only exactly the same request may be sent. */
	| {
			readonly kind: 'unknown';
			readonly request: SentRequest;
			readonly failure: ApiFailure;
			/** The write must not be sent again. Only reads check its outcome. */
			readonly checkOnly: boolean;
	  };

/** The earlier attempt, if its outcome is unknown. */
export const openAttempt = ({ earlier }: Pick<AttemptOfItem, 'earlier'>) =>
	earlier?.kind === 'unknown' ? earlier : undefined;

/**
 * To be called when a read has shown the outcome of the earlier attempt. Continue with the returned
 * call.
 */
export function settle<Call extends AttemptOfItem>(call: Call): Call {
	call.settled();
	return { ...call, earlier: undefined };
}

/** The request for this endpoint and these options, to be compared with one that was sent. */
export function requestOf(
	{ accountId }: Pick<BoundApi, 'accountId'>,
	name: EndpointName,
	{ params, body, etag, idempotencyKey }: BoundOptions = {},
): SentRequest {
	const key = endpoint(name).keyed ? idempotencyKey : undefined;
	const parts = [accountId, name, params ?? {}, body ?? null, etag ?? '', key ?? ''];
	return {
		name,
		fingerprint: keyFrom(JSON.stringify(parts)).slice(0, 13),
		recordId: params?.id,
		etag,
		key,
	};
}

/** How an item tells the user something that is no error. */
export interface ItemHints {
	readonly notice: Notice;
	/** Adds numbers of this item to sums that are shown in a hint. */
	readonly count: (tally: Tally) => void;
}

/** What is known about an earlier attempt at the item, and what this one learns about it. */
export interface AttemptOfItem {
	readonly earlier?: EarlierAttempt;
	/** Records how the result of the next request can be recognized if its response is lost. */
	readonly recognisedBy: (identity: string) => void;
	/** See `settle`. */
	readonly settled: () => void;
}

/** What a write needs. It knows neither the item's parameters nor n8n. */
export interface WriteCall extends ItemHints, AttemptOfItem {
	readonly api: BoundApi;
	/** The time zone of the workflow. */
	readonly timeZone: string;
	/** An idempotency key that stays the same when n8n runs the item again. */
	readonly stableKey: () => string;
	/** Plain JSON that is stored with the execution, for all attempts of this node. */
	readonly contextOfNode: () => JsonRecord;
	/** In a dry run, `api` stops before the first request that would change something. */
	readonly isDryRun: boolean;
	/** What the items of this run share. */
	readonly shared: <T>(name: string, make: () => T) => T;
}
