/**
 * What the service's answers look like: the envelopes of part 2.1, read strictly where we rely
 * on them and loosely everywhere else, so that a field nobody knew of passes through.
 */
import { z } from 'zod';

export type JsonRecord = { [key: string]: unknown };

export const isRecord = (value: unknown): value is JsonRecord =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

// Passed through as they are: zod's own would copy every field of every record of a page.
const record = z.custom<JsonRecord>(isRecord);
const records = z.custom<JsonRecord[]>((value) => Array.isArray(value) && value.every(isRecord));
const requestId = z.string().optional().catch(undefined);

const successEnvelope = z.object({ data: record, request_id: requestId });

const pagination = z.object({
	limit: z.number().int().nonnegative(),
	offset: z.number().int().nonnegative(),
	has_more: z.boolean(),
});
const listEnvelope = z.object({ data: records, pagination, request_id: requestId });

const errorEnvelope = z.object({
	error: z.object({
		code: z.string(),
		message: z.string().catch(''),
		details: record.optional().catch(undefined),
	}),
	request_id: requestId,
});

export interface SuccessEnvelope {
	data: JsonRecord;
	request_id?: string;
}
export interface ListEnvelope {
	data: JsonRecord[];
	pagination: { limit: number; offset: number; has_more: boolean };
	request_id?: string;
}
export interface ErrorEnvelope {
	error: { code: string; message: string; details?: JsonRecord };
	request_id?: string;
}

const read =
	<T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>) =>
	(value: unknown): T | undefined => {
		const result = schema.safeParse(value);
		return result.success ? result.data : undefined;
	};

export const readSuccess: (value: unknown) => SuccessEnvelope | undefined = read(successEnvelope);
export const readList: (value: unknown) => ListEnvelope | undefined = read(listEnvelope);
export const readError: (value: unknown) => ErrorEnvelope | undefined = read(errorEnvelope);
