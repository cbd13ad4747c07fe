// Real idempotency: a key remembers its input and, once there is one, its answer.

import { ApiError, badRequest, because, type Reason } from './errors';
import type { Answer } from './answer';
import type { Json } from './types';

interface Remembered {
	input: string;
	/** The answer again, or what the same request goes on with where the one before stopped. */
	again: () => Answer;
}

export class IdempotencyKeys {
	private readonly remembered = new Map<string, Remembered>();

	/**
	 * Runs `work` unless the key already stands for an outcome. `place` keeps keys of different
	 * accounts and routes apart; a refusal frees the key.
	 */
	once(given: {
		place: string;
		key: string | undefined;
		input: Json;
		mismatch: Reason;
		work: () => Answer;
	}): Answer {
		if (given.key === undefined) return given.work();
		const place = `${given.place} ${given.key}`;
		const input = canonical(given.input);
		const known = this.remembered.get(place);
		if (known && known.input !== input) throw because(given.mismatch);
		try {
			const answer = known ? known.again() : given.work();
			this.remembered.set(place, { input, again: () => answer });
			return answer;
		} catch (error) {
			if (error instanceof Resumable) this.remembered.set(place, { input, again: error.resume });
			throw error;
		}
	}
}

/** A failure after which the same request with the same key is to be continued, not redone. */
export class Resumable extends ApiError {
	constructor(
		error: ApiError,
		readonly resume: () => Answer,
	) {
		super(error.refusal);
	}
}

/** The header's value, refused when malformed (7.1). */
export function idempotencyKey(value: string | undefined): string | undefined {
	if (value === undefined) return undefined;
	if (!/^[\x21-\x7e]{1,255}$/.test(value)) throw badRequest('Malformed Idempotency-Key');
	return value;
}

function canonical(value: Json): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(',')}}`;
}
