// Real idempotency: a key remembers its input and, once there is one, its answer.

import { ApiError, badRequest, because, type Reason } from './errors';
import type { Answer } from './call';
import type { Json } from './types';

type Outcome =
	| { kind: 'answer'; answer: Answer }
	| { kind: 'refusal'; error: ApiError }
	/** The next same request goes on where this one stopped. */
	| { kind: 'resume'; resume: () => Answer };

interface Remembered {
	input: string;
	outcome: Outcome;
}

export class IdempotencyKeys {
	private readonly remembered = new Map<string, Remembered>();

	/**
	 * Runs `work` unless the key already stands for an outcome. `place` keeps keys of different
	 * accounts and routes apart; a refusal frees the key, unless it is told to be kept.
	 */
	once(input: {
		place: string;
		key: string | undefined;
		input: Json;
		mismatch: Reason;
		keepRefusals: boolean;
		work: () => Answer;
	}): Answer {
		if (input.key === undefined) return input.work();
		const place = `${input.place} ${input.key}`;
		const fingerprint = canonical(input.input);
		const known = this.remembered.get(place);
		if (known && known.input !== fingerprint) throw because(input.mismatch);
		if (known?.outcome.kind === 'answer') return known.outcome.answer;
		if (known?.outcome.kind === 'refusal') throw known.outcome.error;
		const work = known?.outcome.kind === 'resume' ? known.outcome.resume : input.work;
		try {
			const answer = work();
			this.remembered.set(place, { input: fingerprint, outcome: { kind: 'answer', answer } });
			return answer;
		} catch (error) {
			const outcome = outcomeOf(error, input.keepRefusals);
			if (outcome) this.remembered.set(place, { input: fingerprint, outcome });
			throw error;
		}
	}

	clear(): void {
		this.remembered.clear();
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

function outcomeOf(error: unknown, keepRefusals: boolean): Outcome | null {
	if (error instanceof Resumable) return { kind: 'resume', resume: error.resume };
	if (keepRefusals && error instanceof ApiError) return { kind: 'refusal', error };
	return null;
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
