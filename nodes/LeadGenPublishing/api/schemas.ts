/**
 * The shape of the service's answers: the envelopes of part 2.1, checked strictly where we rely on
 * them and leniently elsewhere, so that unknown fields pass through. The guards are written by hand:
 * a schema library would be a third of what n8n loads.
 */
export type JsonRecord = { [key: string]: unknown };

export const isRecord = (value: unknown): value is JsonRecord =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export interface SuccessEnvelope {
	data: JsonRecord;
	request_id?: string;
}
export interface ListEnvelope {
	/** Not copied: copying every record of a page would cost more than parsing it. */
	data: JsonRecord[];
	pagination: { limit: number; offset: number; has_more: boolean };
	request_id?: string;
}
export interface ErrorEnvelope {
	error: { code: string; message: string; details?: JsonRecord };
	request_id?: string;
}

export function readSuccess(value: unknown): SuccessEnvelope | undefined {
	if (!isRecord(value) || !isRecord(value.data)) return undefined;
	return { data: value.data, ...requestIdOf(value) };
}

export function readList(value: unknown): ListEnvelope | undefined {
	if (!isRecord(value)) return undefined;
	const { data } = value;
	const pagination = readPagination(value.pagination);
	if (!Array.isArray(data) || !data.every(isRecord) || pagination === undefined) return undefined;
	return { data, pagination, ...requestIdOf(value) };
}

export function readError(value: unknown): ErrorEnvelope | undefined {
	if (!isRecord(value) || !isRecord(value.error)) return undefined;
	const { code, message, details } = value.error;
	if (typeof code !== 'string') return undefined;
	const text = typeof message === 'string' ? message : '';
	return {
		error: { code, message: text, ...(isRecord(details) ? { details } : {}) },
		...requestIdOf(value),
	};
}

function readPagination(value: unknown): ListEnvelope['pagination'] | undefined {
	if (!isRecord(value)) return undefined;
	const { limit, offset, has_more } = value;
	if (!isCount(limit) || !isCount(offset) || typeof has_more !== 'boolean') return undefined;
	return { limit, offset, has_more };
}

const isCount = (value: unknown): value is number =>
	typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const requestIdOf = ({ request_id: id }: JsonRecord): { request_id?: string } =>
	typeof id === 'string' ? { request_id: id } : {};

/** The fields that are given. */
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
