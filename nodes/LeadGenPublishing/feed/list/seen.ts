/**
 * The remembered records of one list: one text with a fixed number of characters for each record, in
 * ascending order. Nine characters of 64 signs hold the 53 bits of a hash. The compared value follows,
 * and one character that says whether the record was delivered, and on which day it was last seen.
 * Days are counted up to 32, and then from the start again. Looking up is a binary search in the
 * text itself.
 */
import { DIGITS, spell } from './hash';

export const HASH_LENGTH = 9;
/** One character names the day. Its other half says that the record was delivered. */
const DAYS = DIGITS.length / 2;
/** A counted day lasts at least 24 hours, so a record of this age was not seen for 30 days. */
const FORGOTTEN_AT_AGE = 31;

export interface Remembered {
	readonly value: string;
	/** The day on which it was last seen, from 0 to 31. */
	readonly day: number;
	/** Whether it was delivered. If not, it existed before, was held back, or does not match yet. */
	readonly isDelivered: boolean;
}

const spellLast = ({ day, isDelivered }: Remembered): string =>
	DIGITS.charAt(day + (isDelivered ? DAYS : 0));

const readLast = (sign: string): Pick<Remembered, 'day' | 'isDelivered'> => {
	const code = DIGITS.indexOf(sign);
	return { day: code % DAYS, isDelivered: code >= DAYS };
};

export const nextDay = (day: number): number => (day + 1) % DAYS;

export class Seen {
	private readonly step: number;

	constructor(
		readonly text: string,
		private readonly width: number,
	) {
		this.step = HASH_LENGTH + width + 1;
	}

	get size(): number {
		return this.text.length / this.step;
	}

	/** Undefined if the record is not known. */
	get(hash: number): Remembered | undefined {
		const key = spell(hash, HASH_LENGTH);
		const at = this.placeOf(key);
		if (!this.text.startsWith(key, at)) return undefined;
		const end = at + this.step - 1;
		return {
			value: this.text.slice(at + HASH_LENGTH, end),
			...readLast(this.text.charAt(end)),
		};
	}

	/** A copy with these records added or replaced. Undefined removes a record. */
	with(changes: ReadonlyMap<number, Remembered | undefined>): Seen {
		if (changes.size === 0) return this;
		const keyed = [...changes].map(([hash, one]) => ({ key: spell(hash, HASH_LENGTH), one }));
		keyed.sort((left, right) => (left.key < right.key ? -1 : 1));
		const parts: string[] = [];
		let copied = 0;
		for (const { key, one } of keyed) {
			const at = this.placeOf(key);
			parts.push(this.text.slice(copied, at));
			if (one !== undefined) parts.push(key + one.value + spellLast(one));
			copied = this.text.startsWith(key, at) ? at + this.step : at;
		}
		parts.push(this.text.slice(copied));
		return new Seen(parts.join(''), this.width);
	}

	/** A copy without the records that were not seen for 30 days. */
	forgotten(today: number): Seen {
		const kept: string[] = [];
		for (let at = 0; at < this.text.length; at += this.step) {
			const one = this.text.slice(at, at + this.step);
			const { day } = readLast(one.slice(-1));
			const age = (today - day + DAYS) % DAYS;
			if (age < FORGOTTEN_AT_AGE) kept.push(one);
		}
		const text = kept.join('');
		return text.length === this.text.length ? this : new Seen(text, this.width);
	}

	/** A copy in which each record has another value, all of the same width. */
	valued(width: number, valueOf: (one: Remembered) => string): Seen {
		const parts: string[] = [];
		for (let at = 0; at < this.text.length; at += this.step) {
			const last = this.text.charAt(at + this.step - 1);
			const value = this.text.slice(at + HASH_LENGTH, at + this.step - 1);
			parts.push(
				this.text.slice(at, at + HASH_LENGTH),
				valueOf({ value, ...readLast(last) }),
				last,
			);
		}
		return new Seen(parts.join(''), width);
	}

	/** The position of the first record whose key is not lower than this one. */
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
