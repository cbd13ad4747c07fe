/** Compares words that people write, ignoring case and Unicode composition. Pure. */

/**
 * The form of a text that is compared. Upper case comes last, because "ß" and "ss" or "ς" and "σ"
 * are only the same in upper case.
 */
export const folded = (text: string): string =>
	isAscii(text)
		? text.toUpperCase().trim()
		: text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC').trim();

/** Most texts are ASCII, and thousands of them are compared. */
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

export const isSameWord = (value: unknown, wanted: string): boolean =>
	typeof value === 'string' && folded(value) === folded(wanted);
