/**
 * Parses an answer: a success with its envelope, or the facts of a failure. Everything the service
 * says in a failure is scrubbed here, before any other code sees it. Pure.
 */
import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { endpoint, type EndpointName } from './endpoints';
import type { FailureFacts } from './failure';
import { statusOfReason } from './nextAttempt';
import { REQUEST_ID_SHAPE } from './identifiers';
import { readRetryAfter, type Outcome } from './retry';
import { isRecord, readError, readList, readSuccess, type JsonRecord } from './schemas';
import { scrubDetails, scrubText } from './scrub';
import { codeOfStatus } from './words';

export type ParsedAnswer =
	| { kind: 'success'; body: unknown; requestId?: string }
	| {
			kind: 'failure';
			outcome: Outcome;
			facts: Omit<
				FailureFacts,
				'endpoint' | 'agency' | 'retryable' | 'attempts' | 'uncertain' | 'keyed'
			>;
	  };

export interface AnswerContext {
	readonly name: EndpointName;
	readonly method: IHttpRequestOptions['method'];
	readonly list: boolean;
	readonly secrets: readonly string[];
	readonly now: number;
	/** The ID that was sent; one in the answer takes precedence. */
	readonly requestId: string;
}

export function readAnswer(
	{ name, method, list, secrets, now, ...asked }: AnswerContext,
	response: unknown,
): ParsedAnswer {
	const { statusCode, headers, body: raw } = fullResponse(response);
	const body = parse(raw);
	const clean = (text: string) => scrubText(text, secrets);
	const id = requestIdOf(body.value, headers) ?? asked.requestId;
	const requestId = id === asked.requestId || clean(id) !== id ? asked.requestId : id;
	const facts = { status: statusCode, requestId };
	const statusClass = Math.floor(statusCode / 100);
	if (statusClass === 3) {
		return {
			kind: 'failure',
			outcome: { kind: 'status', status: statusCode },
			facts: { ...facts, kind: 'redirected' },
		};
	}
	if (statusClass === 2) {
		const { answer } = endpoint(name);
		const isUndocumented = answer === 'undocumented';
		// A 204 is a success without a body, but not for a request that must return a record or a page.
		if (statusCode === 204 && (method !== 'GET' || isUndocumented))
			return { kind: 'success', body: undefined, requestId };
		if (method === 'DELETE' && deniesDeletion(body.value))
			return {
				kind: 'failure',
				outcome: { kind: 'unreadable', cutOff: false },
				facts: { ...facts, kind: 'unreadable', seen: 'an answer that nothing was deleted' },
			};
		const readable = list ? readList(body.value) : readSuccess(body.value);
		if (readable !== undefined) return { kind: 'success', body: body.value, requestId };
		if (method === 'DELETE' && confirmsDeletion(raw, body.value))
			return { kind: 'success', body: undefined, requestId };
		// A write with an undocumented answer may be acknowledged with an empty body.
		if (method !== 'GET' && isUndocumented && isEmpty(raw))
			return { kind: 'success', body: undefined, requestId };
		const data = isUndocumented ? dataWithoutRecord(body.value) : undefined;
		if (data !== undefined) return { kind: 'success', body: { data }, requestId };
		if (answer === 'bare' && isBareObject(body.value))
			return { kind: 'success', body: { data: body.value }, requestId };
		return {
			kind: 'failure',
			outcome: { kind: 'unreadable', cutOff: body.cutOff },
			facts: {
				...facts,
				kind: 'unreadable',
				seen: body.seen ?? wrongEnvelope(body.value, list),
			},
		};
	}
	const retryAfterMs = readRetryAfter(headers['retry-after'], headers.date, now);
	const envelope = readError(body.value);
	const outcome: Outcome = { kind: 'status', status: statusCode, retryAfterMs };
	if (envelope === undefined) {
		// Perhaps a proxy's error page: the status still says most of it.
		return {
			kind: 'failure',
			outcome: { ...outcome, isReasonLost: body.cutOff },
			facts: {
				...facts,
				kind: statusIsConclusive(statusCode, raw) ? 'answered' : 'unreadable',
				code: codeOfStatus(statusCode),
				serviceMessage: messageWithoutEnvelope(body.value, clean),
				seen: body.seen ?? 'no error envelope',
				retryAfterMs,
			},
		};
	}
	const { message, details } = envelope.error;
	const code = clean(envelope.error.code);
	const reason = typeof details?.reason === 'string' ? clean(details.reason) : undefined;
	// Throttled is throttled, and refused is refused, whatever the status.
	const stated = code === 'rate_limited' ? 429 : reason && statusOfReason(reason);
	const isKnown = stated === 429 || (stated === 409 && method !== 'GET');
	return {
		kind: 'failure',
		outcome: { ...outcome, reason, ...(isKnown ? { status: stated } : {}) },
		facts: {
			...facts,
			kind: 'answered',
			code,
			reason,
			serviceMessage: clean(message),
			serviceDetails: details === undefined ? undefined : scrubDetails(details, secrets),
			retryAfterMs,
		},
	};
}

/** Whether the status alone says what happened; otherwise the Base URL may be wrong. */
const statusIsConclusive = (status: number, raw: unknown): boolean =>
	status >= 500 || status === 429 || (isEmpty(raw) && codeOfStatus(status) !== undefined);

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

/** The API document does not show the answer to a deletion: any 2xx without an error confirms it. */
const confirmsDeletion = (raw: unknown, value: unknown): boolean =>
	isEmpty(raw) || (isRecord(value) && !('error' in value));

/** It may say of itself that nothing was deleted, inside of an envelope or without one. */
const deniesDeletion = (value: unknown): boolean =>
	isRecord(value) &&
	(value.deleted === false || (isRecord(value.data) && value.data.deleted === false));

const isEmpty = (raw: unknown): boolean =>
	raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '');

function fullResponse(
	response: unknown,
): Pick<IN8nHttpFullResponse, 'statusCode' | 'headers'> & { body: unknown } {
	if (!isRecord(response)) return { statusCode: 0, headers: {}, body: response };
	return {
		statusCode: typeof response.statusCode === 'number' ? response.statusCode : 0,
		headers: isRecord(response.headers) ? (response.headers as IDataObject) : {},
		body: response.body,
	};
}

function parse(raw: unknown): { value: unknown; seen?: string; cutOff: boolean } {
	const text = Buffer.isBuffer(raw) ? raw.toString('utf8') : raw;
	if (typeof text !== 'string') {
		return text === undefined || text === null
			? { value: undefined, seen: 'an empty answer', cutOff: true }
			: { value: text, cutOff: false };
	}
	const trimmed = text.trim();
	if (trimmed === '') return { value: undefined, seen: 'an empty answer', cutOff: true };
	try {
		return { value: JSON.parse(trimmed) as unknown, cutOff: false };
	} catch {
		if (/^</.test(trimmed)) return { value: undefined, seen: 'a web page (HTML)', cutOff: false };
		if (/^[{[]/.test(trimmed))
			return { value: undefined, seen: 'JSON that is cut off or damaged', cutOff: true };
		return { value: undefined, seen: 'text that is not JSON', cutOff: false };
	}
}

function wrongEnvelope(value: unknown, list: boolean): string {
	if (!isRecord(value)) return 'JSON, but not an object';
	if (!('data' in value)) return 'JSON without "data"';
	if (list && !Array.isArray(value.data)) return 'JSON whose "data" is not a list';
	if (list) return 'a list without valid "pagination", or with entries that are not objects';
	return 'JSON whose "data" is not an object';
}

function requestIdOf(body: unknown, headers: IDataObject): string | undefined {
	const given = [isRecord(body) ? body.request_id : undefined, headers['x-request-id']];
	return given.find((id): id is string => typeof id === 'string' && REQUEST_ID_SHAPE.test(id));
}
