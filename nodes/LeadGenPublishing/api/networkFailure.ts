/**
 * Interprets a missing answer: words for the user, and whether the request can have arrived. Errors
 * of the HTTP helper contain the whole request with the key, so they are never passed on.
 */
import type { FailureFacts } from './failure';
import { isRecord, type JsonRecord } from './schemas';
import { scrubText } from './scrub';

const NO_TRUST = 'the TLS certificate was not accepted';

/** What the codes of errors say. */
const NETWORK_WORDS: ReadonlyArray<readonly [code: RegExp, words: string]> = [
	[/^ECONNREFUSED$/, 'connection refused'],
	[/^ENOTFOUND$/, 'host name not found'],
	[/^EAI_AGAIN$/, 'host name not resolved'],
	[/^(ECONNRESET|EPIPE)$/, 'connection reset'],
	[/^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED)$/, 'timed out'],
	[/^(EHOSTUNREACH|ENETUNREACH|ERR_NETWORK)$/, 'network not reachable'],
	[/^EPROTO$/, 'no TLS at this address'],
	[/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, NO_TRUST],
	[/SSL|TLS/, 'the TLS connection failed'],
	[/^(ERR_BAD_RESPONSE$|HPE_|UND_)/, 'damaged answer'],
];

/** Failures that happen before anything is sent. */
export const NEVER_SENT: ReadonlySet<string | undefined> = new Set([
	...['connection refused', 'host name not found', 'host name not resolved', NO_TRUST],
]);

export const BLOCKED = 'blocked by the SSRF protection of this n8n';

/**
 * Errors of n8n, by name or message, that can only come before a request is sent: no redirect
 * is followed. The last two are about a proxy: its address, and its answer to CONNECT.
 */
const PREVENTED =
	/^(SsrfBlocked\w+|Credential\w+|InputError|Invalid URL.*|Proxy connection ended before .*)$/;
const LOST = /socket hang up|aborted|timeout|connection was aborted|network/i;

export type NoAnswer = Pick<FailureFacts, 'code' | 'seen'> & { kind: 'unreachable' | 'notSent' };

/** Why there is no answer; undefined if the error says nothing of it. */
export function noAnswerOf(error: unknown, secrets: readonly string[]): NoAnswer | undefined {
	const causes = causesOf(error);
	const prevented = causes.find(({ name, message }) =>
		[name, message].some((text) => typeof text === 'string' && PREVENTED.test(text)),
	);
	if (prevented !== undefined) {
		const isBlocked = String(prevented.name).startsWith('Ssrf');
		const seen = isBlocked ? BLOCKED : scrubText(String(prevented.message), secrets);
		return { kind: 'notSent', code: 'not_sent', seen };
	}
	const codes = causes.map(({ code }) => (typeof code === 'string' ? code : ''));
	const words = codes.map((code) => NETWORK_WORDS.find(([pattern]) => pattern.test(code))?.[1]);
	const isLost = error instanceof Error && LOST.test(error.message);
	const seen = words.find((one) => one !== undefined) ?? (isLost ? 'connection lost' : undefined);
	return seen === undefined ? undefined : { kind: 'unreachable', seen };
}

/** The error's message alone, scrubbed, without its request. */
export const unknownError = (error: unknown, secrets: readonly string[]): Error =>
	new Error(scrubText(error instanceof Error ? error.message : 'Unknown error', secrets));

/** The error and its causes, the outermost first. */
function causesOf(error: unknown): JsonRecord[] {
	const causes: JsonRecord[] = [];
	for (let cause = error; isRecord(cause) && causes.length < 5; { cause } = cause)
		causes.push(cause);
	return causes;
}
