/** What one process is to do with one test file, and what it tells of it, line by line. */

export interface Task {
	/** How many mutants there are in all. */
	readonly count: number;
	/** Those to try; none only measures which ones the file reaches. */
	readonly mutants: readonly number[];
	/** Makes sure of every single failure, where others have left something behind. */
	readonly careful: boolean;
	/** How long one mutant may take in this file; what it has not run on by then is left out. */
	readonly mostMs: number;
	/** Tests that pass only once in a process; mutants are not tried on them. */
	readonly once: readonly string[];
	/** Where its lines go. */
	readonly log: string;
}

export type Line =
	/** `mostMs`: after that the test fails. */
	| { readonly at: 'mutant'; readonly id: number; readonly mostMs: number }
	/** Without a mutant, to see whether all is as it was. */
	| { readonly at: 'control' }
	| { readonly at: 'killed'; readonly id: number; readonly by: string; readonly inTime: boolean }
	/** It passes only once in a process. */
	| { readonly at: 'once'; readonly test: string }
	/** Something has been left behind, perhaps by one of these. What is not named yet is to be tried anew. */
	| {
			readonly at: 'spoilt';
			readonly failed: readonly number[];
			readonly passed: readonly number[];
	  }
	| {
			readonly at: 'end';
			/** Bits by number: reached in a test, and outside of all tests. */
			readonly inTests: string;
			readonly outside: string;
			/** By mutant, on how many tests it was tried. */
			readonly tried: Readonly<Record<number, number>>;
	  };

export const bitsOf = (reached: Uint8Array): string => {
	const bits = new Uint8Array(Math.ceil(reached.length / 8));
	for (const [id, value] of reached.entries())
		if (value !== 0) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7));
	return Buffer.from(bits).toString('base64');
};

export function idsOf(text: string): number[] {
	const bits = Buffer.from(text, 'base64');
	const ids: number[] = [];
	for (const [index, byte] of bits.entries())
		for (let bit = 0; bit < 8; bit += 1) if ((byte >> bit) & 1) ids.push(index * 8 + bit);
	return ids;
}
