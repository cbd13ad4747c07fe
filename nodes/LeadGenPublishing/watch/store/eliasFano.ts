/**
 * Sorted hashes as one text, which is searched in place: Elias–Fano, that is the high bits in unary
 * and the low bits side by side; then a value and marks per hash. Promise: what was encoded is found
 * and decoded exactly.
 *
 * The plain alternative, sorted hashes of seven bytes each, needs a third of this code. For 100,000
 * records it takes 9.33 characters each instead of 6.39, that is 933 kB of text instead of 639 kB,
 * which n8n parses and stores as a whole; and it saves no time: written in 6 ms instead of 4, read
 * in 2 instead of 4, and 400 records looked up in 0.3 ms either way.
 */
import { BitWriter, byteAt, fourBytesAt, isOne, popcount, readBits } from './bits';

export const HASH_BITS = 53;
/** Local variables: in n8n's sandbox, every access to a global is slow. */
const { ceil, floor, log2, min } = Math;

/** As stored. */
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

export const MARK_BITS = 2;
export const MAX_VALUE_BITS = 52;

/** In ascending order of the hashes. */
export interface Contents {
	hashes: Float64Array;
	values: Float64Array;
	marks: Uint8Array;
	size: number;
}

export const contentsFor = (size: number): Contents => ({
	hashes: new Float64Array(size),
	values: new Float64Array(size),
	marks: new Uint8Array(size),
	size,
});

/** Where each part begins, in bits. */
export interface Layout {
	/** Bits per hash in the part with the low bits. */
	low: number;
	lowAt: number;
	valueAt: number;
	markAt: number;
	bytes: number;
}

export function layoutOf({ n, w, m = 0 }: Omit<SeenText, 'set'>): Layout {
	const low = min(52, floor(HASH_BITS - log2(n)));
	// Whole words, which the index counts.
	const lowAt = ceil((n + 2 ** (HASH_BITS - low)) / 32) * 32;
	const valueAt = lowAt + n * low;
	const markAt = valueAt + n * w;
	return { low, lowAt, valueAt, markAt, bytes: n === 0 ? 0 : ceil((markAt + n * m) / 8) };
}

export function encode(
	{ hashes, values, marks, size }: Contents,
	{ width, marked }: { width: number; marked: boolean },
): SeenText {
	const shape = { n: size, w: width, ...(marked ? { m: MARK_BITS } : {}) };
	const layout = layoutOf(shape);
	const bytes = new Uint8Array(layout.bytes);
	const scale = 2 ** layout.low;
	const writer = new BitWriter(bytes, layout.lowAt / 8);
	for (let index = 0; index < size; index++) {
		const hash = hashes[index] ?? 0;
		const bucket = floor(hash / scale);
		const unary = index + bucket;
		bytes[unary >>> 3] = byteAt(bytes, unary >>> 3) | (1 << (unary & 7));
		writer.write(hash - bucket * scale, layout.low);
	}
	for (let index = 0; index < size; index++) writer.write(values[index] ?? 0, width);
	if (marked) for (let index = 0; index < size; index++) writer.write(marks[index] ?? 0, MARK_BITS);
	writer.end();
	return textOf(shape, bytes);
}

/** In base64, without the padding. */
const charactersFor = (bytes: number): number => ceil((bytes * 8) / 6);

export const textOf = (shape: Omit<SeenText, 'set'>, bytes: Uint8Array): SeenText => ({
	...shape,
	set: Buffer.from(bytes.buffer).toString('base64').slice(0, charactersFor(bytes.length)),
});

export class EncodedHashes {
	private readonly layout: Layout;
	private bytes: Uint8Array | undefined;
	/** Zeros of the unary part before each 32-bit word: an index to the buckets. */
	private zerosBefore: Uint32Array | undefined;

	constructor(readonly text: SeenText) {
		this.layout = layoutOf(text);
	}

	/** Whether the text has the length that its number of records needs, and holds so many. */
	isSound(): boolean {
		const { n, set } = this.text;
		if (set.length !== charactersFor(this.layout.bytes)) return false;
		const zeros = this.zeros();
		const last = zeros.length - 1;
		const ones = popcount(fourBytesAt(this.load(), last * 4));
		return this.layout.lowAt - ((zeros[last] ?? 0) + 32 - ones) === n;
	}

	/** Its place in the ascending order; undefined if it is not there. */
	indexOf(hash: number): number | undefined {
		const { index, known } = this.placeOf(hash);
		return known ? index : undefined;
	}

	/** How many hashes are smaller, and whether it is there. */
	placeOf(hash: number): { index: number; known: boolean } {
		const bytes = this.load();
		const { low, lowAt } = this.layout;
		const bucket = floor(hash / 2 ** low);
		const wanted = hash - bucket * 2 ** low;
		let position = this.bucketStart(bucket);
		for (; isOne(bytes, position); position++) {
			const index = position - bucket;
			const found = readBits(bytes, lowAt + index * low, low);
			if (found >= wanted) return { index, known: found === wanted };
		}
		return { index: position - bucket, known: false };
	}

	/** The value stored beside a hash, 0 if none is stored. */
	valueAt(index: number): number {
		const { w } = this.text;
		return readBits(this.load(), this.layout.valueAt + index * w, w);
	}

	decode(): Contents {
		const { n, m = 0 } = this.text;
		const { low, lowAt, markAt } = this.layout;
		const contents = contentsFor(n);
		const bytes = this.load();
		const scale = 2 ** low;
		let index = 0;
		for (let position = 0; position < lowAt; position++) {
			if (!isOne(bytes, position)) continue;
			const lowBits = readBits(bytes, lowAt + index * low, low);
			contents.hashes[index] = (position - index) * scale + lowBits;
			contents.values[index] = this.valueAt(index);
			contents.marks[index] = readBits(bytes, markAt + index * m, m);
			index++;
		}
		return contents;
	}

	load(): Uint8Array {
		this.bytes ??= Buffer.from(this.text.set, 'base64');
		return this.bytes;
	}

	/** The bit after the closing zero of the previous bucket. */
	private bucketStart(bucket: number): number {
		const zeros = this.zeros();
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
		for (; left > 0; position++) if (!isOne(bytes, position)) left--;
		return position;
	}

	private zeros(): Uint32Array {
		this.zerosBefore ??= countZeros(this.load(), this.layout.lowAt / 32);
		return this.zerosBefore;
	}
}

/** Before each word. Not a method, for the reason that `copySteps` has. */
function countZeros(bytes: Uint8Array, words: number): Uint32Array {
	const zeros = new Uint32Array(words);
	let total = 0;
	for (let word = 0; word < words; word++) {
		zeros[word] = total;
		total += 32 - popcount(fourBytesAt(bytes, word * 4));
	}
	return zeros;
}
