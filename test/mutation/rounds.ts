/**
 * In which order mutants are tried on one test, and when their failures count: only if the test still
 * passes without any. Pure.
 */

export type Run = { readonly mutant: number } | 'control';

export interface Failure {
	readonly id: number;
	readonly inTime: boolean;
}

/** After so many failures in a row the test has to pass once without a mutant. */
const UNPROVEN = 5;

export class Rounds {
	private readonly left: number[] = [];
	private readonly unproven: Failure[] = [];
	/** Tried since the test has last passed without a mutant. */
	private recent: number[] = [];
	private controls = 0;
	private last: Run = 'control';

	constructor(private readonly careful: boolean) {}

	/** What the first run without a mutant has reached. */
	put(mutants: readonly number[]): void {
		this.left.push(...mutants);
	}

	get isOver(): boolean {
		return this.left.length === 0 && this.unproven.length === 0;
	}

	next(): Run {
		this.last = this.choose();
		if (this.last === 'control') this.controls += 1;
		else this.recent.push(this.last.mutant);
		return this.last;
	}

	private choose(): Run {
		// The first one tells which mutants it reaches, the second whether it passes twice.
		if (this.controls < 2) return 'control';
		if (this.unproven.length >= (this.careful ? 1 : UNPROVEN)) return 'control';
		if (this.careful && this.last !== 'control') return 'control';
		const mutant = this.left.shift();
		return mutant === undefined ? 'control' : { mutant };
	}

	/** The failures that count now. */
	passed(): Failure[] {
		if (this.last === 'control') this.recent = [];
		return this.unproven.splice(0);
	}

	/** `once`: it cannot pass twice. `spoilt`: something has been left behind. */
	failed(inTime: boolean): 'failure' | 'once' | 'spoilt' {
		if (this.last !== 'control') {
			this.unproven.push({ id: this.last.mutant, inTime });
			return 'failure';
		}
		return this.controls === 2 ? 'once' : 'spoilt';
	}

	/** Those that have failed, and those of which one may have left something behind. */
	get suspects(): { failed: number[]; passed: number[] } {
		const failed = this.unproven.map(({ id }) => id);
		return { failed, passed: this.recent.filter((id) => !failed.includes(id)) };
	}
}
