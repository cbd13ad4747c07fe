const { imul, floor } = Math;

/** Seeded random numbers: the same seed gives the same history on any machine. */
export class Chance {
	constructor(private state: number) {}

	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let x = imul(this.state ^ (this.state >>> 15), 1 | this.state);
		x = (x + imul(x ^ (x >>> 7), 61 | x)) ^ x;
		return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
	}

	below(limit: number): number {
		return floor(this.next() * limit);
	}

	happens(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(values: readonly T[]): T {
		const value = values[this.below(values.length)];
		if (value === undefined) throw new Error('nothing to pick from');
		return value;
	}

	shuffled<T>(values: readonly T[]): T[] {
		const all = [...values];
		for (let at = all.length - 1; at > 0; at--) {
			const other = this.below(at + 1);
			[all[at], all[other]] = [all[other] as T, all[at] as T];
		}
		return all;
	}

	uuid(): string {
		const part = (): string => this.below(0x100000000).toString(16).padStart(8, '0');
		const text = part() + part() + part() + part();
		return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-a${text.slice(17, 20)}-${text.slice(20)}`;
	}
}
