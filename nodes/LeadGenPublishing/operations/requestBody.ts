/**
 * What the body of a post and of a lead magnet have in common: rows that lead from a parameter to
 * a field, and an error that leads back from the field to the parameter it came from.
 */
import type { InputError } from '../api/failure';
import type { JsonRecord } from '../api/schemas';
import { withCustomFields, type Values } from '../fields/values';

export interface FieldRow<Reader> {
	readonly name: string;
	readonly field: string;
	readonly read: Reader;
	/** What an emptied parameter sends; the record cannot be without a field that has none. */
	readonly empty?: unknown;
}

export interface FieldGroup {
	readonly values: Values;
	readonly names: readonly string[];
	/** Whether an empty parameter removes what the record has, or counts as not given. */
	readonly emptyRemoves: boolean;
}

export interface RequestBody {
	readonly body: JsonRecord;
	/** An error that names the parameter from which this field comes. */
	readonly fail: (field: string, problem: string, remedy?: string) => InputError;
}

interface Collected {
	readonly sent: JsonRecord;
	readonly custom: JsonRecord;
	readonly origin: ReadonlyMap<string, { values: Values; name: string }>;
	readonly rows: ReadonlyArray<{ readonly name: string; readonly field: string }>;
	readonly input: Values;
	/** Where a field belongs that came from nowhere. */
	readonly fallback: Values;
}

export function requestBody(collected: Collected): RequestBody {
	const { sent, custom, origin, rows, input, fallback } = collected;
	return {
		body: withCustomFields(sent, custom),
		fail: (field, problem, remedy) => {
			if (field in custom)
				return input.fail('customFields', `gives "${field}" a value that ${problem}`, remedy);
			const from = origin.get(field);
			const name = rows.find((known) => known.field === field)?.name ?? field;
			return (from?.values ?? fallback).fail(from?.name ?? name, problem, remedy);
		},
	};
}
