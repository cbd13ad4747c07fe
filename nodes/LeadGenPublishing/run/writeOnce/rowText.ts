/**
 * The text of a row, which encodes each value of a record as its difference from the same value of the previous record: nothing,
 * a difference of numbers or times, or the part between a common beginning and end. Pure.
 */
import { indexOfNumber, MAX_KNOWN, numberOf } from './packedText';

const BETWEEN_FIELDS = '|';
export const BETWEEN_ROWS = '^';
const RESERVED = /[%|^]/g;
const MAX_SHARED = MAX_KNOWN - 1;

/** What does not follow from the row before. */
export interface RowHead {
	readonly item?: number;
	readonly shape?: number;
	readonly check?: string;
}

/** Matches from the start, because each part may be missing. */
const HEAD = /(?:@([0-9a-z]+):)?(?:#([0-9a-z]+):)?(?:!(...))?(.*)/s;

export const rowText = ({ item, shape, check }: RowHead, fields: readonly string[]): string =>
	[
		item === undefined ? '' : `@${item.toString(36)}:`,
		shape === undefined ? '' : `#${shape.toString(36)}:`,
		check === undefined ? '' : `!${check}`,
		fields.join(BETWEEN_FIELDS).replace(/\|+$/, ''),
		BETWEEN_ROWS,
	].join('');

/** Empty fields at the end are left out. */
export function rowFrom(text: string): RowHead & { fields: string[] } {
	const [, item, shape, check, body = ''] = HEAD.exec(text) ?? [];
	return {
		...(item === undefined ? {} : { item: parseInt(item, 36) }),
		...(shape === undefined ? {} : { shape: parseInt(shape, 36) }),
		...(check === undefined ? {} : { check }),
		fields: body.split(BETWEEN_FIELDS),
	};
}

export function fieldOf(value: string, before: string): string {
	if (value === before) return '';
	const step = stepBetween(before, value);
	const changed = changedPart(value, before);
	return step === undefined || step.length > changed.length ? changed : step;
}

export function valueOf(field: string, before: string): string {
	if (field === '') return before;
	if (/^[+-]/.test(field)) return afterStep(before, parseInt(field, 36));
	const start = before.slice(0, indexOfNumber(field.charAt(0)));
	const end = indexOfNumber(field.charAt(1));
	const middle = field
		.slice(2)
		.replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return start + middle + before.slice(before.length - end);
}

function changedPart(value: string, before: string): string {
	const maxLength = Math.min(value.length, before.length);
	let start = 0;
	while (start < Math.min(maxLength, MAX_SHARED) && value[start] === before[start]) start += 1;
	let end = 0;
	while (
		end < Math.min(maxLength - start, MAX_SHARED) &&
		value.at(-1 - end) === before.at(-1 - end)
	)
		end += 1;
	const middle = value
		.slice(start, value.length - end)
		.replace(RESERVED, (found) => `%${found.charCodeAt(0).toString(16)}`);
	return numberOf(start) + numberOf(end) + middle;
}

const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const isTime = (text: string): boolean =>
	!Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

function stepBetween(before: string, value: string): string | undefined {
	const step =
		INTEGER.test(before) && INTEGER.test(value)
			? Number(value) - Number(before)
			: isTime(before) && isTime(value)
				? Date.parse(value) - Date.parse(before)
				: undefined;
	if (step === undefined) return undefined;
	// It always begins with a sign, which tells it from a changed part.
	return step.toString(36).replace(/^(?=\w)/, '+');
}

const afterStep = (before: string, step: number): string =>
	INTEGER.test(before)
		? String(Number(before) + step)
		: new Date(Date.parse(before) + step).toISOString();
