/**
 * What counts as no value. An expression without a result gives `undefined` or `null`, an empty
 * table cell gives empty or blank text; none of them may be taken for an instruction. Pure.
 */

/**
 * The result of an expression that found nothing. A calculation with nothing gives NaN, of which
 * JSON would make `null`, and the service would erase a field.
 */
export const isMissing = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'number' && !Number.isFinite(value));

const INVISIBLE = /^[\s\u200b-\u200f\u2060\ufeff]*$/;

/** Missing, or text without a visible character. */
export const isBlank = (value: unknown): boolean =>
	isMissing(value) || (typeof value === 'string' && INVISIBLE.test(value));

/** The texts that templates make of missing values. */
const WORDS_FOR_NOTHING = new Set(['null', 'undefined']);

/** A list entry without a value. */
export const isEmptyEntry = (value: unknown): boolean =>
	isBlank(value) || (typeof value === 'string' && WORDS_FOR_NOTHING.has(value.trim()));
