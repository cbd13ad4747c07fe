/** Normalizes the Base URL that the user entered. Pure. */
import { InputError } from './failure';
import { isCertainlyLoopback } from './hostReach';
import { isMisleading } from './misleadingPath';

/** Endpoint paths that users paste from a browser or an example call. */
const PASTED_ENDPOINT =
	/\/(me|clients|posts|lead-magnets|leads|activity|media)(?!.*\/v\d+(?:\/|$))(\/.*)?$/i;

/** Longer than any API's URL, and short enough to keep the regular expressions fast. */
const MAX_LENGTH = 2_000;

const badBaseUrl = (problem: string): InputError =>
	new InputError(
		`The Base URL in the credential ${problem}`,
		'Open the credential and enter the URL of the API v1, for example https://api.example.com/api/v1.',
	);

export function normaliseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw badBaseUrl('is empty');
	if (text.length > MAX_LENGTH || !URL.canParse(text)) throw badBaseUrl('is not a valid URL');
	const url = new URL(text);
	if (url.username !== '' || url.password !== '')
		throw badBaseUrl('must not contain a user name or password');
	const loopbackHttp = url.protocol === 'http:' && isCertainlyLoopback(url.hostname);
	if (url.protocol !== 'https:' && !loopbackHttp) {
		throw badBaseUrl(
			'must start with https://, because the key is sent to it (http:// is accepted for loopback only)',
		);
	}
	if (isMisleading(url.pathname)) throw badBaseUrl('has a path that may lead to another URL');
	const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(PASTED_ENDPOINT, '');
	return url.origin + path.replace(/(?<!\/)\/+$/, '');
}

/** The same normalisation as an n8n expression, for the credential test. */
export const baseUrlExpression = (value: string): string =>
	`={{ ${value}.trim().split(/[?#]/)[0].replace(/\\/+$/, '').replace(/${PASTED_ENDPOINT.source}/i, '').replace(/\\/+$/, '') }}`;
