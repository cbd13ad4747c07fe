/**
 * The envelopes of responses (part 2.1 of the API document). What we rely on is checked strictly.
 * Everything else passes through.
 */
import * as z from 'zod/v4-mini';

/** Schemas are read as they are, not turned into code at run time. */
z.config({ jitless: true });

export type JsonRecord = { [key: string]: unknown };

export const isRecord = (value: unknown): value is JsonRecord =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Passed on as it is: copying every record of a page would cost more than parsing it. */
const record = z.custom<JsonRecord>(isRecord);
const count = z.int().check(z.nonnegative());

const success = z.object({ data: record });
const list = z.object({
	data: z.array(z.nullable(record)),
	pagination: z.object({ limit: count, offset: count, has_more: z.boolean() }),
});
const error = z.object({
	error: z.object({
		code: z.string(),
		message: z.catch(z.string(), ''),
		details: z.catch(z.optional(record), undefined),
	}),
});

/** The entries that are `null` show nothing, and are only counted. */
export interface ListEnvelope extends Pick<z.infer<typeof list>, 'pagination'> {
	readonly data: readonly JsonRecord[];
	readonly nulls: number;
}

/** Undefined if the value is not such an envelope. */
const readerOf =
	<Schema extends z.ZodMiniType>(schema: Schema) =>
	(value: unknown): z.infer<Schema> | undefined =>
		schema.safeParse(value).data;

export const readSuccess = readerOf(success);
const readList = readerOf(list);

export function readListEnvelope(value: unknown): ListEnvelope | undefined {
	const { data: entries, pagination } = readList(value) ?? {};
	if (entries === undefined || pagination === undefined) return undefined;
	const data = entries.filter((entry) => entry !== null);
	return { data, pagination, nulls: entries.length - data.length };
}
const readErrorEnvelope = readerOf(error);
/** A value that does not fit costs an error object, and most responses are no errors. */
export const readError = (value: unknown): z.infer<typeof error> | undefined =>
	isRecord(value) && isRecord(value.error) ? readErrorEnvelope(value) : undefined;

/** The fields that are not undefined. */
export const givenIn = <Fields extends object>(fields: Fields): Partial<Fields> =>
	Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as Partial<Fields>;

/** The record without some of its fields. */
export function without<Fields extends object, Name extends keyof Fields>(
	record: Fields,
	...names: readonly Name[]
): Omit<Fields, Name> {
	const rest: Partial<Fields> = { ...record };
	for (const name of names) delete rest[name];
	return rest as Omit<Fields, Name>;
}
