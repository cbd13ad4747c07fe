// Who judges what is asked and answered. Apart from the rest, for tests that start no service.

import type { LoggedRequest } from './log';
import type { JsonObject } from './types';
import type { Words } from './words';

export interface Exchange {
	readonly request: LoggedRequest;
	readonly envelope: JsonObject;
	readonly words: Words;
}

type Watch = (exchange: Exchange) => readonly string[];

/**
 * Each sees every request to a strict service of this process that no fault hit, with its response. If
 * it objects to something, the service responds with these sentences instead.
 */
export const WATCHES = new Set<Watch>();

/** A watch that fails objects to everything, and says why. */
export const objectionsTo = (exchange: Exchange): string[] =>
	[...WATCHES].flatMap((watch) => {
		try {
			return watch(exchange);
		} catch (error) {
			return [error instanceof Error ? error.message : String(error)];
		}
	});
