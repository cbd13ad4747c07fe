/**
 * The vendor's own words. The API document replaces them by the neutral `svc` and `network`;
 * whoever knows the real ones changes this file and nothing else.
 */
export const KEY_PREFIX = 'svc';
const NETWORK = 'network';

export const POST_ETAG_HEADER = 'X-Svc-Post-ETag';
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** The record fields which carry the network's name. */
export const PROFILE_URL_FIELD = `${NETWORK}_profile_url`;

export const ORGANIZATIONS_REFRESH_PATH = `/${NETWORK}/organizations/refresh`;

/** A reason whose first word is the network's name: `networkReason('not_connected')`. */
export const networkReason = (rest: string): string => `${NETWORK}_${rest}`;

/** `<svc>_live_…` or `<svc>_test_…`; the service's own word is not known, so any word is let pass. */
export const KEY_SHAPE = /^[A-Za-z0-9]+_(live|test)_\S+$/;
export const KEY_PLACEHOLDER = `${KEY_PREFIX}_live_…`;
export const KEY_PREFIXES = [`${KEY_PREFIX}_live_`, `${KEY_PREFIX}_test_`] as const;
