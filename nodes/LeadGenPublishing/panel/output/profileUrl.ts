/**
 * The URL of a person's profile, under one name whatever the service calls it, and the key by which
 * workflows match rows. Pure.
 */
import type { JsonRecord } from '../../api/schemas';
import { PROFILE_URL, profileUrlField } from '../../api/wire';

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
 * Equal for all spellings of one URL: scheme and host in lower case, without `www.`, trailing
 * slashes, query and fragment. The rest stays as it is, because paths that differ only in case may
 * belong to different people. Null if the value is not a URL.
 */
export function profileKeyOf(url: unknown): string | null {
	const text = typeof url === 'string' ? url.trim() : '';
	const [, scheme = '', user = '', host = '', path = ''] = ADDRESS.exec(text) ?? [];
	if (host === '' || !URL.canParse(text)) return null;
	const bareHost = host.toLowerCase().replace(/^(?:www\.)+(?=[^.:])/, '');
	return scheme.toLowerCase() + user + bareHost + path.replace(/(?<!\/)\/+$/, '');
}
