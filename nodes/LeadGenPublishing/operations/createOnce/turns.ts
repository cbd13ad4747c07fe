/**
 * What this process remembers of records with a unique key: one at a time is created, and whoever
 * comes next learns that a record was created, or that an answer was lost.
 */

export interface KeyMemory {
	/** A number that grows with each creation and each reading of a list in this process. */
	createdAt?: number;
	/** The list that contains it, since its run has created it. */
	createdBy?: symbol;
	/** The record, and the time in ms. */
	created?: { readonly id: unknown; readonly at: number };
	/** When a request was sent whose outcome is not known, in ms. */
	lostAt?: number;
}

interface Turn {
	readonly memory: KeyMemory;
	last: Promise<void>;
	waiting: number;
}

/** Old entries matter only to executions that began before them. */
const MAX_KEPT = 10_000;

export class Turns {
	private readonly turns = new Map<string, Turn>();
	private count = 0;

	/** The next of the numbers that `createdAt` and the readings of lists are compared by. */
	next(): number {
		this.count += 1;
		return this.count;
	}

	/** Runs the work once no other work with the same key is running. */
	async take<T>(key: string, work: (memory: KeyMemory) => Promise<T>): Promise<T> {
		const turn = this.turns.get(key) ?? { memory: {}, last: Promise.resolve(), waiting: 0 };
		// The map keeps the order of insertion, so the oldest entries come first.
		this.turns.delete(key);
		this.turns.set(key, turn);
		turn.waiting += 1;
		const before = turn.last;
		let done: () => void = () => undefined;
		turn.last = new Promise((resolve) => {
			done = resolve;
		});
		try {
			await before;
			return await work(turn.memory);
		} finally {
			turn.waiting -= 1;
			done();
			this.forgetOldest();
		}
	}

	private forgetOldest(): void {
		for (const [key, { waiting }] of this.turns) {
			if (this.turns.size <= MAX_KEPT) return;
			if (waiting === 0) this.turns.delete(key);
		}
	}
}

/** Those of this process. */
export const TURNS = new Turns();
