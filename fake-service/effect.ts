// What a fault does, and which requests it hits.

import type { LoggedRequest } from './log';
import type { Json, JsonObject } from './types';

/** The wrong envelope of an answer. */
export type WrongShape = 'noData' | 'dataAsArray' | 'dataAsObject' | 'noPagination';

export type RetryAfter = number | string;

export type Effect =
	/** An error of part 7, before the request is handled (or after: applied, then this). */
	| {
			kind: 'error';
			status: number;
			code?: string;
			message?: string;
			reason?: string;
			details?: JsonObject;
			retryAfter?: RetryAfter;
			after?: boolean;
	  }
	/** Anything at all. */
	| { kind: 'raw'; status: number; body: string; headers?: Record<string, string>; after?: boolean }
	/** The connection is cut; with `after` the request has been handled by then. */
	| { kind: 'reset'; after?: boolean }
	/** The connection is cut at once, and the request is handled so many milliseconds later. */
	| { kind: 'late'; ms: number }
	/** No answer ever; with `after` the request has been handled by then. */
	| { kind: 'hang'; after?: boolean }
	| { kind: 'html'; status: number; after?: boolean }
	/** Half of the real answer: as a complete body, or (`abort`) with the connection cut. */
	| { kind: 'cut'; abort?: boolean }
	/** The real status with nothing in it. */
	| { kind: 'empty' }
	/** The real answer in a wrong envelope. */
	| { kind: 'envelope'; shape: WrongShape }
	/** Lists: has_more with nothing in it. */
	| { kind: 'emptyPage' }
	/** has_more for ever; past the end come the same records again. */
	| { kind: 'neverEnding' }
	/** The records of the page before, whatever the offset. */
	| { kind: 'repeatPage' }
	| { kind: 'redirect'; status: 301 | 302 | 303 | 307 | 308; to?: string }
	| { kind: 'delay'; ms: number }
	/** Whatever the test wants to do to the real envelope, with another status if one is given. */
	| { kind: 'change'; change: (envelope: JsonObject) => Json; status?: number };

export interface Match {
	host?: 'api' | 'storage';
	method?: string;
	/** Exact path relative to the base, or a pattern for it. */
	path?: string | RegExp;
	/** An `id` of ROUTES. */
	route?: string;
	clientId?: string;
	when?: (request: LoggedRequest) => boolean;
	/** Start with the nth matching request (default 1) … */
	nth?: number;
	/** … and hit so many of them (default 1; Infinity for all). */
	count?: number;
}
