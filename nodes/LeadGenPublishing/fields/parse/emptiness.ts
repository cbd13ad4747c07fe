/**
 * What counts as nothing. An expression that finds nothing gives `undefined` or `null`, a table
 * cell gives empty text or blanks; none of them may be taken for an order. Pure.
 */

/** An expression found nothing. */
export const isMissing = (value: unknown): value is undefined | null =>
	value === undefined || value === null;

/** Missing, or text without a visible character. */
export const isBlank = (value: unknown): boolean =>
	isMissing(value) || (typeof value === 'string' && value.trim() === '');

/** What a missing value turns into when a template makes text of it. */
const WORDS_FOR_NOTHING = new Set(['null', 'undefined']);

/** An entry of a list that stands for nothing. */
export const isEmptyEntry = (value: unknown): boolean =>
	isBlank(value) || (typeof value === 'string' && WORDS_FOR_NOTHING.has(value.trim()));
