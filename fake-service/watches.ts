// Who judges what is asked and answered. Apart from the rest, for tests that start no service.

import type { LoggedRequest } from './log';
import type { JsonObject } from './types';
import type { Words } from './words';

export interface Exchange {
	readonly request: LoggedRequest;
	readonly envelope: JsonObject;
	readonly words: Words;
}

/**
 * Each sees every request to a strict service of this process that no fault hit, with its response. If
 * it objects to something, the service responds with these sentences instead.
 */
export const WATCHES = new Set<(exchange: Exchange) => readonly string[]>();
