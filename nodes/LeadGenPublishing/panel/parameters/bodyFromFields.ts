/**
 * Builds the body of a post or a lead magnet from its parameters. Each parameter is named like its
 * field, and its type in the form says how to read it. Errors about a field name the parameter that
 * it came from. Pure.
 */
import type { INodeProperties } from 'n8n-workflow';

import type { JsonRecord } from '../../api/schemas';
import {
	failCustomFields,
	labelOfCustomFields,
	readCustomFields,
	withCustomFields,
} from '../fields/customFields';
import { isBlank, isMissing } from '../../parse/jsonValues';
import { withoutEmptyEntries } from '../../parse/lists';
import type { Values } from './values';
import type { RequestBody } from './requestBody';

export interface FieldRow<Context> {
	readonly name: string;
	readonly field: string;
	readonly read: (values: Values, name: string, context: Context) => unknown;
	/** What an empty parameter sends to clear the field. Without it, the field cannot be cleared. */
	readonly empty?: unknown;
}

/** Ways to read a parameter that many rows share. */
export const asText = (values: Values, name: string): string => values.text(name);
const asTrimmedText = (values: Values, name: string): string => values.text(name).trim();
const asList = (values: Values, name: string): unknown[] | undefined => values.optionalList(name);

const asJson = (values: Values, name: string): unknown => {
	const value = values.json(name);
	return Array.isArray(value) ? withoutEmptyEntries(value) : value;
};

/** `special` holds what does not follow from the form, by parameter name. */
export const rowsOf = <Context>(
	parameters: readonly INodeProperties[],
	special: Readonly<Record<string, Partial<FieldRow<Context>>>>,
): Array<FieldRow<Context>> =>
	parameters.map((parameter) => ({ ...rowOf(parameter), ...special[parameter.name] }));

/** `ctaUrl` → `cta_url`. */
export const fieldNameOf = (parameter: string): string =>
	parameter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function rowOf({ name, type, typeOptions, options = [] }: INodeProperties): FieldRow<unknown> {
	const field = fieldNameOf(name);
	const allowed = options.flatMap((one) => ('value' in one ? [String(one.value)] : []));
	if (type === 'options') return { name, field, read: (values) => values.choice(name, allowed) };
	if (type === 'json') return { name, field, read: asJson, empty: null };
	if (typeOptions?.multipleValues === true) return { name, field, read: asList, empty: [] };
	return { name, field, read: typeOptions?.rows ? asText : asTrimmedText, empty: null };
}

export interface FieldGroup {
	readonly values: Values;
	readonly names: readonly string[];
	/** Parameters that may not be empty. */
	readonly required?: readonly string[];
	/** Whether an empty parameter removes the stored value. Otherwise it counts as not given. */
	readonly emptyRemoves: boolean;
	/** Parameters that remove the stored value if they are an empty text, null or an empty list. */
	readonly emptied?: readonly string[];
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
		/** The parameters to name for a field that no group has set. */
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
	const isCustom = (field: string): boolean => Object.hasOwn(custom, field);
	const valuesOf = (field: string): Values => origin.get(field) ?? fallback;
	const parameterOf = (field: string): string =>
		rows.find((known) => known.field === field)?.name ?? field;
	return {
		body: withCustomFields(sent, custom),
		isCustom,
		fail: (field, problem, remedy) =>
			isCustom(field)
				? failCustomFields(input, `sets "${field}" to a value that ${problem}`, remedy)
				: valuesOf(field).fail(parameterOf(field), problem, remedy),
		labelOf: (field) =>
			isCustom(field) ? labelOfCustomFields(input) : valuesOf(field).labelOf(parameterOf(field)),
	};
}

/** The value to send. Undefined omits the field. */
function valueOf<Context>(
	row: FieldRow<Context>,
	{ values, emptyRemoves, required = [], emptied = [] }: FieldGroup,
	context: Context,
): unknown {
	const { name, read, empty } = row;
	const raw = values.raw(name);
	const isEmpty = isBlank(raw) || isEmptyList(raw);
	// `text` throws the error that it is empty.
	if (isBlank(raw) && required.includes(name)) return values.text(name);
	if (emptied.includes(name)) return (isEmpty ? undefined : read(values, name, context)) ?? empty;
	if (isMissing(raw)) return undefined;
	if (!emptyRemoves) {
		const value = isEmpty ? undefined : (read(values, name, context) ?? undefined);
		return isEmptyList(value) ? undefined : value;
	}
	if ((raw === '' || isEmptyList(raw)) && empty !== undefined) return empty;
	if (isBlank(raw) && empty !== undefined) {
		throw values.fail(
			name,
			'contains only spaces or line breaks',
			'Leave it empty to clear the stored value, or remove it from "Update Fields" to keep that value.',
		);
	}
	if (isBlank(raw)) return values.text(name);
	const value = read(values, name, context);
	if (value !== undefined) return value;
	throw values.fail(
		name,
		'has only empty entries',
		'Leave it empty to clear the stored value, or remove it from "Update Fields" to keep that value.',
	);
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
