/**
 * The facts of a diagnosis. The collect step records them, and the judge step reads nothing else.
 * Facts contain records of real people, so only a rule of the judge step may show any part of them.
 */
import type { EndpointName } from '../api/endpoints';
import type { FailureClass } from '../api/policy';
import type { Problem } from '../api/problems';
import type { JsonRecord } from '../api/schemas';

/** Why a request was sent. `reading` is what any workflow reads; the others try something out. */
export type Purpose =
	| 'reading'
	/** Two records, from the second one on. */
	| 'second'
	/** Two records, from the offset where the first page ended. */
	| 'following'
	/** No limit is named. */
	| 'byDefault'
	/** One record more than a page may hold. */
	| 'tooMany'
	/** Far past the end of the list. */
	| 'farBehind'
	| 'withEmail'
	| 'withoutEmail'
	| 'bySource'
	/** A published post once more, to see whether two reads agree. */
	| 'again'
	/** A record that does not exist. */
	| 'unknownRecord'
	/** A list of a client whose grant is not called active. */
	| 'otherGrant'
	/** A harmless write, and the reads that show its effect. */
	| 'trial'
	/** Removes what a trial has made. */
	| 'tidying';

/** One sending of a request. */
export interface AttemptFacts {
	readonly ms: number;
	/** The request ID that was sent. */
	readonly requestId: string;
	/** Undefined if no response came. */
	readonly status?: number;
	/** Names are in lower case. */
	readonly headers: JsonRecord;
	/** The JSON of the response. Undefined if the body was not JSON. */
	readonly json?: unknown;
}

/** Why a request was not sent. */
export type Unsent =
	/** The run has sent as many requests as it may. */
	| 'limit'
	/** "Max Wait" was over. */
	| 'time'
	/** The service had asked to wait for longer than "Max Wait". */
	| 'throttled'
	/** The same request for another account got no response. */
	| 'silent'
	/** n8n did not send it. */
	| 'n8n';

export type WhyNoResponse =
	/** No host was reached. */
	| 'unreached'
	| 'tls'
	/** A response came that n8n could not read. */
	| 'damaged'
	| 'lost';

export type RequestOutcome =
	/** The envelope that the node reads. */
	| { readonly kind: 'success'; readonly body: unknown }
	| {
			readonly kind: 'refused';
			readonly status: number;
			/** What the service means by it, whatever the status is. */
			readonly meaning: FailureClass;
			readonly code?: string;
			readonly reason?: string;
			/** The service's own message, without secrets. It may name people. */
			readonly message?: string;
			readonly hasEnvelope: boolean;
	  }
	/** A response, but not one that the node can read. */
	| { readonly kind: 'unreadable'; readonly status: number; readonly problem?: Problem }
	| { readonly kind: 'redirected'; readonly status: number }
	/** The request was sent, or an attempt was made to. */
	| { readonly kind: 'noResponse'; readonly why: WhyNoResponse; readonly problem?: Problem }
	| { readonly kind: 'unsent'; readonly why: Unsent };

export interface Asked {
	readonly name: EndpointName;
	/** Undefined for the own account. */
	readonly clientId?: string;
	readonly purpose: Purpose;
	readonly query?: JsonRecord;
	/** The ID in the path. */
	readonly id?: string;
	/** When it was sent, in ms by the clock of n8n. */
	readonly at: number;
	readonly attempts: readonly AttemptFacts[];
	readonly outcome: RequestOutcome;
}

export interface ConnectionFacts {
	readonly isEncrypted: boolean;
	/** The service's word, if the key begins with it or the credential names it. */
	readonly serviceWord?: string;
	/** The network's word: what leads have shown, or what the credential says. */
	readonly networkWord?: string;
	/** What happened to a request into n8n's own network; undefined if none was sent. */
	readonly ownNetwork?: 'open' | 'blocked';
}

/** A change of the trial draft, and the draft as it was read afterwards. */
export interface Change {
	readonly sent: JsonRecord;
	readonly asked: Asked;
	readonly after?: Asked;
}

export interface Removal {
	readonly deletions: readonly Asked[];
	/** The last look at it. */
	readonly look?: Asked;
	readonly isGone: boolean;
	/** The response itself says that nothing was deleted. */
	readonly isDenied?: boolean;
}

export interface DraftTrial {
	readonly sent: { readonly text: string; readonly notes: string };
	/**
	 * The rejected creation with a text of 3,000 characters, if a short text had to be sent instead.
	 */
	readonly longText?: Asked;
	readonly creation: Asked;
	/** The pages of the list of posts that were read to find it. */
	readonly listed: readonly Asked[];
	readonly read?: Asked;
	/** The first read, if it did not find the draft and another one was sent. */
	readonly missed?: Asked;
	readonly change?: Change;
	readonly emptying?: Change;
	/** Further drafts that the service made from the same creation. */
	readonly twins?: readonly Removal[];
	readonly removal?: Removal;
}

export interface MagnetTrial {
	readonly sent: JsonRecord;
	readonly creation: Asked;
	readonly read?: Asked;
	readonly removal?: Removal;
	/** The list of lead magnets after it was archived. */
	readonly listedAfter?: Asked;
}

/** What the storage did with the file. */
export type Storing =
	| { readonly kind: 'stored' }
	/** The file was not sent, because the upload result has no path, or no URL that is safe to send to. */
	| { readonly kind: 'unusable'; readonly lacks: 'path' }
	| { readonly kind: 'unusable'; readonly lacks: 'url'; readonly problem?: Problem }
	| { readonly kind: 'refused'; readonly status?: number; readonly problem?: Problem };

export interface FileTrial {
	readonly sent: JsonRecord;
	readonly address: Asked;
	readonly storing?: Storing;
	/** The public URL before and after the deletion: whether the file was there. */
	readonly wasPublic?: boolean;
	readonly isStillPublic?: boolean;
	readonly removal?: Removal;
}

/** Something that was made and may still exist. */
export interface Left {
	readonly what: 'draft' | 'lead magnet' | 'image';
	/** Its ID or path. If neither is known, the mark by which a person can find it. */
	readonly name: string;
	readonly isCertain: boolean;
}

export interface Trial {
	readonly mark: string;
	readonly draft: DraftTrial;
	readonly magnet?: MagnetTrial;
	readonly file?: FileTrial;
	readonly left: readonly Left[];
}

export interface Facts {
	readonly asked: readonly Asked[];
	/** The number of all requests sent, including those to the storage. */
	readonly requests: number;
	readonly connection: ConnectionFacts;
	/** Undefined if the user has not turned writes on, or if the run did not get to them. */
	readonly trial?: Trial;
	readonly writesWanted: boolean;
}

/** The lists of the service. */
export type ListName =
	'client.getAll' | 'post.getAll' | 'leadMagnet.getAll' | 'lead.getAll' | 'activity.getAll';

/** The lists that every account has, including a client's. */
export const LISTS_OF_ACCOUNT = [
	'post.getAll',
	'leadMagnet.getAll',
	'lead.getAll',
	'activity.getAll',
] as const satisfies readonly ListName[];
