/**
 * Interprets a missing answer: words for the user, and whether the request can have arrived. Errors
 * of the HTTP helper contain the whole request with the key, so they are never passed on.
 */
import { isRecord } from './schemas';
import { scrubText } from './scrub';

const NETWORK_WORDS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'connection refused',
	ECONNRESET: 'connection reset',
	ECONNABORTED: 'timed out',
	ETIMEDOUT: 'timed out',
	ENOTFOUND: 'host name not found',
	EAI_AGAIN: 'host name not resolved',
	EPIPE: 'connection closed',
	EHOSTUNREACH: 'host not reachable',
	ENETUNREACH: 'network not reachable',
	ERR_NETWORK: 'network error',
	ERR_BAD_RESPONSE: 'damaged answer',
	ERR_CANCELED: 'timed out',
	EPROTO: 'no TLS at this address',
};

/** Failures that happen before anything is sent. */
export const NEVER_SENT: ReadonlySet<string | undefined> = new Set([
	NETWORK_WORDS.ECONNREFUSED,
	NETWORK_WORDS.ENOTFOUND,
	NETWORK_WORDS.EAI_AGAIN,
]);

/** n8n recognises a canceled execution by this word in the message. */
export function throwIfCanceled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new Error('The execution was canceled');
}

/** Nobody sees this error: nobody waits for the request any more. */
export function throwIfGivenUp(givenUp: AbortSignal | undefined): void {
	if (givenUp?.aborted) throw new Error('Nobody waits for this any more');
}

/** The error's message alone, scrubbed, without its request. */
export const unknownError = (error: unknown, secrets: readonly string[]): Error =>
	new Error(scrubText(error instanceof Error ? error.message : 'Unknown error', secrets));

/** Words for a failed connection; undefined for any other error. */
export function networkCode(error: unknown): string | undefined {
	for (
		let cause: unknown = error, depth = 0;
		isRecord(cause) && depth < 5;
		cause = cause.cause, depth += 1
	) {
		const { code } = cause;
		if (typeof code !== 'string') continue;
		if (Object.hasOwn(NETWORK_WORDS, code)) return NETWORK_WORDS[code];
		if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
			return 'the TLS certificate was not accepted';
		if (/^(HPE_|UND_)/.test(code)) return 'damaged answer';
	}
	const message = error instanceof Error ? error.message : '';
	if (/socket hang up|aborted|timeout|connection was aborted|network/i.test(message))
		return 'connection lost';
	return undefined;
}
