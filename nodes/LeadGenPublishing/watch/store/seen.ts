/**
 * The set of remembered records. Promise: a record that was added is always found again; one that
 * was not is mistaken for a known one less than once in a million lifetimes of a list of 100,000
 * records; a record costs less than 7 characters of stored text (plus its value).
 *
 * Sorted 53-bit hashes in Elias–Fano encoding: the high bits in unary, the low bits side by side.
 * Unlike delta codes it is searched in place: a poll that looks up 200 IDs decodes 200 entries, not
 * 100,000. Bloom filters are smaller, but their false positives would be lost leads.
 */
import { readBits, writeBits } from './bits';

const HASH_BITS = 53;
/** Local variables: in n8n's sandbox, every access to a global is slow. */
const { ceil, floor, imul } = Math;

export interface SeenText {
	n: number;
	/**
	 * Bits of the value beside each hash, up to 52: 0 for none, 1 for a flag, more for a
	 * fingerprint.
	 */
	w: number;
	/**
	 * Bits of the marks beside each hash, while it is tracked which records are still in the list.
	 */
	m?: number;
	set: string;
}

/** Two flags: found by the current check, and missed by the previous one. */
const MARK_BITS = 2;
const FOUND = 1;
const MISSED = 2;

interface Contents {
	hashes: Float64Array;
	values: Float64Array;
	marks: Uint8Array;
	size: number;
}

const lowWidth = (size: number): number =>
	Math.min(52, Math.max(0, floor(HASH_BITS - Math.log2(size))));

function popcount(value: number): number {
	let x = value - ((value >>> 1) & 0x55555555);
	x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
	return imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export class SeenSet {
	readonly size: number;
	readonly width: number;
	/** Whether marks are stored. */
	readonly marked: boolean;
	private readonly low: number;
	/** Where each part begins, in bits. */
	private readonly lowAt: number;
	private readonly valueAt: number;
	private readonly markAt: number;
	private bytes: Uint8Array | undefined;
	/** Zeros of the unary part before each 32-bit word: an index to the buckets. */
	private zerosBefore: Uint32Array | undefined;

	constructor(private readonly text: SeenText) {
		this.size = text.n;
		this.width = text.w;
		this.marked = text.m === MARK_BITS;
		this.low = lowWidth(Math.max(1, text.n));
		const unary = text.n + 2 ** (HASH_BITS - this.low);
		this.lowAt = ceil(unary / 32) * 32;
		this.valueAt = this.lowAt + text.n * this.low;
		this.markAt = this.valueAt + text.n * text.w;
	}

	/** Undefined unless the text has the expected length and number of records. */
	static open(stored: Readonly<Record<string, unknown>>): SeenSet | undefined {
		const { n, w, m, set } = stored;
		if (typeof set !== 'string' || typeof n !== 'number' || typeof w !== 'number') return undefined;
		// Each record takes more than one character, which bounds `n`.
		if (!Number.isSafeInteger(n) || n < 0 || n > set.length) return undefined;
		if (!Number.isSafeInteger(w) || w < 0 || w > 52) return undefined;
		if (m !== undefined && m !== MARK_BITS) return undefined;
		const seen = new SeenSet({ n, w, ...(m === undefined ? {} : { m }), set });
		return seen.holdsItsSize() ? seen : undefined;
	}

	private holdsItsSize(): boolean {
		const { set } = this.text;
		if (set.length !== ceil((this.byteLength * 8) / 6)) return false;
		if (this.size === 0) return true;
		const zeros = (this.zerosBefore ??= this.countZeros());
		const last = zeros.length - 1;
		return this.lowAt - ((zeros[last] ?? 0) + 32 - this.onesOf(last)) === this.size;
	}

	private get byteLength(): number {
		if (this.size === 0) return 0;
		return ceil((this.markAt + (this.marked ? this.size * MARK_BITS : 0)) / 8);
	}

	static empty(width: number): SeenSet {
		return new SeenSet({ n: 0, w: width, set: '' });
	}

	toText(): SeenText {
		return this.text;
	}

	/**
	 * The value stored beside the hash (0 if the set stores none); undefined if the hash is
	 * unknown.
	 */
	get(hash: number): number | undefined {
		if (this.size === 0) return undefined;
		const bytes = this.load();
		const bucket = floor(hash / 2 ** this.low);
		const wanted = hash - bucket * 2 ** this.low;
		let position = this.bucketStart(bucket);
		while (((bytes[position >>> 3] ?? 0) >> (position & 7)) & 1) {
			const index = position - bucket;
			const found = readBits(bytes, this.lowAt + index * this.low, this.low);
			if (found === wanted) return this.valueOf(index);
			if (found > wanted) return undefined;
			position++;
		}
		return undefined;
	}

	/** A new set with these values added or replaced. */
	with(changes: ReadonlyMap<number, number>): SeenSet {
		if (changes.size === 0) return this;
		const added = [...changes.keys()].sort((left, right) => left - right);
		const before = this.all();
		const merged = contentsFor(before.size + added.length);
		let size = 0;
		let old = 0;
		const put = (hash: number, value: number, mark: number): void => {
			merged.hashes[size] = hash;
			merged.values[size] = value;
			merged.marks[size++] = mark;
		};
		const keep = (): void => {
			put(before.hashes[old] ?? 0, before.values[old] ?? 0, before.marks[old] ?? 0);
			old++;
		};
		for (const hash of added) {
			while (old < before.size && (before.hashes[old] ?? 0) < hash) keep();
			if (before.hashes[old] === hash) old++;
			put(hash, changes.get(hash) ?? 0, FOUND);
		}
		while (old < before.size) keep();
		return this.encode({ ...merged, size }, this.marked);
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
		const { hashes, values } = this.all();
		return Array.from(hashes, (hash, index) => [hash, values[index] ?? 0]);
	}

	/** Marks these records as found; the others keep their marks. */
	markFound(met: (hash: number) => boolean): SeenSet {
		const contents = this.all();
		let changed = !this.marked;
		for (let index = 0; index < contents.size; index++) {
			const mark = contents.marks[index] ?? 0;
			if ((mark & FOUND) > 0 || !met(contents.hashes[index] ?? 0)) continue;
			contents.marks[index] = mark | FOUND;
			changed = true;
		}
		return changed ? this.encode(contents, true) : this;
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

	private filtered(
		keeps: (hash: number, mark: number) => boolean,
		remark: (mark: number) => number,
	): SeenSet {
		const before = this.all();
		const kept = contentsFor(before.size);
		let size = 0;
		before.hashes.forEach((hash, index) => {
			const mark = before.marks[index] ?? 0;
			if (!keeps(hash, mark)) return;
			kept.hashes[size] = hash;
			kept.values[size] = before.values[index] ?? 0;
			kept.marks[size++] = remark(mark);
		});
		return this.encode({ ...kept, size }, this.marked);
	}

	/** Clears all marks (`kept`), or stops storing them. */
	clearMarks(kept: boolean): SeenSet {
		if (!kept && !this.marked) return this;
		const contents = this.all();
		return this.encode({ ...contents, marks: new Uint8Array(contents.size) }, kept);
	}

	private encode(sorted: Contents, marked: boolean): SeenSet {
		const { size } = sorted;
		const { width } = this;
		const marks = marked ? { m: MARK_BITS } : {};
		const shape = new SeenSet({ n: size, w: width, ...marks, set: '' });
		const bytes = new Uint8Array(shape.byteLength);
		const scale = 2 ** shape.low;
		for (let index = 0; index < size; index++) {
			const hash = sorted.hashes[index] ?? 0;
			const bucket = floor(hash / scale);
			const unary = index + bucket;
			bytes[unary >>> 3] = (bytes[unary >>> 3] ?? 0) | (1 << (unary & 7));
			const write = (position: number, bits: number, value: number): void =>
				writeBits(bytes, { position: position + index * bits, width: bits, value });
			write(shape.lowAt, shape.low, hash - bucket * scale);
			if (width > 0) write(shape.valueAt, width, sorted.values[index] ?? 0);
			if (marked) write(shape.markAt, MARK_BITS, sorted.marks[index] ?? 0);
		}
		const set = Buffer.from(bytes.buffer).toString('base64').replace(/=+$/, '');
		return new SeenSet({ n: size, w: width, ...marks, set });
	}

	private all(): Contents {
		const contents = contentsFor(this.size);
		const bytes = this.load();
		const scale = 2 ** this.low;
		let index = 0;
		for (let position = 0; index < this.size && position < this.lowAt; position++) {
			if (!(((bytes[position >>> 3] ?? 0) >> (position & 7)) & 1)) continue;
			const low = readBits(bytes, this.lowAt + index * this.low, this.low);
			contents.hashes[index] = (position - index) * scale + low;
			contents.values[index] = this.valueOf(index);
			if (this.marked) {
				contents.marks[index] = readBits(bytes, this.markAt + index * MARK_BITS, MARK_BITS);
			}
			index++;
		}
		return contents;
	}

	private valueOf(index: number): number {
		if (this.width === 0) return 0;
		return readBits(this.load(), this.valueAt + index * this.width, this.width);
	}

	private load(): Uint8Array {
		this.bytes ??= Buffer.from(this.text.set, 'base64');
		return this.bytes;
	}

	/** The bit after the closing zero of the previous bucket. */
	private bucketStart(bucket: number): number {
		if (bucket === 0) return 0;
		const zeros = (this.zerosBefore ??= this.countZeros());
		let from = 0;
		let to = zeros.length - 1;
		while (from < to) {
			const middle = (from + to + 1) >>> 1;
			if ((zeros[middle] ?? 0) < bucket) from = middle;
			else to = middle - 1;
		}
		const bytes = this.load();
		let left = bucket - (zeros[from] ?? 0);
		let position = from * 32;
		while (left > 0 && position < this.lowAt) {
			if (!(((bytes[position >>> 3] ?? 0) >> (position & 7)) & 1)) left--;
			position++;
		}
		return position;
	}

	private countZeros(): Uint32Array {
		const words = this.lowAt / 32;
		const zeros = new Uint32Array(words);
		let total = 0;
		for (let word = 0; word < words; word++) {
			zeros[word] = total;
			total += 32 - this.onesOf(word);
		}
		return zeros;
	}

	private onesOf(word: number): number {
		const bytes = this.load();
		const at = word * 4;
		return popcount(
			(bytes[at] ?? 0) |
				((bytes[at + 1] ?? 0) << 8) |
				((bytes[at + 2] ?? 0) << 16) |
				((bytes[at + 3] ?? 0) << 24),
		);
	}
}

const contentsFor = (size: number): Contents => ({
	hashes: new Float64Array(size),
	values: new Float64Array(size),
	marks: new Uint8Array(size),
	size,
});
