/**
 * What this process remembers about unique keys. Only one item at a time works with a key, and the
 * next execution learns that a record was created, or that a response was lost.
 */
import { InputError } from '../../words/inputError';
import { growingPauses } from '../../api/growingPauses';
import type { BoundApi } from '../../item/itemCall';

export type KeyState =
	| { readonly kind: 'nothingKnown' }
	/** A request was sent whose outcome is not known. */
	| { readonly kind: 'lost'; readonly what: 'creation' | 'change'; readonly at: number }
	/** The record was created, or has appeared after its response was lost. */
	| { readonly kind: 'exists'; readonly at: number; readonly id: unknown };

export interface KeyMemory {
	state: KeyState;
}

interface TakenKey extends KeyMemory {
	isTaken: boolean;
	/** How many items work with this key or wait for it. */
	users: number;
}

/** An item's turn to work with a key. No other item or execution of this process works with it. */
export interface TurnWithKey {
	readonly memory: KeyMemory;
	/** Must be called, whatever happens. */
	readonly end: () => void;
}

/** Old entries matter only to executions that began before them. */
const MAX_KEPT = 10_000;
const BETWEEN_TRIES = { firstMs: 20, longestMs: 500 };

export class Turns {
	private readonly memories = new Map<string, TakenKey>();

	/** Waits until no other item works with the key. Throws at the deadline. */
	async take(
		key: string,
		{ api, deadline, what }: { api: BoundApi; deadline: number; what: string },
	): Promise<TurnWithKey> {
		const memory = this.memories.get(key) ?? {
			state: { kind: 'nothingKnown' },
			isTaken: false,
			users: 0,
		};
		// The map keeps the order of insertion, so the oldest entries come first.
		this.memories.delete(key);
		this.memories.set(key, memory);
		memory.users += 1;
		const leave = (): void => {
			memory.users -= 1;
			this.forgetOldest();
		};
		await takeWhenFree(memory, { api, deadline, what }).catch((error: unknown) => {
			leave();
			throw error;
		});
		return {
			memory,
			end: () => {
				memory.isTaken = false;
				leave();
			},
		};
	}

	private forgetOldest(): void {
		for (const [key, { users }] of this.memories) {
			if (this.memories.size <= MAX_KEPT) return;
			if (users === 0) this.memories.delete(key);
		}
	}
}

/** Takes the key in the same moment in which it is free, before another item can. */
async function takeWhenFree(
	memory: TakenKey,
	{ api, deadline, what }: { api: BoundApi; deadline: number; what: string },
): Promise<void> {
	const nextPause = growingPauses(BETWEEN_TRIES);
	while (memory.isTaken) {
		const left = deadline - api.now();
		if (left <= 0) throw isTaken(what);
		await api.wait(Math.min(nextPause(), left));
	}
	memory.isTaken = true;
}

const isTaken = (what: string): InputError =>
	new InputError(
		`Another execution is creating the same ${what}, and did not finish within "Max Wait (Seconds)"`,
		'Run the node again. It first looks for the record of the other execution.',
		{ code: 'being_created', retryable: true },
		'Nothing was sent',
	);

/** The turns of all executions in this process. */
export const TURNS = new Turns();
