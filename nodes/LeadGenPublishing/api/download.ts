/**
 * Fetches a file from an address that a user, or a model, has given: through n8n's HTTP helper, whose
 * proxy and SSRF protection hold, and never with the key. Each redirect is an address to be checked
 * like the first one. What an address or an answer says is never quoted: both may hold a secret.
 */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { foreignAddress } from './addresses';
import { NEVER_SENT } from './networkFailure';
import { isRecord } from './schemas';
import { transmit, type HttpFunctions } from './transport';

export interface Download {
	readonly bytes: Buffer;
	/** As the server calls it; empty if it does not. */
	readonly contentType: string;
	/** The last part of the path. */
	readonly name: string;
}

/** Why there is no file: what is wrong, what to do, and whether another attempt may help. */
export class DownloadProblem extends Error {
	constructor(
		readonly problem: string,
		readonly remedy: string,
		readonly retryable = false,
	) {
		super(problem);
	}
}

interface Wanted {
	readonly url: string;
	/** Of the service. */
	readonly baseUrl: string;
	readonly maxBytes: number;
	/** Throws if no file is wanted of which the headers say this. */
	readonly accept: (contentType: string, size: number | undefined) => void;
}

const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;

export async function download(functions: HttpFunctions, wanted: Wanted): Promise<Download> {
	let address = wanted.url.trim();
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
		const url = checked(address, { ...wanted, isRedirect: redirects > 0 });
		const answer = await fetchOnce(functions, url, wanted);
		if (!('redirectedTo' in answer)) return answer;
		address = URL.canParse(answer.redirectedTo, url.href)
			? new URL(answer.redirectedTo, url).href
			: '';
	}
	throw new DownloadProblem('redirects again and again', 'Give the address of the file itself.');
}

function checked(
	address: string,
	{ baseUrl, isRedirect }: Pick<Wanted, 'baseUrl'> & { isRedirect: boolean },
): URL {
	const url = foreignAddress(address, { baseUrl, mayBeNear: false });
	if (typeof url !== 'string') return url;
	throw new DownloadProblem(
		isRedirect ? `redirects to an address that ${url}` : url,
		'Give an address on the internet that begins with https:// and leads to the file. A file in your own network can be read by the HTTP Request node and uploaded from the item.',
	);
}

async function fetchOnce(
	functions: HttpFunctions,
	url: URL,
	{ maxBytes, accept }: Wanted,
): Promise<Download | { redirectedTo: string }> {
	const signal = functions.getExecutionCancelSignal?.();
	let problem: DownloadProblem | undefined;
	const read = async (response: unknown) =>
		await readResponse(response, { url, maxBytes, accept })
			.catch((error: unknown) => {
				if (!(error instanceof DownloadProblem)) throw error;
				return (problem = error);
			})
			.finally(() => discard(response));
	const request: Pick<IHttpRequestOptions, 'method' | 'headers'> & { url: string } = {
		method: 'GET',
		url: url.href,
		headers: { Accept: 'image/*, application/pdf, */*;q=0.1' },
	};
	const limits = { withKey: false, timeoutMs: TIMEOUT_MS, signal, secrets: [url.href] };
	const sent = await transmit(functions, request, { ...limits, read });
	if (problem !== undefined) throw problem;
	if ('response' in sent) return sent.response as Download | { redirectedTo: string };
	throw new DownloadProblem(
		`could not be fetched: ${sent.seen}`,
		'Check the address, and whether this n8n may reach it.',
		sent.kind === 'unreachable' && !NEVER_SENT.has(sent.seen),
	);
}

/** What is not read to its end would keep the connection. */
function discard(response: unknown): void {
	const { body } = isRecord(response) ? response : {};
	if (isRecord(body) && typeof body.destroy === 'function') body.destroy();
}

async function readResponse(
	response: unknown,
	{ url, maxBytes, accept }: { url: URL } & Pick<Wanted, 'maxBytes' | 'accept'>,
): Promise<Download | { redirectedTo: string }> {
	const { statusCode, headers, body } = isRecord(response) ? response : {};
	const header = (name: string): string => {
		const value = isRecord(headers) ? headers[name] : undefined;
		return typeof value === 'string' ? value : '';
	};
	const status = typeof statusCode === 'number' ? statusCode : 0;
	if (status >= 300 && status < 400 && header('location') !== '')
		return { redirectedTo: header('location') };
	if (status < 200 || status >= 300) {
		throw new DownloadProblem(
			`was answered with status ${status}`,
			'Open the address without being logged in: only what everybody can read can be fetched.',
			status === 429 || status >= 500,
		);
	}
	const contentType = header('content-type');
	const length = /^\d+$/.test(header('content-length'))
		? Number(header('content-length'))
		: undefined;
	accept(contentType, length);
	const bytes = await bytesOf(body, maxBytes);
	return { bytes, contentType, name: nameOf(url) };
}

/** Stops as soon as there are more, whatever length was announced. */
async function bytesOf(body: unknown, maxBytes: number): Promise<Buffer> {
	if (Buffer.isBuffer(body) && body.length <= maxBytes) return body;
	const parts: Buffer[] = [];
	let size = 0;
	if (!isAsyncIterable(body)) throw new DownloadProblem('holds no file', 'Check the address.');
	for await (const part of body) {
		const bytes = Buffer.from(part as Uint8Array);
		size += bytes.length;
		if (size > maxBytes) {
			throw new DownloadProblem(
				`holds more than ${maxBytes} bytes, which are allowed at most`,
				'Make the file smaller.',
			);
		}
		parts.push(bytes);
	}
	return Buffer.concat(parts);
}

const isAsyncIterable = (body: unknown): body is AsyncIterable<unknown> =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Without what could lead elsewhere as the name of a file. */
function nameOf({ pathname }: URL): string {
	const last = pathname.split('/').at(-1) ?? '';
	return last
		.replace(/%[\da-f]{2}/gi, '_')
		.replace(/[^\w.-]/g, '_')
		.slice(-100);
}
