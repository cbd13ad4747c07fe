/**
 * Fetches a file from an address that a user, or a model, has given: through n8n's HTTP helper, whose
 * proxy and SSRF protection hold, and never with the key. Each redirect is an address to be checked
 * like the first one. What an address or an answer says is never quoted: both may hold a secret.
 */
import { foreignAddress } from './addresses';
import { discard, transmit, type HttpFunctions, type HttpResponse } from './transport';

export interface Download {
	readonly bytes: Buffer;
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

const OTHER_ADDRESS =
	'Give an address on the internet that begins with https:// and leads to the file. A file in your own network can be read by the HTTP Request node and uploaded from the item.';

export async function download(functions: HttpFunctions, wanted: Wanted): Promise<Download> {
	let address = wanted.url.trim();
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
		const url = foreignAddress(address, { baseUrl: wanted.baseUrl, mayBeNear: false });
		if (typeof url === 'string') {
			const problem = redirects === 0 ? url : `redirects to an address that ${url}`;
			throw new DownloadProblem(problem, OTHER_ADDRESS);
		}
		const answer = await fetchOnce(functions, url, wanted);
		if (Buffer.isBuffer(answer.body)) return { bytes: answer.body, name: nameOf(url) };
		const to = redirectIn(answer);
		address = URL.canParse(to, url.href) ? new URL(to, url).href : '';
	}
	throw new DownloadProblem('redirects again and again', 'Give the address of the file itself.');
}

async function fetchOnce(
	functions: HttpFunctions,
	url: URL,
	wanted: Wanted,
): Promise<HttpResponse> {
	const headers = { Accept: 'image/*, application/pdf, */*;q=0.1' };
	const sent = await transmit(
		functions,
		{ method: 'GET', url: url.href, headers },
		{
			...{ withKey: false, timeoutMs: TIMEOUT_MS, secrets: [url.href] },
			signal: functions.getExecutionCancelSignal?.(),
			read: async (response) => await withFile(response, wanted),
		},
	);
	if (!('status' in sent))
		throw new DownloadProblem(
			`could not be fetched: ${sent.problem ?? sent.seen}`,
			'Check the address, and whether this n8n may reach it.',
			sent.kind === 'unreachable' && sent.neverSent !== true,
		);
	if (sent.body instanceof DownloadProblem) throw sent.body;
	return sent;
}

const headerOf = ({ headers }: HttpResponse, name: string): string => {
	const value = headers[name];
	return typeof value === 'string' ? value : '';
};

const redirectIn = (response: HttpResponse): string =>
	response.status >= 300 && response.status < 400 ? headerOf(response, 'location') : '';

/** The response with the bytes of the file as its body, or with the problem that there is with it. */
async function withFile(response: HttpResponse, wanted: Wanted): Promise<HttpResponse> {
	const { body } = response;
	const file = await fileIn(response, wanted)
		.catch((error: unknown) => {
			if (error instanceof DownloadProblem) return error;
			throw error;
		})
		.finally(() => discard(body));
	return { ...response, body: file };
}

async function fileIn(
	response: HttpResponse,
	{ maxBytes, accept }: Wanted,
): Promise<Buffer | undefined> {
	const { status, body } = response;
	if (redirectIn(response) !== '') return undefined;
	const isBusy = status === 429 || status >= 500;
	if (status < 200 || status >= 300)
		throw new DownloadProblem(
			`was answered with status ${status}`,
			isBusy
				? 'Look whether the address opens in a browser.'
				: 'Open the address without being logged in: only what everybody can read can be fetched.',
			isBusy,
		);
	const length = headerOf(response, 'content-length');
	accept(headerOf(response, 'content-type'), /^\d+$/.test(length) ? Number(length) : undefined);
	return await bytesOf(body, maxBytes);
}

/** Stops as soon as there are more, whatever length was announced. */
async function bytesOf(body: unknown, maxBytes: number): Promise<Buffer> {
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
