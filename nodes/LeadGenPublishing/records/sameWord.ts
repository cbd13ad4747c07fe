/** Compares words that people write: upper and lower case, and composed and other letters, are the same. Pure. */

/**
 * A text in the form in which it is compared. Upper case comes last, because "ß" and "ss" or "ς" and
 * "σ" are the same only in upper case.
 */
export const folded = (text: string): string =>
	isAscii(text)
		? text.toUpperCase().trim()
		: text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC').trim();

/** Most texts are, and thousands of them are compared. */
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

export const isSameWord = (value: unknown, wanted: string): boolean =>
	typeof value === 'string' && folded(value) === folded(wanted);
