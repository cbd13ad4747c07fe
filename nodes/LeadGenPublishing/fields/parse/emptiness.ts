/**
 * What counts as no value. An expression without a result gives `undefined` or `null`, an empty
 * table cell gives empty or blank text; none of them may be taken for an instruction. Pure.
 */

/** The result of an expression that found nothing. */
export const isMissing = (value: unknown): value is undefined | null =>
	value === undefined || value === null;

/** Missing, or text without a visible character. */
export const isBlank = (value: unknown): boolean =>
	isMissing(value) || (typeof value === 'string' && value.trim() === '');

/** The texts that templates make of missing values. */
const WORDS_FOR_NOTHING = new Set(['null', 'undefined']);

/** A list entry without a value. */
export const isEmptyEntry = (value: unknown): boolean =>
	isBlank(value) || (typeof value === 'string' && WORDS_FOR_NOTHING.has(value.trim()));
