/**
 * Parses an answer: a success with its envelope, or the facts of a failure. Everything the service
 * says in a failure is scrubbed here, before any other code sees it. Pure.
 */
import { endpoint, type EndpointName } from './endpoints';
import type { SeenFailure } from './failure';
import { REQUEST_ID_SHAPE } from './identifiers';
import { codeOfStatus } from './reasons';
import { readRetryAfter } from './retry';
import { isRecord, readError, readList, readSuccess, type JsonRecord } from './schemas';
import { scrubDetails, scrubText } from './scrub';

export interface Success {
	readonly kind: 'success';
	readonly body: unknown;
	readonly requestId: string;
}

export interface AnswerContext {
	readonly name: EndpointName;
	readonly secrets: readonly string[];
	readonly now: number;
	/** The ID that was sent; one in the answer takes precedence. */
	readonly requestId: string;
}

/** An answer, as far as it does not matter what was asked. */
interface Received {
	readonly status: number;
	readonly headers: JsonRecord;
	readonly requestId: string;
	readonly body: Body;
}

export function readAnswer(response: unknown, asked: AnswerContext): Success | SeenFailure {
	const { statusCode, headers: given, body: raw } = isRecord(response) ? response : {};
	const status = typeof statusCode === 'number' ? statusCode : 0;
	const headers = isRecord(given) ? given : {};
	const body = parseBody(raw);
	const requestId = requestIdOf(body.value, headers, asked);
	const received: Received = { status, headers, requestId, body };
	if (status >= 200 && status < 300) return readGoodStatus(received, asked);
	if (status >= 300 && status < 400)
		return { kind: 'redirected', endpoint: asked.name, status, requestId };
	return readRefusal(received, asked);
}

function requestIdOf(
	body: unknown,
	headers: JsonRecord,
	{ requestId, secrets }: AnswerContext,
): string {
	const given = [isRecord(body) ? body.request_id : undefined, headers['x-request-id']];
	const isId = (id: unknown): id is string => typeof id === 'string' && REQUEST_ID_SHAPE.test(id);
	const id = given.find(isId) ?? requestId;
	return id === requestId || scrubText(id, secrets) === id ? id : requestId;
}

function readGoodStatus(
	{ status, requestId, body }: Received,
	{ name }: AnswerContext,
): Success | SeenFailure {
	const { method, answer } = endpoint(name);
	const { value, isEmpty } = body;
	const list = answer === 'list';
	const success = (read: unknown): Success => ({ kind: 'success', body: read, requestId });
	const unreadable = (seen: string, cutOff: boolean): SeenFailure => ({
		...{ kind: 'unreadable', endpoint: name, status, requestId, seen, cutOff },
	});
	const isUndocumented = answer === 'undocumented';
	// Neither a record nor a page can come without a body; all else may.
	const mayBeEmpty = isUndocumented || method !== 'GET';
	if (status === 204 && mayBeEmpty) return success(undefined);
	if (method === 'DELETE' && deniesDeletion(value))
		return unreadable('an answer that nothing was deleted', false);
	if ((list ? readList(value) : readSuccess(value)) !== undefined) return success(value);
	// The API document does not show the answer to a deletion: any 2xx without an error confirms it.
	if (method === 'DELETE' && (isEmpty || (isRecord(value) && !('error' in value))))
		return success(undefined);
	// A write with an undocumented answer may be acknowledged with an empty body.
	if (method !== 'GET' && isUndocumented && isEmpty) return success(undefined);
	const data = isUndocumented ? dataWithoutRecord(value) : undefined;
	if (data !== undefined) return success({ data });
	if (answer === 'bare' && isBareObject(value)) return success({ data: value });
	return unreadable(body.seen ?? wrongEnvelope(value, list), body.cutOff);
}

function readRefusal(
	{ status, headers, requestId, body }: Received,
	{ name, secrets, now }: AnswerContext,
): SeenFailure {
	const clean = (text: string) => scrubText(text, secrets);
	const facts = { endpoint: name, status, requestId, retryAfterMs: readRetryAfter(headers, now) };
	const envelope = readError(body.value);
	if (envelope === undefined) {
		// Perhaps a proxy's error page: the status still says most of it.
		const code = codeOfStatus(status);
		const isConclusive = status >= 500 || status === 429 || (body.isEmpty && code !== undefined);
		return {
			...facts,
			// If the status alone does not say what happened, the Base URL may be wrong.
			kind: isConclusive ? 'answered' : 'unreadable',
			code,
			serviceMessage: messageWithoutEnvelope(body.value, clean),
			seen: body.seen ?? 'no error envelope',
			cutOff: body.cutOff,
		};
	}
	const { code, message, details } = envelope.error;
	return {
		...facts,
		kind: 'answered',
		code: clean(code),
		reason: typeof details?.reason === 'string' ? clean(details.reason) : undefined,
		serviceMessage: clean(message),
		serviceDetails: details && scrubDetails(details, secrets),
	};
}

/** The service's message in an error without the documented structure. */
function messageWithoutEnvelope(
	value: unknown,
	clean: (text: string) => string,
): string | undefined {
	if (!isRecord(value)) return undefined;
	const { error } = value;
	const message = isRecord(error) ? error.message : (error ?? value.message);
	return typeof message === 'string' && message !== '' ? clean(message) : undefined;
}

/** An object without an envelope. */
const isBareObject = (value: unknown): boolean =>
	isRecord(value) && Object.keys(value).length > 0 && !('data' in value) && !('error' in value);

/** The content of an envelope whose "data" is a list or null. */
function dataWithoutRecord(value: unknown): JsonRecord | undefined {
	if (!isRecord(value) || 'error' in value) return undefined;
	if (Array.isArray(value.data)) return { items: value.data };
	return value.data === null ? {} : undefined;
}

/** It may say of itself that nothing was deleted, inside of an envelope or without one. */
const deniesDeletion = (value: unknown): boolean =>
	isRecord(value) &&
	(value.deleted === false || (isRecord(value.data) && value.data.deleted === false));

interface Body {
	/** The JSON; undefined if there is none. */
	readonly value?: unknown;
	/** What came instead of JSON. */
	readonly seen?: string;
	readonly isEmpty: boolean;
	/** Something is missing that another attempt may bring. */
	readonly cutOff: boolean;
}

export function parseBody(raw: unknown): Body {
	const text = Buffer.isBuffer(raw) ? raw.toString('utf8') : (raw ?? '');
	if (typeof text !== 'string') return { value: text, isEmpty: false, cutOff: false };
	const trimmed = text.trim();
	if (trimmed === '') return { seen: 'an empty answer', isEmpty: true, cutOff: true };
	try {
		return { value: JSON.parse(trimmed) as unknown, isEmpty: false, cutOff: false };
	} catch {
		const cutOff = /^[{[]/.test(trimmed);
		const seen = cutOff
			? 'JSON that is cut off or damaged'
			: trimmed.startsWith('<')
				? 'a web page (HTML)'
				: 'text that is not JSON';
		return { seen, isEmpty: false, cutOff };
	}
}

function wrongEnvelope(value: unknown, list: boolean): string {
	if (!isRecord(value)) return 'JSON, but not an object';
	if (!('data' in value)) return 'JSON without "data"';
	if (!list) return 'JSON whose "data" is not an object';
	return Array.isArray(value.data)
		? 'a list without valid "pagination", or with entries that are not objects'
		: 'JSON whose "data" is not a list';
}
