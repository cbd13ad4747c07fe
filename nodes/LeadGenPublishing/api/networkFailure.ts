/**
 * Interprets a missing answer: words for the user, and whether the request can have arrived. Errors
 * of the HTTP helper contain the whole request with the key, so they are never passed on.
 */
import type { FailureFacts } from './failure';
import { isRecord, type JsonRecord } from './schemas';
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

export const BLOCKED = 'blocked by the SSRF protection of this n8n';

/**
 * Errors of n8n, by name or message, that can only come before a request is sent: no redirect
 * is followed. The last two are about a proxy: its address, and its answer to CONNECT.
 */
const PREVENTED =
	/^(SsrfBlocked\w+|Credential\w+|InputError|Invalid URL.*|Proxy connection ended before .*)$/;

export type NoAnswer = Pick<FailureFacts, 'code' | 'seen'> & { kind: 'unreachable' | 'notSent' };

/** Why there is no answer; undefined if the error says nothing of it. */
export function noAnswerOf(error: unknown, secrets: readonly string[]): NoAnswer | undefined {
	const prevented = preventedBy(error, secrets);
	if (prevented !== undefined) return { kind: 'notSent', code: 'not_sent', seen: prevented };
	const seen = networkCode(error);
	return seen === undefined ? undefined : { kind: 'unreachable', seen };
}

/** Why n8n did not send the request, and would not a moment later; undefined if it may have. */
export function preventedBy(error: unknown, secrets: readonly string[]): string | undefined {
	const by = causesOf(error).find(({ name, message }) =>
		[name, message].some((text) => typeof text === 'string' && PREVENTED.test(text)),
	);
	if (by === undefined) return undefined;
	return String(by.name).startsWith('Ssrf') ? BLOCKED : scrubText(String(by.message), secrets);
}

/** The error's message alone, scrubbed, without its request. */
export const unknownError = (error: unknown, secrets: readonly string[]): Error =>
	new Error(scrubText(error instanceof Error ? error.message : 'Unknown error', secrets));

/** Words for a failed connection; undefined for any other error. */
export function networkCode(error: unknown): string | undefined {
	for (const { code } of causesOf(error)) {
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

/** The error and its causes, the outermost first. */
function causesOf(error: unknown): JsonRecord[] {
	const causes: JsonRecord[] = [];
	for (let cause = error; isRecord(cause) && causes.length < 5; { cause } = cause)
		causes.push(cause);
	return causes;
}
