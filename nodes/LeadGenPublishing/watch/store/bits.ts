/**
 * Bit fields. Promise: a value written at a position with a width is read back exactly, for widths
 * up to 52 bits. Little-endian, without gaps.
 */
const POWER = Array.from({ length: 64 }, (_, exponent) => 2 ** exponent);

const { min } = Math;

const power = (exponent: number): number => POWER[exponent] ?? 0;

export function readBits(bytes: Uint8Array, position: number, width: number): number {
	let index = position >>> 3;
	const shift = position & 7;
	let value = (bytes[index] ?? 0) >> shift;
	let got = 8 - shift;
	if (got >= width) return value & (power(width) - 1);
	while (got + 8 <= width) {
		value += (bytes[++index] ?? 0) * power(got);
		got += 8;
	}
	const left = width - got;
	if (left > 0) value += ((bytes[index + 1] ?? 0) & (power(left) - 1)) * power(got);
	return value;
}

/** The target bits must be zero: a set is always written anew, never patched. */
export function writeBits(
	bytes: Uint8Array,
	{ position, width, value }: { position: number; width: number; value: number },
): void {
	let index = position >>> 3;
	let rest = value;
	let room = 8 - (position & 7);
	let left = width;
	while (left > 0) {
		const take = min(room, left);
		const low = rest % power(take);
		bytes[index] = (bytes[index] ?? 0) | (low << (8 - room));
		rest = (rest - low) / power(take);
		left -= take;
		room = 8;
		index++;
	}
}
