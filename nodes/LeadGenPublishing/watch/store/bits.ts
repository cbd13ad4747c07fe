/**
 * Bit fields. Promise: a value written at a position with a width is read back exactly, for widths
 * up to 52 bits. Little-endian, without gaps.
 */
const POWER = Array.from({ length: 64 }, (_, exponent) => 2 ** exponent);

const { floor, imul } = Math;

const power = (exponent: number): number => POWER[exponent] ?? 0;

/** Past the end, zeros follow. */
export const byteAt = (bytes: Uint8Array, index: number): number => bytes[index] ?? 0;

export const fourBytesAt = (bytes: Uint8Array, index: number): number =>
	byteAt(bytes, index) |
	(byteAt(bytes, index + 1) << 8) |
	(byteAt(bytes, index + 2) << 16) |
	(byteAt(bytes, index + 3) << 24);

export function readBits(bytes: Uint8Array, position: number, width: number): number {
	let index = position >>> 3;
	const shift = position & 7;
	let value = byteAt(bytes, index) >> shift;
	let got = 8 - shift;
	if (got >= width) return value & (power(width) - 1);
	for (; got + 8 < width; got += 8) value += byteAt(bytes, ++index) * power(got);
	return value + (byteAt(bytes, index + 1) & (power(width - got) - 1)) * power(got);
}

export const isOne = (bytes: Uint8Array, position: number): boolean =>
	((byteAt(bytes, position >>> 3) >> (position & 7)) & 1) === 1;

/** The ones in 32 bits. */
export function popcount(value: number): number {
	let x = value - ((value >>> 1) & 0x55555555);
	x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
	return imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Together with up to seven bits that are not written yet, these fit into 31. */
const MAX_STEP = 24;
const MAX_STEP_ONES = 2 ** MAX_STEP - 1;

/** Writes fields one after another, whole bytes at a time: field by field takes five times as long. */
export class BitWriter {
	private pending = 0;
	private pendingBits = 0;

	/** `index`: the byte that the first field begins with. */
	constructor(
		private readonly bytes: Uint8Array,
		private index: number,
	) {}

	write(value: number, width: number): void {
		let rest = value;
		let left = width;
		for (; left > MAX_STEP; left -= MAX_STEP) {
			const higher = floor(rest / power(MAX_STEP));
			this.append(rest - higher * power(MAX_STEP), MAX_STEP);
			rest = higher;
		}
		this.append(rest, left);
	}

	/** Writes these bits of another array. */
	copy(source: Uint8Array, position: number, count: number): void {
		const { bytes, index, pending, pendingBits } = this;
		const left = count % MAX_STEP;
		const steps = (count - left) / MAX_STEP;
		this.pending = copySteps(source, position, bytes, index * 8 + pendingBits, steps, pending);
		this.index = index + (steps * MAX_STEP) / 8;
		this.append(readBits(source, position + count - left, left), left);
	}

	/** Writes the last byte, which need not be full. */
	end(): void {
		if (this.pendingBits > 0) this.bytes[this.index] = this.pending;
	}

	private append(value: number, width: number): void {
		this.pending |= value << this.pendingBits;
		this.pendingBits += width;
		for (; this.pendingBits >= 8; this.pendingBits -= 8) {
			this.bytes[this.index++] = this.pending & 0xff;
			this.pending >>>= 8;
		}
	}
}

/**
 * Copies three bytes at each step, behind pending bits; gives those that are pending then. Not a
 * method: V8 drops what it has compiled for objects of a class when it collects the last of them,
 * and from one poll to the next there is none.
 */
function copySteps(
	source: Uint8Array,
	position: number,
	target: Uint8Array,
	at: number,
	steps: number,
	pendingBefore: number,
): number {
	const [shift, pendingBits] = [position & 7, at & 7];
	let [from, index] = [position >>> 3, at >>> 3];
	let pending = pendingBefore;
	for (let left = steps; left > 0; left -= 1) {
		pending |= ((fourBytesAt(source, from) >>> shift) & MAX_STEP_ONES) << pendingBits;
		target[index] = pending;
		target[index + 1] = pending >>> 8;
		target[index + 2] = pending >>> 16;
		pending >>>= MAX_STEP;
		from += MAX_STEP / 8;
		index += MAX_STEP / 8;
	}
	return pending;
}
