/**
 * The remembered records of one list: one text with a fixed number of characters for each record, in
 * ascending order. Nine characters of 64 signs hold the 53 bits of a hash; the compared value stands
 * behind them, if there is one. Looking up is a binary search in the text itself.
 */
import { spell } from './hash';

const HASH_LENGTH = 9;

export class Seen {
	private readonly step: number;

	constructor(
		readonly text: string,
		private readonly width: number,
	) {
		this.step = HASH_LENGTH + width;
	}

	get size(): number {
		return this.text.length / this.step;
	}

	/** The value beside a record: '' where nothing is compared, undefined if it is not known. */
	get(hash: number): string | undefined {
		const key = spell(hash, HASH_LENGTH);
		const at = this.placeOf(key);
		return this.text.startsWith(key, at)
			? this.text.slice(at + HASH_LENGTH, at + this.step)
			: undefined;
	}

	/** Another set, with these values added or replaced; undefined takes a record out. */
	with(changes: ReadonlyMap<number, string | undefined>): Seen {
		if (changes.size === 0) return this;
		const keyed = [...changes].map(([hash, value]) => ({ key: spell(hash, HASH_LENGTH), value }));
		keyed.sort((left, right) => (left.key < right.key ? -1 : 1));
		const parts: string[] = [];
		let copied = 0;
		for (const { key, value } of keyed) {
			const at = this.placeOf(key);
			parts.push(this.text.slice(copied, at), value === undefined ? '' : key + value);
			copied = this.text.startsWith(key, at) ? at + this.step : at;
		}
		parts.push(this.text.slice(copied));
		return new Seen(parts.join(''), this.width);
	}

	/** Where the first record stands that is not below the key. */
	private placeOf(key: string): number {
		let low = 0;
		let high = this.size;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const at = middle * this.step;
			if (this.text.slice(at, at + HASH_LENGTH) < key) low = middle + 1;
			else high = middle;
		}
		return low * this.step;
	}
}
