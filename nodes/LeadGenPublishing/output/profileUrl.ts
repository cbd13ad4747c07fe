/**
 * The address of a person's profile, under one name whatever the service calls it, and the key that
 * rows are found by. Pure.
 */
import type { JsonRecord } from '../api/schemas';
import { PROFILE_URL, profileUrlField } from '../api/wire';

export const PROFILE_KEY = 'profile_key';

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

/** Scheme, user name, host with port, path. */
const ADDRESS = /^([a-z][a-z\d+.-]*:\/\/)([^/\\?#\s]*@)?([^@/\\?#\s]+)(\/[^?#\s]*)?(?:[?#]\S*)?$/i;

/**
 * The same for all the ways in which one address is written: scheme and host in lower case, without
 * `www.`, slashes at the end, query and fragment. The rest stays as it is, since a path in another
 * case may be another person. Null for what is no URL.
 */
export function profileKeyOf(url: unknown): string | null {
	const text = typeof url === 'string' ? url.trim() : '';
	const [, scheme = '', user = '', host = '', path = ''] = ADDRESS.exec(text) ?? [];
	if (host === '' || !URL.canParse(text)) return null;
	const bareHost = host.toLowerCase().replace(/^(?:www\.)+(?=[^.:])/, '');
	return scheme.toLowerCase() + user + bareHost + path.replace(/(?<!\/)\/+$/, '');
}
