// Who wants to see what is asked and answered. Apart from the rest, for tests that start no service.

import type { LoggedRequest } from './log';
import type { JsonObject } from './types';
import type { Words } from './words';

export interface Exchange {
	readonly request: LoggedRequest;
	readonly envelope: JsonObject;
	readonly words: Words;
}

/** Told of each request to any service of this process that no fault hit, with what is answered. */
export const WATCHES = new Set<(exchange: Exchange) => void>();
