/**
 * Checks the value of a parameter before it becomes JSON. An expression without a result returns
 * `undefined` or `null`, and an empty table cell is empty or blank text. None of them may count as
 * an instruction. Pure.
 */
import { isRecord } from '../api/schemas';

/**
 * The result of an expression that found nothing. A calculation with nothing returns NaN, which
 * would become `null` in JSON, so that the service would erase a field.
 */
export const isMissing = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'number' && !Number.isFinite(value));

const INVISIBLE = /^[\s\u200b-\u200f\u2060\ufeff]*$/;

/** Missing, or text without a visible character. */
export const isBlank = (value: unknown): boolean =>
	isMissing(value) || (typeof value === 'string' && INVISIBLE.test(value));

/**
 * n8n evaluates expressions in an isolate. A Luxon date leaves it as a marker object, which n8n does
 * not convert back into a date everywhere. `iso` has its offset, and is missing for an invalid date.
 */
export function transferredDate(value: unknown): { readonly iso?: string } | undefined {
	if (!isRecord(value) || value.__n8nType !== 'DateTime') return undefined;
	return typeof value.__isoString === 'string' ? { iso: value.__isoString } : {};
}

/**
 * The same JSON with such dates as ISO text, as the `toJSON` of a date would write them. Invalid
 * dates stay.
 */
export function withDatesAsText(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withDatesAsText);
	if (!isRecord(value)) return value;
	const date = transferredDate(value);
	if (date !== undefined) return date.iso ?? value;
	// Dates, and anything else with a `toJSON`.
	if (typeof value.toJSON === 'function') return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [name, withDatesAsText(inner)]),
	);
}

type Words = readonly [problem: string, remedy: string];

/**
 * The first value that JSON would change, what is wrong with it, and the remedy. An invalid date or
 * number would become `null` and erase a field. A whole number that is too long would get other
 * digits.
 */
export function flawIn(value: unknown, path = ''): Words | undefined {
	if (isNothingInJson(value)) {
		const where = path === '' ? '' : ` for "${path}", or leave that out`;
		return [
			'contains a date or a number that is not valid',
			`Check what its expression returns${where}.`,
		];
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value))
		return ['contains a whole number that is too long to be sent exactly', 'Write it in quotes.'];
	if (typeof value !== 'object' || value === null || writesItself(value)) return undefined;
	for (const [name, inner] of Object.entries(value)) {
		const step = Array.isArray(value) ? `[${name}]` : `${path && '.'}${name}`;
		const flaw = flawIn(inner, path + step);
		if (flaw !== undefined) return flaw;
	}
	return undefined;
}

function isNothingInJson(value: unknown): boolean {
	if (typeof value === 'number') return !Number.isFinite(value);
	const date = transferredDate(value);
	if (date !== undefined) return date.iso === undefined;
	return writesItself(value) && value.toJSON() === null;
}

/** Dates, also those of Luxon and of another copy of their class. */
export const writesItself = (value: unknown): value is { toJSON(): unknown } =>
	isRecord(value) && typeof value.toJSON === 'function';
