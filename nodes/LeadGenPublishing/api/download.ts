/**
 * Fetches a file from a URL that a user or an AI model has given. It goes
 * through n8n's proxy and SSRF protection, and never gets the key. Each redirect is checked like the first
 * URL. Errors never quote a URL or a response, because both may contain a secret.
 */
import { isByteStream } from './body';
import type { NoResponse } from './connectionFailure';
import { foreignUrl, type UrlProblem } from './foreignUrl';
import type { Host } from './host';
import { mayPass } from './policy';
import { discard, transmit, type HttpResponse } from './transport';

/** Why there is no file. `words/` has the sentences. */
export type DownloadProblem =
	| { readonly kind: 'badUrl'; readonly problem: UrlProblem; readonly isRedirect: boolean }
	| { readonly kind: 'tooManyRedirects' }
	| { readonly kind: 'noResponse'; readonly failure: NoResponse }
	| { readonly kind: 'status'; readonly status: number }
	| { readonly kind: 'empty' }
	/** Perhaps only a part of the file: cut off, or compressed on the way. */
	| { readonly kind: 'incomplete' }
	| { readonly kind: 'otherType' }
	| { readonly kind: 'tooLarge'; readonly limit: number };

interface DownloadedFile {
	readonly kind: 'file';
	readonly bytes: Buffer;
	/** The last part of the path. */
	readonly name: string;
}

export type Download =
	DownloadedFile | { readonly kind: 'problem'; readonly problem: DownloadProblem };

export interface Wanted {
	readonly url: string;
	/** The service's Base URL. */
	readonly baseUrl: string;
	/** The total time for fetching, redirects included. */
	readonly maxMs: number;
	readonly now: () => number;
	/** How large a file that begins like this may be; undefined if no such file is wanted. */
	readonly limitOf: (beginning: Buffer) => number | undefined;
	/**
	 * Whether a file is whole by its own structure. Needed if nothing else tells where it ends: then a
	 * server or a proxy may have closed the connection early, or compressed only a part.
	 */
	readonly isWhole: (bytes: Buffer) => boolean;
}

type Fetched =
	| Omit<DownloadedFile, 'name'>
	| { readonly kind: 'problem'; readonly problem: DownloadProblem }
	| { readonly kind: 'redirect'; readonly to: string };

const MAX_REDIRECTS = 5;
/** Enough bytes to recognize any type of file. */
const BEGINNING = 16;

const failed = (problem: DownloadProblem): Extract<Fetched, { kind: 'problem' }> => ({
	kind: 'problem',
	problem,
});

export async function download(host: Host, wanted: Wanted): Promise<Download> {
	const end = wanted.now() + wanted.maxMs;
	let given = wanted.url.trim();
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
		const checked = foreignUrl(given, { baseUrl: wanted.baseUrl, mayBeNear: false });
		if (checked.kind === 'problem')
			return failed({ kind: 'badUrl', problem: checked.problem, isRedirect: redirects > 0 });
		const { url } = checked;
		const fetched = await fetchOnce(host, { url, wanted, leftMs: end - wanted.now() });
		if (fetched.kind === 'file') return { ...fetched, name: nameOf(url) };
		if (fetched.kind === 'problem') return fetched;
		given = URL.canParse(fetched.to, url.href) ? new URL(fetched.to, url).href : '';
	}
	return failed({ kind: 'tooManyRedirects' });
}

async function fetchOnce(
	host: Host,
	{ url, wanted, leftMs }: { url: URL; wanted: Wanted; leftMs: number },
): Promise<Fetched> {
	if (leftMs <= 0)
		return failed({ kind: 'noResponse', failure: { kind: 'unreachable', problem: 'timedOut' } });
	const headers = {
		Accept: 'image/*, application/pdf, */*;q=0.1',
		// Half of a compressed file looks like the whole.
		'Accept-Encoding': 'identity',
	};
	const fetched = await transmit(
		host,
		{ method: 'GET', url: url.href, headers },
		{
			withKey: false,
			timeoutMs: leftMs,
			secrets: [url.href],
			read: async (response) =>
				await fileIn(response, wanted).finally(() => discard(response.body)),
		},
	);
	return fetched.kind === 'prevented' || fetched.kind === 'unreachable'
		? failed({ kind: 'noResponse', failure: fetched })
		: fetched;
}

const PARTIAL_CONTENT = 206;

const headerOf = ({ headers }: HttpResponse, name: string): string => {
	const value = headers[name];
	return typeof value === 'string' ? value.trim() : '';
};

async function fileIn(response: HttpResponse, wanted: Wanted): Promise<Fetched> {
	const { status, body } = response;
	const to = headerOf(response, 'location');
	if (status >= 300 && status < 400 && to !== '') return { kind: 'redirect', to };
	if (status < 200 || status >= 300) return failed({ kind: 'status', status });
	// The node never asks for a part.
	if (status === PARTIAL_CONTENT) return failed({ kind: 'incomplete' });
	if (!isByteStream(body)) return failed({ kind: 'empty' });
	const read = await bytesOf(body, wanted.limitOf);
	if (read.kind === 'problem') return read;
	const isAnnounced = headerOf(response, 'content-length') === String(read.bytes.length);
	return isAnnounced || wanted.isWhole(read.bytes) ? read : failed({ kind: 'incomplete' });
}

/** Stops as soon as it is clear that the file is not wanted, whatever length was announced. */
async function bytesOf(
	body: AsyncIterable<Uint8Array>,
	limitOf: Wanted['limitOf'],
): Promise<Exclude<Fetched, { kind: 'redirect' }>> {
	const parts: Buffer[] = [];
	let size = 0;
	let limit: number | undefined;
	for await (const part of body) {
		parts.push(Buffer.from(part));
		size += part.length;
		if (limit === undefined && size >= BEGINNING) {
			limit = limitOf(Buffer.concat(parts));
			if (limit === undefined) return failed({ kind: 'otherType' });
		}
		if (limit !== undefined && size > limit) return failed({ kind: 'tooLarge', limit });
	}
	const bytes = Buffer.concat(parts);
	if (size === 0) return failed({ kind: 'empty' });
	return limitOf(bytes) === undefined ? failed({ kind: 'otherType' }) : { kind: 'file', bytes };
}

/** Whether another attempt may help. */
export function mayDownloadPass(problem: DownloadProblem): boolean {
	switch (problem.kind) {
		case 'noResponse':
			return mayPass(problem.failure);
		case 'status':
			return mayPass({ kind: 'answered', status: problem.status });
		case 'incomplete':
			return true;
		default:
			return false;
	}
}

/** Without characters that could turn the file name into another path. */
function nameOf({ pathname }: URL): string {
	const last = pathname.split('/').at(-1) ?? '';
	return last
		.replace(/%[\da-f]{2}/gi, '_')
		.replace(/[^\w.-]/g, '_')
		.slice(-100);
}
