/**
 * The second step of an upload: sends the file to the storage, at the URL that the service has
 * signed. The storage is another host. It never gets the key, and neither the URL nor the token ever
 * appears in an error.
 *
 * Assumed, since the API document does not show it: the file is sent with PUT, the URL is complete
 * as returned, and any 2xx means that the file is stored.
 */
import { ApiFailure, type FailureFacts } from './failure';
import { readNoAnswer } from './networkFailure';
import { throwIfCanceled } from './cancelling';
import { isTransient, type Outcome, readRetryAfter } from './retry';
import { isRecord } from './schemas';
import { scrubText } from './scrub';
import { notSent, type SenderParts } from './sender';
import type { TimeLimit } from './timeLimit';
import { type HttpFunctions, timesOut, transmit } from './transport';
import type { UploadTarget } from './uploadTarget';

/** A file that can be opened again if it has to be sent again. */
export interface FileToSend {
	readonly size: number;
	readonly contentType: string;
	/** The bytes, or a stream of them. */
	open(): Promise<object>;
}

/** Long enough for 15 MB over a slow connection. */
const TIMEOUT_MS = 300_000;
/** A storage that neither takes a byte nor answers for so long is not waited for. */
const STALLED_MS = 30_000;
/** Of bytes in memory nobody sees when they go out, so a slow connection is allowed for: 1 Mbit/s. */
const SLOW_BYTES_PER_MS = 128;

/** Sends the file once. A failure is an `ApiFailure` of the endpoint `media.upload`. */
export async function putFile(
	functions: HttpFunctions,
	{ target, file, agency }: { target: UploadTarget; file: FileToSend; agency: boolean },
): Promise<void> {
	const signal = functions.getExecutionCancelSignal?.();
	throwIfCanceled(signal);
	const body = await file.open();
	const { url, secrets } = target;
	const headers = { 'Content-Type': file.contentType, 'Content-Length': file.size };
	const sent = await transmit(
		functions,
		{ method: 'PUT', url, headers, body },
		{
			...{ withKey: false, timeoutMs: TIMEOUT_MS, signal, secrets },
			stalled: async (ended) => await stalled(body, { size: file.size, ended }),
		},
	).finally(() => close(body));
	const refused = 'network' in sent ? readNoAnswer(sent) : refusal(sent.response, target);
	if (refused !== undefined) throw failure(refused, agency);
}

/** A stream says `resume` each time that the connection has taken what it was given, and `end` last. */
async function stalled(
	body: object,
	{ size, ended }: { size: number; ended: AbortSignal },
): Promise<never> {
	if (!('on' in body) || typeof body.on !== 'function')
		return await timesOut(STALLED_MS + size / SLOW_BYTES_PER_MS, ended);
	let moved = new AbortController();
	for (const event of ['resume', 'end']) body.on(event, () => moved.abort());
	for (;;) {
		await timesOut(STALLED_MS, AbortSignal.any([ended, moved.signal])).catch((error: unknown) => {
			if (ended.aborted || !moved.signal.aborted) throw error;
		});
		moved = new AbortController();
	}
}

interface Refusal {
	readonly facts: Pick<FailureFacts, 'kind'> & Partial<FailureFacts>;
	readonly outcome: Outcome;
}

function refusal(response: unknown, target: UploadTarget): Refusal | undefined {
	const { statusCode, headers, body } = isRecord(response) ? response : {};
	const received = typeof statusCode === 'number' ? statusCode : 0;
	if (received >= 200 && received < 300) return undefined;
	const status = received === 400 ? (statusIn(body) ?? received) : received;
	const retryAfterMs = readRetryAfter(
		isRecord(headers) ? headers['retry-after'] : undefined,
		isRecord(headers) ? headers.date : undefined,
		Date.now(),
	);
	return {
		facts: {
			kind: status >= 300 && status < 400 ? 'redirected' : 'answered',
			status,
			code: 'storage_error',
			serviceMessage: messageIn(body, target),
			retryAfterMs,
		},
		outcome: { kind: 'status', status, retryAfterMs },
	};
}

/** Nothing is left half done: an unused upload URL leads to no file. */
const failure = ({ facts, outcome }: Refusal, agency: boolean): ApiFailure =>
	new ApiFailure({
		...facts,
		endpoint: 'media.upload',
		agency,
		retryable: isTransient(outcome),
		attempts: 1,
		uncertain: false,
	});

/** The storage's own message, if any; a page or a file listing is not one. */
function messageIn(body: unknown, { secrets }: UploadTarget): string | undefined {
	const answer = typeof body === 'string' ? parsed(body) : body;
	const message = isRecord(answer) ? answer.message : undefined;
	if (typeof message !== 'string' || message.trim() === '') return undefined;
	return scrubText(message, secrets).replace(/https?(?::|%3a)\S*/gi, '[address hidden]');
}

/** Some storages answer every refusal with 400, and name the actual status in the body. */
function statusIn(body: unknown): number | undefined {
	const answer = typeof body === 'string' ? parsed(body) : body;
	const status = isRecord(answer) ? Number(answer.statusCode) : NaN;
	return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

function close(body: object): void {
	if ('destroy' in body && typeof body.destroy === 'function') body.destroy();
}

export interface Turn {
	/** The time limit of the item. */
	readonly time: TimeLimit;
	readonly agency: boolean;
}

export async function inStorageTurn<T>(
	{ gate, now, sleep }: Pick<SenderParts, 'gate' | 'now' | 'sleep'>,
	{ time, agency }: Turn,
	upload: () => Promise<T>,
): Promise<T> {
	const pass = await gate.enter(
		{ ms: time.leftForWaiting(), sinceFirstMs: time.maxMs },
		async (ms, enough) => await sleep(ms, enough),
	);
	if (pass === undefined) {
		throw new ApiFailure({
			...notSent(gate, now()),
			endpoint: 'media.upload',
			agency,
			retryable: true,
			attempts: 0,
			uncertain: false,
		});
	}
	const uploaded = await upload().catch((error: unknown) => {
		if (asksToWait(error)) pass.throttled(error.facts);
		else pass.unanswered();
		throw error;
	});
	pass.answered();
	return uploaded;
}

/** The service has its own gate: only answers of the storage count here. */
const asksToWait = (error: unknown): error is ApiFailure =>
	error instanceof ApiFailure &&
	error.facts.endpoint === 'media.upload' &&
	(error.facts.status === 429 || (error.facts.retryable && error.facts.retryAfterMs !== undefined));
