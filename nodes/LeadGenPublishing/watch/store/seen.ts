/**
 * The set of remembered records. Promise: a record that was added is always found again; one that
 * was not is mistaken for a known one less than once in a million lifetimes of a list of 100,000
 * records; a record costs less than 7 characters of stored text (plus its value). Bloom filters are
 * smaller, but their false positives would be lost leads.
 */
import type { JsonRecord } from '../../api/schemas';
import {
	contentsFor,
	encode,
	EncodedHashes,
	MARK_BITS,
	MAX_VALUE_BITS,
	type Contents,
	type SeenText,
} from './eliasFano';
import { withChanges } from './insertion';

/** Two flags: found by the current check, and missed by the previous one. */
const FOUND = 1;
const MISSED = 2;

const isCount = (value: unknown): value is number =>
	Number.isSafeInteger(value) && (value as number) >= 0;

export class SeenSet {
	readonly size: number;
	readonly width: number;
	/** Whether marks are stored. */
	readonly marked: boolean;
	private readonly encoded: EncodedHashes;

	constructor(text: SeenText) {
		this.size = text.n;
		this.width = text.w;
		this.marked = text.m === MARK_BITS;
		this.encoded = new EncodedHashes(text);
	}

	/** Undefined unless the text has the expected length and number of records. */
	static open(stored: JsonRecord): SeenSet | undefined {
		const { n, w, m, set } = stored;
		if (typeof set !== 'string' || !isCount(n) || !isCount(w)) return undefined;
		if (w > MAX_VALUE_BITS || (m !== undefined && m !== MARK_BITS)) return undefined;
		const seen = new SeenSet({ n, w, ...(m === undefined ? {} : { m }), set });
		return seen.encoded.isSound() ? seen : undefined;
	}

	static empty(width: number): SeenSet {
		return new SeenSet({ n: 0, w: width, set: '' });
	}

	toText(): SeenText {
		return this.encoded.text;
	}

	/**
	 * The value stored beside the hash (0 if the set stores none); undefined if the hash is
	 * unknown.
	 */
	get(hash: number): number | undefined {
		const index = this.encoded.indexOf(hash);
		return index === undefined ? undefined : this.encoded.valueAt(index);
	}

	/** A new set with these values added or replaced. */
	with(changes: ReadonlyMap<number, number>): SeenSet {
		if (changes.size === 0) return this;
		const text = withChanges(this.encoded, changes, FOUND);
		return text === undefined ? this.merged(changes) : new SeenSet(text);
	}

	/** A new set without these hashes. */
	without(forgotten: ReadonlySet<number>): SeenSet {
		return this.filtered(
			(hash) => !forgotten.has(hash),
			(mark) => mark,
		);
	}

	/** Every hash with its value, in ascending order. */
	entries(): Array<[hash: number, value: number]> {
		const { hashes, values } = this.encoded.decode();
		return Array.from(hashes, (hash, index) => [hash, values[index] ?? 0]);
	}

	/** Marks these records as found; the others keep their marks. */
	markFound(met: (hash: number) => boolean): SeenSet {
		const contents = this.encoded.decode();
		let changed = !this.marked;
		for (let index = 0; index < contents.size; index++) {
			const mark = contents.marks[index] ?? 0;
			if ((mark & FOUND) > 0 || !met(contents.hashes[index] ?? 0)) continue;
			contents.marks[index] = mark | FOUND;
			changed = true;
		}
		return changed ? this.from(contents, true) : this;
	}

	/**
	 * After a complete check: drops the records that neither it nor the previous check has found.
	 */
	withoutTwiceMissed(): SeenSet {
		return this.filtered(
			(_, mark) => (mark & FOUND) > 0 || (mark & MISSED) === 0,
			(mark) => ((mark & FOUND) > 0 ? 0 : MISSED),
		);
	}

	/** Clears all marks (`kept`), or stops storing them. */
	clearMarks(kept: boolean): SeenSet {
		if (!kept && !this.marked) return this;
		const contents = this.encoded.decode();
		return this.from({ ...contents, marks: new Uint8Array(contents.size) }, kept);
	}

	private merged(changes: ReadonlyMap<number, number>): SeenSet {
		const added = [...changes].sort(([left], [right]) => left - right);
		const before = this.encoded.decode();
		const merged = contentsFor(before.size + added.length);
		let size = 0;
		let old = 0;
		/** Takes over all up to here. */
		const keepTo = (end: number): void => {
			merged.hashes.set(before.hashes.subarray(old, end), size);
			merged.values.set(before.values.subarray(old, end), size);
			merged.marks.set(before.marks.subarray(old, end), size);
			size += end - old;
			old = end;
		};
		for (const [hash, value] of added) {
			let next = old;
			while ((before.hashes[next] ?? Infinity) < hash) next++;
			keepTo(next);
			if (before.hashes[old] === hash) old++;
			merged.hashes[size] = hash;
			merged.values[size] = value;
			merged.marks[size++] = FOUND;
		}
		keepTo(before.size);
		return this.from({ ...merged, size });
	}

	private filtered(
		keeps: (hash: number, mark: number) => boolean,
		remark: (mark: number) => number,
	): SeenSet {
		const before = this.encoded.decode();
		const kept = contentsFor(before.size);
		let size = 0;
		before.hashes.forEach((hash, index) => {
			const mark = before.marks[index] ?? 0;
			if (!keeps(hash, mark)) return;
			kept.hashes[size] = hash;
			kept.values[size] = before.values[index] ?? 0;
			kept.marks[size++] = remark(mark);
		});
		return this.from({ ...kept, size });
	}

	private from(contents: Contents, marked = this.marked): SeenSet {
		return new SeenSet(encode(contents, { width: this.width, marked }));
	}
}
