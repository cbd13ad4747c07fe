/**
 * The only file that sends anything. Whether to send again is decided elsewhere.
 */
import { noResponseOf, type NoResponse } from './connectionFailure';
import type { Host, HowToSend, HttpRequest } from './host';
import { isRecord, type JsonRecord } from './schemas';

interface Transmission<T> extends Pick<HowToSend, 'timeoutMs' | 'withKey'> {
	/** Ends the request, because nobody waits for it any more. */
	readonly givenUp?: AbortSignal;
	/** Texts that no error may contain. */
	readonly secrets: readonly string[];
	/** Rejects as soon as the request counts as stalled. The signal aborts when the request ends. */
	readonly stalled?: (ended: AbortSignal) => Promise<never>;
	/** Reads the body, which comes as a stream, before the request is ended. */
	readonly read: (response: HttpResponse) => Promise<T>;
}

/** Made once: without a reason, each `abort()` makes an error with a stack trace. */
const REQUEST_ENDED = new Error('This request has ended');

/** The helper's own timeout fires first, but not while a response trickles in. */
const GRACE_MS = 250;

export interface HttpResponse {
	/** 0 if there is none. */
	readonly status: number;
	/** Names are in lower case. */
	readonly headers: JsonRecord;
	readonly body?: unknown;
}

function responseOf(given: unknown): HttpResponse {
	const { statusCode, headers, body } = isRecord(given) ? given : {};
	const status = typeof statusCode === 'number' ? statusCode : 0;
	return { status, headers: isRecord(headers) ? headers : {}, body };
}

/**
 * Sends once. Returns what was read from a response of any status, or why there is none. It throws
 * only if somebody has given up the request. A request that nobody waits for any more is ended, so
 * that its connection does not stay open.
 *
 * The body comes as a stream, so that the status is known even if the body cannot be read.
 */
export async function transmit<T>(
	host: Pick<Host, 'request' | 'sleep' | 'canceled'>,
	request: HttpRequest,
	{ withKey, timeoutMs, givenUp, secrets, stalled, read }: Transmission<T>,
): Promise<T | NoResponse> {
	const { canceled } = host;
	throwIfCanceled(canceled);
	throwIfGivenUp(givenUp);
	const ended = new AbortController();
	const end = (): void => ended.abort(REQUEST_ENDED);
	// `AbortSignal.any` would do the same, and cost more.
	const enders = [canceled, givenUp].filter((one) => one !== undefined);
	for (const one of enders) one.addEventListener('abort', end);
	const { signal } = ended;
	const outcomes = [
		host.request(request, { withKey, timeoutMs, signal }).then(responseOf).then(read),
		timesOut(host, timeoutMs + GRACE_MS, signal),
		...(stalled === undefined ? [] : [stalled(signal)]),
	];
	// The promises that lose the race reject when they are aborted.
	for (const outcome of outcomes) outcome.catch(() => undefined);
	try {
		return await Promise.race(outcomes);
	} catch (error) {
		throwIfCanceled(canceled);
		throwIfGivenUp(givenUp);
		return noResponseOf(error, secrets);
	} finally {
		end();
		for (const one of enders) one.removeEventListener('abort', end);
	}
}

/** A body that is not read to its end would keep the connection open. */
export function discard(body: unknown): void {
	if (isRecord(body) && typeof body.destroy === 'function') body.destroy();
}

export async function timesOut(
	{ sleep }: Pick<Host, 'sleep'>,
	ms: number,
	ended: AbortSignal,
): Promise<never> {
	await sleep(ms, ended);
	throw Object.assign(new Error('No complete response in time'), { code: 'ETIMEDOUT' });
}

/**
 * n8n recognizes a canceled execution by this word in the message. The error of its own `sleep` has
 * a different message, so a run that was stopped during a wait would count as failed.
 */
export function throwIfCanceled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new Error('The execution was canceled');
}

/** Nobody sees this error, because nobody waits for the request any more. */
export function throwIfGivenUp(givenUp: AbortSignal | undefined): void {
	if (givenUp?.aborted) throw new Error('This request is no longer needed');
}

/** A signal that aborts as soon as any of these does; undefined if none is given. */
export function anyOf(...signals: Array<AbortSignal | undefined>): AbortSignal | undefined {
	const given = signals.filter((signal) => signal !== undefined);
	return given.length > 1 ? AbortSignal.any(given) : given[0];
}
