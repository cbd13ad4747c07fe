/**
 * Normalises the Base URL as typed by the user: https only, http only on loopback, no trailing slash,
 * no endpoint path pasted along. Pure.
 */
import { InputError } from './failure';
import { isCertainlyLoopback } from './hostReach';
import { leadsAstray } from './safePath';

/** Endpoint paths that users paste from a browser or an example call. */
const PASTED_ENDPOINT =
	/\/(me|clients|posts|lead-magnets|leads|activity|media)(?!.*\/v\d+(?:\/|$))(\/.*)?$/i;

/** Longer than any address of an API, and short enough for any expression. */
const MAX_LENGTH = 2_000;

const REMEDY =
	'Open the credential and enter the address of the API v1, for example https://api.example.com/api/v1.';

export function normaliseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw new InputError('The Base URL in the credential is empty', REMEDY);
	if (text.length > MAX_LENGTH || !URL.canParse(text))
		throw new InputError('The Base URL in the credential is not a valid address', REMEDY);
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		throw new InputError(
			'The Base URL in the credential must not contain a user name or password',
			REMEDY,
		);
	}
	const loopbackHttp = url.protocol === 'http:' && isCertainlyLoopback(url.hostname);
	if (url.protocol !== 'https:' && !loopbackHttp) {
		throw new InputError(
			'The Base URL in the credential must start with https://, because the key is sent to it (http:// is accepted for loopback only)',
			REMEDY,
		);
	}
	if (leadsAstray(url.pathname))
		throw new InputError(
			'The Base URL in the credential has a path that may lead to another address',
			REMEDY,
		);
	const path = url.pathname.replace(/\/+$/, '').replace(PASTED_ENDPOINT, '');
	return url.origin + path.replace(/\/+$/, '');
}

/** The same normalisation as an n8n expression, for the credential test. */
export const baseUrlExpression = (value: string): string =>
	`={{ ${value}.trim().split(/[?#]/)[0].replace(/\\/+$/, '').replace(/${PASTED_ENDPOINT.source}/i, '').replace(/\\/+$/, '') }}`;
