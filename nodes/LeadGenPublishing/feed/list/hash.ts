/**
 * The same text always gives the same number. Two texts, however alike, should have the same 53
 * bits no more often than by chance (2^-53).
 *
 * Two 32-bit lanes, each reversible per character, and a reversible mix at the end: none of the 64
 * bits of state is lost before the last step keeps 53 of them. This is neither secret nor a
 * signature.
 */
import { createHash } from 'crypto';

const mix = (value: number): number => {
	let x = value ^ (value >>> 16);
	x = Math.imul(x, 0x85ebca6b);
	x ^= x >>> 13;
	x = Math.imul(x, 0xc2b2ae35);
	return x ^ (x >>> 16);
};

const HASH_BITS = 53;

/** 53 bits, the most that a double holds exactly. */
export function hash53(text: string, seed = 0): number {
	let a = 0x243f6a88 ^ seed;
	let b = 0x13198a2e ^ Math.imul(seed, 0x9e3779b1);
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		a = Math.imul(a ^ code, 0x9e3779b1);
		a = (a << 13) | (a >>> 19);
		b = Math.imul(b ^ code, 0x27d4eb2f);
		b = (b << 17) | (b >>> 15);
	}
	a ^= text.length;
	a ^= mix(b);
	b ^= mix(a);
	a ^= mix((b + 0x7f4a7c15) | 0);
	b ^= mix((a + 0x3c6ef372) | 0);
	return (a >>> 0) * 0x200000 + (b >>> 11);
}

/** The 64 characters in which hashes are stored, ascending: texts compare like their numbers. */
export const DIGITS = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** Two characters at a time: this runs for every record of every list that is read. */
const PAIRS = [...DIGITS].flatMap((high) => [...DIGITS].map((low) => high + low));

/** A whole number in so many characters, with leading zeros. */
export function spell(value: number, width: number): string {
	let text = '';
	let left = value;
	for (let missing = width; missing > 0; missing -= 2) {
		const further = Math.floor(left / PAIRS.length);
		text = (PAIRS[left - further * PAIRS.length] ?? '') + text;
		left = further;
	}
	// An odd width has one character too many.
	return text.slice(-width);
}

/** The number that `spell` has written. */
export const unspell = (text: string): number =>
	[...text].reduce((sum, sign) => sum * DIGITS.length + DIGITS.indexOf(sign), 0);

/** The first bits of a hash, six for each character. */
export const hashText = (text: string, width: number, seed: number): string =>
	spell(Math.floor(hash53(text, seed) / 2 ** (HASH_BITS - 6 * width)), width);

/** A digest from which the text cannot be derived. */
export const digestOf = (text: string, length: number): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, length);
