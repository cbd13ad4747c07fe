/** Responses of a simulated service, for the tests that simulate one. */
import { Readable } from 'node:stream';

export interface Reply {
	/** 200 unless told. */
	readonly status?: number;
	readonly headers?: Readonly<Record<string, unknown>>;
	/** A text or a stream is sent as it is. */
	readonly body?: unknown;
}

export const ok = (data: unknown = {}): Reply => ({ body: { data } });

/** A page of a list. By default, it is the last one. */
export const pageOf = (
	records: readonly unknown[],
	{
		offset = 0,
		limit = 100,
		hasMore = false,
	}: { offset?: number; limit?: number; hasMore?: boolean } = {},
): Reply => ({ body: { data: [...records], pagination: { limit, offset, has_more: hasMore } } });

/** The requested page of the list. */
export const pageFrom = (
	records: readonly unknown[],
	{ offset, limit }: { offset: number; limit: number },
): Reply =>
	pageOf(records.slice(offset, offset + limit), {
		offset,
		limit,
		hasMore: offset + limit < records.length,
	});

/** Without a code, the response has a status and no body. */
export const refused = (status: number, code?: string, reason?: string): Reply => ({
	status,
	body: code === undefined ? '' : { error: { code, message: 'No', details: { reason } } },
});

/** Asks the client to wait this many seconds, or until that time. */
export const throttled = (
	retryAfter: number | string,
	reply: Reply = refused(429, 'rate_limited'),
): Reply => ({ ...reply, headers: { 'retry-after': `${retryAfter}` } });

/** The connection ends without a response. */
export const lost = (code = 'ECONNRESET'): Error => Object.assign(new Error('odd'), { code });

/** A file as n8n's helper gives it: a stream, with its length unless told or unknown. */
export function fileReceived({
	status = 200,
	headers,
	body,
}: Omit<Reply, 'body'> & { readonly body: Iterable<string | Uint8Array> }) {
	const parts = Array.isArray(body)
		? body.map((part: string | Uint8Array) => Buffer.from(part))
		: body;
	const length = Array.isArray(parts) ? String(Buffer.concat(parts).length) : undefined;
	return {
		statusCode: status,
		headers: { 'content-length': length, ...headers },
		body: Readable.from(parts),
	};
}

/** As n8n's helper gives it. */
export const asReceived = ({ status = 200, headers = {}, body = '' }: Reply) => ({
	statusCode: status,
	headers,
	body: typeof body === 'string' || body instanceof Readable ? body : JSON.stringify(body),
});
