/** Reads the body of a response, as far as it can be read, and says what is wrong with it otherwise. */
import { noResponseOf } from './connectionFailure';
import type { BodyProblem } from './problems';
import { isRecord, without } from './schemas';
import { isTooDeep } from './tooDeep';
import type { HttpResponse } from './transport';

/** A body that was read, or why it could not be. */
export type Body =
	| { readonly kind: 'json'; readonly value: unknown }
	| { readonly kind: 'problem'; readonly problem: BodyProblem };

export interface ReadResponse extends Pick<HttpResponse, 'status' | 'headers'> {
	readonly body: Body;
}

/** A larger body is not read into memory. A page of 100 records takes a few hundred kB. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Rejects if the connection breaks: then no complete response has come. */
export async function readResponseBody({
	status,
	headers,
	body,
}: HttpResponse): Promise<ReadResponse> {
	return { status, headers, body: await bodyOf(body) };
}

async function bodyOf(body: unknown): Promise<Body> {
	// A helper that does not stream, such as the one in tests, returns the whole body.
	if (!isByteStream(body)) return parseBody(body);
	return await partsOf(body, MAX_BYTES).then(
		(parts) => (parts === undefined ? problem('tooLarge') : parseBody(Buffer.concat(parts))),
		(error: unknown) => {
			const { problem: known } = noResponseOf(error, []);
			if (known === 'undecodable' || known === 'tooLarge') return problem(known);
			throw error;
		},
	);
}

export const isByteStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Undefined as soon as the body is larger than `maxBytes`. Leaving the loop ends the stream. */
async function partsOf(
	body: AsyncIterable<Uint8Array>,
	maxBytes: number,
): Promise<Uint8Array[] | undefined> {
	const parts: Uint8Array[] = [];
	let size = 0;
	for await (const part of body) {
		size += part.length;
		if (size > maxBytes) return undefined;
		parts.push(Buffer.from(part));
	}
	return parts;
}

const problem = (what: BodyProblem): Body => ({ kind: 'problem', problem: what });

export function parseBody(raw: unknown): Body {
	const text = Buffer.isBuffer(raw) ? raw.toString('utf8') : (raw ?? '');
	if (typeof text !== 'string') return jsonOf(text);
	const trimmed = text.trim();
	if (trimmed === '') return problem('empty');
	const isJson = /^[{[]/.test(trimmed);
	try {
		return jsonOf(JSON.parse(trimmed) as unknown);
	} catch {
		if (isJson) return problem('cutOff');
		return problem(trimmed.startsWith('<') ? 'webPage' : 'text');
	}
}

/** A record of a list may be too deep: the reader of the list decides what to do with it. */
function jsonOf(value: unknown): Body {
	const isList = isRecord(value) && Array.isArray(value.data);
	const checked = isList ? without(value, 'data') : value;
	return isTooDeep(checked) ? problem('tooDeep') : { kind: 'json', value };
}
