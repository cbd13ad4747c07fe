/**
 * Interprets an error that came in place of a response: what it says, and whether the request can
 * have arrived. Errors of the HTTP helper contain the whole request with the key, so they are never
 * passed on. Pure.
 */
import type { Prevented, Unreachable } from './failure';
import { isRecord, type JsonRecord } from './schemas';
import { scrubText } from './scrub';

type ErrorProblem = NonNullable<Unreachable['problem']>;

/** What the codes of errors say. The first row that matches counts. */
const CODES: ReadonlyArray<readonly [code: RegExp, problem: ErrorProblem]> = [
	[/^ECONNREFUSED$/, 'connectionRefused'],
	[/^(ENOTFOUND|EAI_NODATA|EAI_NONAME)$/, 'hostNotFound'],
	[/^EAI_/, 'hostNotResolved'],
	[/^(ECONNRESET|EPIPE|ENOTCONN)$/, 'connectionReset'],
	[/^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT|ERR_CANCELED)$/, 'timedOut'],
	[/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ENONET|ERR_NETWORK)$/, 'networkUnreachable'],
	[/^(EMFILE|ENFILE|ENOBUFS|ENOMEM)$/, 'tooManyConnections'],
	[/^(EADDRNOTAVAIL|EADDRINUSE|EAFNOSUPPORT)$/, 'addressUnavailable'],
	[/^(EACCES|EPERM)$/, 'notPermitted'],
	[/^EPROTO$/, 'noTls'],
	[/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, 'certificateRejected'],
	[/SSL|TLS/, 'tlsFailed'],
	[/^(Z_|ERR_(__ERROR|BROTLI|ZSTD|ZLIB|_ERROR))|^ZSTD_/, 'undecodable'],
	[/^ERR_(STRING_TOO_LONG|BUFFER_TOO_LARGE|FS_FILE_TOO_LARGE)$/, 'tooLarge'],
	[/^(ERR_BAD_RESPONSE$|HPE_|UND_)/, 'damagedResponse'],
];

/** These certainly come before anything is sent. */
const BEFORE_SENDING: ReadonlySet<ErrorProblem | undefined> = new Set([
	'connectionRefused',
	'hostNotFound',
	'hostNotResolved',
	'certificateRejected',
]);

/** System calls that only fail while there is no connection to send on. */
const OPENING: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo', 'socket', 'bind']);

/**
 * Errors of n8n, by name or message, that can only come before a request is sent, because no
 * redirect is followed. "Invalid URL" may also be the proxy's URL, and the last one is about the
 * proxy's response to CONNECT.
 */
const PREVENTED =
	/^(SsrfBlocked\w+|Credential\w+|InputError|Domain not allowed.*|Invalid URL.*|Proxy connection ended before .*)$/;
const LOST = /socket hang up|aborted|timeout|connection was aborted|network/i;

/** Why there is no response. */
export type NoResponse = Prevented | Unreachable;

/** After an error that is not in these tables, the request may have arrived. */
export function noResponseOf(error: unknown, secrets: readonly string[]): NoResponse {
	const causes = causesOf(error);
	const prevented = causes.find(({ name, message }) =>
		[name, message].some((text) => typeof text === 'string' && PREVENTED.test(text)),
	);
	if (prevented !== undefined) return notSent(prevented, secrets);
	const codes = causes.flatMap(({ code }) => (typeof code === 'string' ? code : []));
	const problem = problemOf(error, codes);
	const neverSent =
		BEFORE_SENDING.has(problem) || causes.some(isOpening) || causes.some(hadNoConnection);
	const seen = quoteOf(error, { problem, codes, secrets });
	return {
		kind: 'unreachable',
		problem: problem ?? (neverSent ? 'notConnected' : undefined),
		seen,
		neverSent: neverSent || undefined,
	};
}

function notSent({ name, message }: JsonRecord, secrets: readonly string[]): Prevented {
	const isBlocked = String(name).startsWith('Ssrf');
	return isBlocked
		? { kind: 'prevented', problem: 'ssrfProtection' }
		: { kind: 'prevented', seen: scrubText(String(message), secrets) };
}

/** The outermost known code counts. */
function problemOf(error: unknown, codes: readonly string[]): ErrorProblem | undefined {
	for (const code of codes) {
		const row = CODES.find(([pattern]) => pattern.test(code));
		if (row !== undefined) return row[1];
	}
	return error instanceof Error && LOST.test(error.message) ? 'lost' : undefined;
}

/** If several addresses of a host were tried, every one of them must have failed at this stage. */
function isOpening({ syscall, errors }: JsonRecord): boolean {
	if (OPENING.has(syscall)) return true;
	if (!Array.isArray(errors) || errors.length === 0) return false;
	return errors.every((one) => isRecord(one) && OPENING.has(one.syscall));
}

/**
 * The HTTP client names its request. As long as the connection is being opened, TLS handshake
 * included, nothing is sent on it. Its error codes are those of a response that was lost.
 */
function hadNoConnection({ request }: JsonRecord): boolean {
	const socket = isRecord(request) ? request.socket : undefined;
	return isRecord(socket) && (socket.connecting === true || socket.secureConnecting === true);
}

const CODE = /^[A-Z][A-Z\d_]{1,40}$/;

/** The code of an error that we have no words for, or its message, for people to look up. */
function quoteOf(
	error: unknown,
	{
		problem,
		codes,
		secrets,
	}: { problem: ErrorProblem | undefined; codes: readonly string[]; secrets: readonly string[] },
): string | undefined {
	if (problem !== undefined) return undefined;
	const code = codes.find((one) => CODE.test(one));
	return code ?? scrubText(error instanceof Error ? error.message : 'unknown error', secrets);
}

/** The error and its causes, the outermost first. */
function causesOf(error: unknown): JsonRecord[] {
	const causes: JsonRecord[] = [];
	for (let cause = error; isRecord(cause) && causes.length < 5; cause = cause.cause)
		causes.push(cause);
	return causes;
}
