/** Errors that the node finds itself, in words for the user. */
import type { JsonRecord } from '../api/schemas';

/** Bad input or a state that forbids the operation, found before anything was sent. */
export class InputError extends Error {
	constructor(
		/** A sentence without its full stop. */
		readonly problem: string,
		readonly remedy: string,
		readonly details: JsonRecord = {},
		/** What therefore did not happen, as another sentence: "Nothing was sent". */
		effect?: string,
	) {
		super(effect === undefined ? problem : `${problem}. ${effect}`);
		this.name = 'InputError';
	}
}

/** The item's outcome is unknown since an earlier attempt; the items after it run nevertheless. */
export class OpenWriteError extends InputError {}

/**
 * The item's write was done, but a later run could do it again. So no attempt at the item sends
 * anything, and each shows this error.
 */
export class DoneError extends InputError {}
