/**
 * Finds what JSON would change on its way: it makes `null` of a date or a number that is none, which
 * erases a field, and other digits of a whole number that is too long. Pure.
 */
import { isRecord } from '../../api/schemas';
import { transferredDate } from './transferred';

type Words = readonly [problem: string, remedy: string];

export const NOT_JSON: Words = [
	'is not valid JSON',
	'Check brackets, commas and quotes; names need double quotes.',
];

/** What is wrong with the first such value, and the remedy. */
export function flawIn(value: unknown, path = ''): Words | undefined {
	if (isNothingInJson(value)) {
		return [
			'holds a date or a number that is not valid',
			path === ''
				? 'Check what its expression gives.'
				: `Check what its expression gives for "${path}", or leave that out.`,
		];
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value))
		return ['holds a whole number too long to be sent exactly', 'Write it in quotes.'];
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
const writesItself = (value: unknown): value is { toJSON(): unknown } =>
	isRecord(value) && typeof value.toJSON === 'function';
