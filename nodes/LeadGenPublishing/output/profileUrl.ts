/** The address of a person's profile, under one name whatever the service calls it. Pure. */
import type { JsonRecord } from '../api/schemas';
import { PROFILE_URL, profileUrlField } from '../api/wire';

/**
 * The profile URL on the network, whatever the service calls it. If the record already has a
 * `profile_url`, both fields keep their names.
 */
export function profileUrlOf(
	record: JsonRecord,
	networkWord?: string,
): { url: unknown; field?: string } {
	const own = filledOrNull(record[PROFILE_URL]);
	const field = profileUrlField(record, networkWord);
	if (own !== null || field === undefined) return { url: own };
	return { url: filledOrNull(record[field]), field };
}

/** An empty URL must not count as a value: a lookup by it would find another record. */
export const filledOrNull = (value: unknown): unknown =>
	typeof value === 'string' ? textOrNull(value) : (value ?? null);

export const textOrNull = (value: unknown): string | null =>
	typeof value === 'string' && value.trim() !== '' ? value : null;
