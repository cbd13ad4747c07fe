/**
 * From parameters to the body of a post or a lead magnet: rows that lead from a parameter to a
 * field, and an error that leads back from the field to the parameter it came from. Pure.
 */
import type { InputError } from '../api/failure';
import type { JsonRecord } from '../api/schemas';
import { readCustomFields, withCustomFields } from '../fields/customFields';
import { isBlank, isMissing } from '../fields/parse/emptiness';
import type { Values } from '../fields/values';

export interface FieldRow<Context> {
	readonly name: string;
	readonly field: string;
	readonly read: (values: Values, name: string, context: Context) => unknown;
	/** What an emptied parameter sends; the record cannot be without a field that has none. */
	readonly empty?: unknown;
}

export interface FieldGroup {
	readonly values: Values;
	readonly names: readonly string[];
	/** Parameters that may not be empty. */
	readonly required?: readonly string[];
	/** Whether an empty parameter removes what the record has, or counts as not given. */
	readonly emptyRemoves: boolean;
}

export interface RequestBody {
	readonly body: JsonRecord;
	/** Whether the user has written the field in the service's own terms. */
	readonly isCustom: (field: string) => boolean;
	/** An error that names the parameter from which this field comes. */
	readonly fail: (field: string, problem: string, remedy?: string) => InputError;
	/** The same parameter, for a sentence that is no error. */
	readonly nameOf: (field: string) => string;
}

export function requestBody<Context>(
	rows: ReadonlyArray<FieldRow<Context>>,
	{
		groups,
		input,
		fallback,
		context,
	}: {
		/** A later group wins over an earlier one. */
		groups: readonly FieldGroup[];
		input: Values;
		/** Where a field belongs that came from nowhere. */
		fallback: Values;
		context: Context;
	},
): RequestBody {
	const custom = readCustomFields(input);
	const sent: JsonRecord = {};
	const origin = new Map<string, Values>();
	for (const group of groups) {
		for (const row of rows) {
			if (!group.names.includes(row.name) || Object.hasOwn(custom, row.field)) continue;
			const value = valueOf(row, group, context);
			if (value === undefined) continue;
			sent[row.field] = value;
			origin.set(row.field, group.values);
		}
	}
	const fail = (field: string, problem: string, remedy?: string): InputError => {
		if (Object.hasOwn(custom, field))
			return input.fail('customFields', `gives "${field}" a value that ${problem}`, remedy);
		const name = rows.find((known) => known.field === field)?.name ?? field;
		return (origin.get(field) ?? fallback).fail(name, problem, remedy);
	};
	return {
		body: withCustomFields(sent, custom),
		isCustom: (field) => Object.hasOwn(custom, field),
		fail,
		nameOf: (field) => /"(.*?)"/.exec(fail(field, '').message)?.[1] ?? field,
	};
}

/** Undefined leaves the field out. */
function valueOf<Context>(
	row: FieldRow<Context>,
	{ values, emptyRemoves, required = [] }: FieldGroup,
	context: Context,
): unknown {
	const { name, read, empty } = row;
	const raw = values.raw(name);
	// The reader says that it is empty.
	if (isBlank(raw) && required.includes(name)) return values.text(name);
	if (isMissing(raw)) return undefined;
	if (!emptyRemoves) return isBlank(raw) ? undefined : (read(values, name, context) ?? undefined);
	if (raw === '' && empty !== undefined) return empty;
	if (isBlank(raw) && empty !== undefined) {
		throw values.fail(
			name,
			'holds nothing but blanks',
			'Leave it empty to remove what is stored, or take it out of "Update Fields" to keep it.',
		);
	}
	if (isBlank(raw)) return values.text(name);
	const value = read(values, name, context);
	if (value !== undefined) return value;
	throw values.fail(
		name,
		'has no entry that is not empty',
		'Leave it empty to remove what is stored, or take it out of "Update Fields" to keep it.',
	);
}
