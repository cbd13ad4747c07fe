/** Normalizes the Base URL that the user entered. Pure. */
import { CredentialError, type BaseUrlProblem } from './credentialError';
import { isCertainlyLoopback } from './hostReach';
import { isMisleading } from './misleadingPath';

/** Endpoint paths that users paste from a browser or an example call. */
export const PASTED_ENDPOINT =
	/\/(me|clients|posts|lead-magnets|leads|activity|media)(?!.*\/v\d+(?:\/|$))(\/.*)?$/i;

/** Longer than any API's URL, and short enough to keep the regular expressions fast. */
const MAX_LENGTH = 2_000;

const badBaseUrl = (problem: BaseUrlProblem): CredentialError =>
	new CredentialError({ kind: 'badBaseUrl', problem });

export function normaliseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw badBaseUrl('empty');
	if (text.length > MAX_LENGTH || !URL.canParse(text)) throw badBaseUrl('invalid');
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') throw badBaseUrl('holdsLogin');
	const loopbackHttp = url.protocol === 'http:' && isCertainlyLoopback(url.hostname);
	// The key is sent to it.
	if (url.protocol !== 'https:' && !loopbackHttp) throw badBaseUrl('notHttps');
	if (isMisleading(url.pathname)) throw badBaseUrl('misleading');
	const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(PASTED_ENDPOINT, '');
	return url.origin + path.replace(/(?<!\/)\/+$/, '');
}
