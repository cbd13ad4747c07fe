/**
 * The second step of an upload: sends the file to the storage, at the URL that the service signed.
 * The storage is another host and never gets the key. Neither the URL nor the token appears in an
 * error.
 *
 * Assumed, because the API document does not show it: the file is sent with PUT, the URL is
 * complete as returned, and any 2xx means that the file is stored.
 */
import { readResponseBody, type Body, type ReadResponse } from './body';
import { ApiFailure, type SeenFailure } from './failure';
import { foreignUrl, type UrlProblem } from './foreignUrl';
import { readRetryAfter } from './retryAfter';
import { isRecord, type JsonRecord } from './schemas';
import { scrubText, withoutUrls } from './scrub';
import { discard, throwIfCanceled, timesOut, transmit } from './transport';
import type { HttpResponse } from './transport';
import type { Host } from './host';

export interface UploadTarget {
	readonly url: string;
	/** Texts that no error may contain. */
	readonly secrets: readonly string[];
}

/**
 * Reads the media upload result of part 2.5, and rejects a URL that is not safe to send to. The
 * credential's allowed domains do not apply, because they limit where the key may go.
 *
 * @doubt storageRules
 */
export function readTarget(
	{ upload_url: given, token }: JsonRecord,
	{ baseUrl }: { baseUrl: string },
): UploadTarget {
	const text = typeof given === 'string' ? given.trim() : '';
	const found = foreignUrl(text, { baseUrl, mayBeNear: true });
	if (found.kind === 'problem') throw unusable(found.problem);
	const { url } = found;
	const secrets = [token, ...partsOf(url)].filter(
		(part): part is string => typeof part === 'string' && part !== '',
	);
	return { url: url.href, secrets };
}

/** The storage received nothing. */
const unusable = (problem: UrlProblem): ApiFailure =>
	new ApiFailure({
		kind: 'unusableUrl',
		endpoint: 'media.createUploadUrl',
		problem,
		agency: false,
		attempts: 1,
		uncertain: false,
	});

/** Shorter parts of a URL are sizes and names, not signatures. */
const MIN_SIGNATURE_LENGTH = 8;

/** A storage may sign the path or the query, and may quote any part of them in an error. */
const partsOf = ({ pathname, search, searchParams }: URL): string[] =>
	[
		...pathname.split('/'),
		...searchParams.values(),
		...search
			.slice(1)
			.split('&')
			.flatMap((pair) => [pair, pair.slice(pair.indexOf('=') + 1)]),
	].filter((part) => part.length >= MIN_SIGNATURE_LENGTH);

/** A file that can be opened again if it has to be sent again. */
export interface FileToSend {
	readonly size: number;
	readonly contentType: string;
	/** The bytes, or a stream of them. */
	open(): Promise<object>;
}

/** Long enough for 15 MB over a slow connection. */
const TIMEOUT_MS = 300_000;
/** After this long without a byte accepted or an answer, the upload counts as stalled. */
const STALLED_MS = 30_000;
/** A file in memory shows no progress, so its limit allows for a slow connection: 1 Mbit/s. */
const SLOW_BYTES_PER_MS = 128;

/**
 * Sends the file once. A failure is an `ApiFailure` of the endpoint `media.upload`.
 *
 * @doubt storageRules
 */
export async function putFile(
	host: Host,
	{ target, file, agency }: { target: UploadTarget; file: FileToSend; agency: boolean },
): Promise<void> {
	throwIfCanceled(host.canceled);
	const body = await file.open();
	const { url, secrets } = target;
	const headers = { 'Content-Type': file.contentType, 'Content-Length': file.size };
	const sent = await transmit(
		host,
		{ method: 'PUT', url, headers, body },
		{
			withKey: false,
			timeoutMs: TIMEOUT_MS,
			secrets,
			stalled: async (ended) => await stalled(host, body, { size: file.size, ended }),
			read: readRefusal,
		},
	).finally(() => discard(body));
	if ('status' in sent && isStored(sent)) return;
	const seen: SeenFailure =
		'status' in sent ? refusal(sent, secrets) : { ...sent, endpoint: 'media.upload' };
	// An unused upload URL does no harm: there is no file behind it.
	throw new ApiFailure({ ...seen, agency, attempts: 1, uncertain: false });
}

const isStored = ({ status }: Pick<HttpResponse, 'status'>): boolean =>
	status >= 200 && status < 300;

/** The status says that the file is stored, whatever the body is. A refusal may have no readable body. */
async function readRefusal(response: HttpResponse): Promise<ReadResponse> {
	const { status, headers, body } = response;
	const unread: Body = { kind: 'problem', problem: 'undecodable' };
	if (!isStored(response))
		return await readResponseBody(response).catch(() => ({ status, headers, body: unread }));
	discard(body);
	return { status, headers, body: unread };
}

/** A stream emits `resume` each time the connection has taken its data, and `end` at last. */
async function stalled(
	host: Host,
	body: object,
	{ size, ended }: { size: number; ended: AbortSignal },
): Promise<never> {
	if (!('on' in body) || typeof body.on !== 'function')
		return await timesOut(host, STALLED_MS + size / SLOW_BYTES_PER_MS, ended);
	let moved = new AbortController();
	for (const event of ['resume', 'end']) body.on(event, () => moved.abort());
	for (;;) {
		await timesOut(host, STALLED_MS, AbortSignal.any([ended, moved.signal])).catch(
			(error: unknown) => {
				if (ended.aborted || !moved.signal.aborted) throw error;
			},
		);
		moved = new AbortController();
	}
}

function refusal(
	{ status: received, headers, body }: ReadResponse,
	secrets: readonly string[],
): SeenFailure {
	const value = body.kind === 'json' ? body.value : undefined;
	const { message, statusCode: named } = isRecord(value) ? value : {};
	// Some storages reject everything with 400, and name the actual status in the body.
	const status = received === 400 && isRefusal(Number(named)) ? Number(named) : received;
	const endpoint = 'media.upload';
	if (status >= 300 && status < 400) return { kind: 'redirected', endpoint, status };
	return {
		kind: 'answered',
		endpoint,
		code: 'storage_error',
		status,
		serviceMessage: messageIn(message, secrets),
		retryAfterMs: readRetryAfter(headers, Date.now()),
	};
}

const isRefusal = (status: number): boolean =>
	Number.isInteger(status) && status >= 400 && status < 600;

/** The storage's own message, if any. A web page or a file listing does not count as one. */
function messageIn(message: unknown, secrets: readonly string[]): string | undefined {
	if (typeof message !== 'string' || message.trim() === '') return undefined;
	return withoutUrls(scrubText(message, secrets));
}
