/**
 * Promise: a record that was put in is found again, always; one that was not put in is taken for
 * known less than once in a million lives of a 100,000-record list; a record costs less than
 * 7 characters of stored text (and its value's width on top).
 *
 * 53-bit hashes in Elias–Fano order: the high bits in unary, the low bits side by side. Unlike
 * delta codes this is searched where it lies: a poll that looks up 200 ids decodes 200 places, not
 * 100,000. Filters of the Bloom kind are smaller, but their false positives are lost leads.
 */
import { readBits, writeBits } from './bits';

const HASH_BITS = 53;
/** Taken out of the global once: in a sandbox every look-up of a global is a search. */
const { ceil, floor, imul } = Math;

export interface SeenText {
	n: number;
	/** Bits of value beside each hash, up to 52: 0 nothing, 1 a flag, more a fingerprint. */
	w: number;
	set: string;
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
	private readonly low: number;
	/** Where each part begins, in bits. */
	private readonly lowAt: number;
	private readonly valueAt: number;
	private bytes: Uint8Array | undefined;
	/** Zeros of the unary part before each 32-bit word: the way to a bucket without reading on. */
	private zerosBefore: Uint32Array | undefined;

	constructor(private readonly text: SeenText) {
		this.size = text.n;
		this.width = text.w;
		this.low = lowWidth(Math.max(1, text.n));
		const unary = text.n + 2 ** (HASH_BITS - this.low);
		this.lowAt = ceil(unary / 32) * 32;
		this.valueAt = this.lowAt + text.n * this.low;
	}

	static empty(width: number): SeenSet {
		return new SeenSet({ n: 0, w: width, set: '' });
	}

	toText(): SeenText {
		return this.text;
	}

	/** The value kept beside the hash (0 where the set keeps none), or undefined if unknown. */
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
		const { hashes, values } = this.all();
		const mergedHashes = new Float64Array(hashes.length + added.length);
		const mergedValues = new Float64Array(hashes.length + added.length);
		let size = 0;
		let old = 0;
		const put = (hash: number, value: number): void => {
			mergedHashes[size] = hash;
			mergedValues[size++] = value;
		};
		for (const hash of added) {
			while (old < hashes.length && (hashes[old] ?? 0) < hash) {
				put(hashes[old] ?? 0, values[old++] ?? 0);
			}
			if (hashes[old] === hash) old++;
			put(hash, changes.get(hash) ?? 0);
		}
		while (old < hashes.length) put(hashes[old] ?? 0, values[old++] ?? 0);
		return SeenSet.encode({ hashes: mergedHashes, values: mergedValues, size, width: this.width });
	}

	/** A new set that has never met these. */
	without(forgotten: ReadonlySet<number>): SeenSet {
		const { hashes, values } = this.all();
		let size = 0;
		hashes.forEach((hash, index) => {
			if (forgotten.has(hash)) return;
			hashes[size] = hash;
			values[size++] = values[index] ?? 0;
		});
		if (size === this.size) return this;
		return SeenSet.encode({ hashes, values, size, width: this.width });
	}

	/** Every hash with its value, in ascending order. */
	entries(): Array<[hash: number, value: number]> {
		const { hashes, values } = this.all();
		return Array.from(hashes, (hash, index) => [hash, values[index] ?? 0]);
	}

	private static encode(sorted: {
		hashes: Float64Array;
		values: Float64Array;
		size: number;
		width: number;
	}): SeenSet {
		const { size, width } = sorted;
		const shape = new SeenSet({ n: size, w: width, set: '' });
		const bytes = new Uint8Array(ceil((shape.valueAt + size * width) / 8));
		const scale = 2 ** shape.low;
		for (let index = 0; index < size; index++) {
			const hash = sorted.hashes[index] ?? 0;
			const bucket = floor(hash / scale);
			const unary = index + bucket;
			bytes[unary >>> 3] = (bytes[unary >>> 3] ?? 0) | (1 << (unary & 7));
			const lowPosition = shape.lowAt + index * shape.low;
			writeBits(bytes, { position: lowPosition, width: shape.low, value: hash - bucket * scale });
			if (width > 0) {
				const position = shape.valueAt + index * width;
				writeBits(bytes, { position, width, value: sorted.values[index] ?? 0 });
			}
		}
		const set = Buffer.from(bytes.buffer).toString('base64').replace(/=+$/, '');
		return new SeenSet({ n: size, w: width, set });
	}

	private all(): { hashes: Float64Array; values: Float64Array } {
		const hashes = new Float64Array(this.size);
		const values = new Float64Array(this.size);
		const bytes = this.load();
		const scale = 2 ** this.low;
		let index = 0;
		for (let position = 0; index < this.size && position < this.lowAt; position++) {
			if (!(((bytes[position >>> 3] ?? 0) >> (position & 7)) & 1)) continue;
			const low = readBits(bytes, this.lowAt + index * this.low, this.low);
			hashes[index] = (position - index) * scale + low;
			values[index] = this.valueOf(index);
			index++;
		}
		return { hashes, values };
	}

	private valueOf(index: number): number {
		if (this.width === 0) return 0;
		return readBits(this.load(), this.valueAt + index * this.width, this.width);
	}

	private load(): Uint8Array {
		this.bytes ??= Buffer.from(this.text.set, 'base64');
		return this.bytes;
	}

	/** The bit after the bucket's predecessor's closing zero. */
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
		const bytes = this.load();
		const words = this.lowAt / 32;
		const zeros = new Uint32Array(words);
		let total = 0;
		for (let word = 0; word < words; word++) {
			zeros[word] = total;
			const at = word * 4;
			const bits =
				(bytes[at] ?? 0) |
				((bytes[at + 1] ?? 0) << 8) |
				((bytes[at + 2] ?? 0) << 16) |
				((bytes[at + 3] ?? 0) << 24);
			total += 32 - popcount(bits);
		}
		return zeros;
	}
}
