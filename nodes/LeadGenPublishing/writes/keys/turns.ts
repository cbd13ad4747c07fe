/**
 * What this process remembers under a name, such as a unique key. Only one item at a time works with
 * it, and the next one, also of another execution, learns what that item has found out. Turns are
 * handed over in the order in which they were requested.
 */
import type { InputError } from '../../words/inputError';
import { growingPauses } from '../../api/growingPauses';
import type { BoundApi } from '../../item/itemCall';

interface Waiting {
	isNext: boolean;
	wake: () => void;
}

interface Named<Memory> {
	readonly memory: Memory;
	isTaken: boolean;
	readonly waiting: Waiting[];
}

/** An item's turn. No other item or execution of this process has it at the same time. */
export interface Turn<Memory> {
	readonly memory: Memory;
	/** Must be called, whatever happens. */
	readonly end: () => void;
}

interface Patience {
	readonly api: BoundApi;
	/** Until when the item may wait. */
	readonly deadline: number;
	/** The error of an item that has waited until then. */
	readonly tooLate: () => InputError;
}

/** Old entries matter only to executions that began before them. */
const MAX_KEPT = 10_000;
/** A turn is handed over at once. These pauses only notice the deadline, and that a user cancels. */
const BETWEEN_CHECKS = { firstMs: 20, longestMs: 500 };

export class Turns<Memory> {
	private readonly all = new Map<string, Named<Memory>>();

	constructor(private readonly newMemory: () => Memory) {}

	/** What is remembered, for a look without a turn. */
	memoryOf(name: string): Memory {
		return this.named(name).memory;
	}

	/** Waits until no other item has the turn. Throws at the deadline. */
	async take(name: string, patience: Patience): Promise<Turn<Memory>> {
		const named = this.named(name);
		if (named.isTaken) await waitForTurn(named, patience);
		named.isTaken = true;
		return { memory: named.memory, end: () => handOver(named) };
	}

	private named(name: string): Named<Memory> {
		const named = this.all.get(name) ?? {
			memory: this.newMemory(),
			isTaken: false,
			waiting: [],
		};
		// The map keeps the order of insertion, so the oldest entries come first.
		this.all.delete(name);
		this.all.set(name, named);
		this.forgetOldest();
		return named;
	}

	private forgetOldest(): void {
		for (const [name, { isTaken }] of this.all) {
			if (this.all.size <= MAX_KEPT) return;
			if (!isTaken) this.all.delete(name);
		}
	}
}

/** To the item that has waited longest. */
function handOver(named: Named<unknown>): void {
	const next = named.waiting.shift();
	if (next === undefined) {
		named.isTaken = false;
		return;
	}
	next.isNext = true;
	next.wake();
}

async function waitForTurn(named: Named<unknown>, patience: Patience): Promise<void> {
	const own: Waiting = { isNext: false, wake: () => undefined };
	const woken = new Promise<void>((resolve) => {
		own.wake = resolve;
	});
	named.waiting.push(own);
	await untilNext(own, woken, patience).catch((error: unknown) => {
		if (own.isNext) handOver(named);
		else named.waiting.splice(named.waiting.indexOf(own), 1);
		throw error;
	});
}

async function untilNext(
	own: Waiting,
	woken: Promise<void>,
	{ api, deadline, tooLate }: Patience,
): Promise<void> {
	const nextPause = growingPauses(BETWEEN_CHECKS);
	while (!own.isNext) {
		const left = deadline - api.now();
		if (left <= 0) throw tooLate();
		await Promise.race([woken, api.wait(Math.min(nextPause(), left))]);
	}
}
