/**
 * Reads a response: a success with its envelope, or the facts of a failure. Everything that the service
 * says in a failure is scrubbed here, before any other code sees it. Pure.
 */
import type { Body, ReadResponse } from './body';
import { endpoint, isWrite, type EndpointName } from './endpoints';
import type { Cause, SeenFailure } from './failure';
import { REQUEST_ID_SHAPE } from './identifiers';
import { classOfStatus } from './policy';
import { codeOfStatus } from './policyTables';
import type { BodyProblem } from './problems';
import { readRetryAfter } from './retryAfter';
import { isRecord, readError, readListEnvelope, readSuccess, type JsonRecord } from './schemas';
import { scrubDetails, scrubText } from './scrub';

export interface Success {
	readonly kind: 'success';
	readonly body: unknown;
}

export interface AnswerContext {
	readonly name: EndpointName;
	readonly secrets: readonly string[];
	readonly now: number;
	/** The ID that was sent. An ID in the response takes precedence. */
	readonly requestId: string;
}

/** @doubt emptySuccess */
export function readAnswer(
	{ status, headers, body }: ReadResponse,
	asked: AnswerContext,
): Success | SeenFailure {
	const value = valueOf(body);
	const facts = { endpoint: asked.name, status, requestId: requestIdOf(value, headers, asked) };
	if (status >= 300 && status < 400) return { ...facts, kind: 'redirected' };
	if (status < 200 || status >= 300 || isError(value, asked.name)) {
		const retryAfterMs = readRetryAfter(headers, asked.now);
		return { ...facts, ...readRefusal(body, { status, retryAfterMs }, asked.secrets) };
	}
	if (endpoint(asked.name).method === 'DELETE' && deniesDeletion(value))
		return { ...facts, kind: 'notDeleted' };
	const success = successIn(body, status, asked.name);
	if (typeof success !== 'string') return { kind: 'success', body: success.body };
	return { ...facts, kind: 'unreadable', problem: success };
}

/**
 * An error in a response with a good status. A read has no effect, so an error says all about it,
 * whatever else the response holds. What a change did is said by its data, if there is any.
 */
function isError(value: unknown, name: EndpointName): boolean {
	if (readError(value) === undefined || !isRecord(value)) return false;
	const { data } = value;
	const saysSomething = typeof data === 'object' && data !== null && Object.keys(data).length > 0;
	return !isWrite(name) || !saysSomething;
}

function requestIdOf(
	value: unknown,
	headers: JsonRecord,
	{ requestId, secrets }: AnswerContext,
): string {
	const given = [isRecord(value) ? value.request_id : undefined, headers['x-request-id']];
	const isId = (id: unknown): id is string => typeof id === 'string' && REQUEST_ID_SHAPE.test(id);
	const id = given.find(isId) ?? requestId;
	return id === requestId || scrubText(id, secrets) === id ? id : requestId;
}

const valueOf = (body: Body): unknown => (body.kind === 'json' ? body.value : undefined);
const problemOf = (body: Body): BodyProblem | undefined =>
	body.kind === 'problem' ? body.problem : undefined;

/** The envelope of a success, or the problem that came instead. A success may have no body. */
function successIn(
	body: Body,
	status: number,
	name: EndpointName,
): { body: unknown } | BodyProblem {
	const { method, answer } = endpoint(name);
	const value = valueOf(body);
	const changes = isWrite(name);
	const isEmpty = problemOf(body) === 'empty';
	const isUndocumented = answer === 'undocumented';
	const acknowledged = { body: undefined };
	// A read that returns a record or a list needs a body. Any other request may succeed without one.
	if (status === 204 && (isUndocumented || changes)) return acknowledged;
	const isList = answer === 'list';
	if ((isList ? readListEnvelope(value) : readSuccess(value)) !== undefined) return { body: value };
	const hasNoError = isRecord(value) && (value.error ?? null) === null;
	// The API document does not show the response to a deletion: any 2xx without an error confirms
	// it.
	if (method === 'DELETE' && (isEmpty || hasNoError)) return acknowledged;
	// A write with an undocumented response may be acknowledged with an empty body.
	if (changes && isUndocumented && isEmpty) return acknowledged;
	if (isUndocumented && hasNoError) {
		const { data } = value;
		if (Array.isArray(data)) return { body: { data: { items: data } } };
		if (data === null) return { body: { data: {} } };
		const saysSomething = changes || Object.keys(value).length > 0;
		if (data === undefined && saysSomething) return { body: { data: value } };
	}
	return problemOf(body) ?? wrongEnvelope(value, isList);
}

function readRefusal(
	body: Body,
	{ status, retryAfterMs }: { status: number; retryAfterMs: number | undefined },
	secrets: readonly string[],
): Cause {
	const clean = (text: string) => scrubText(text, secrets);
	const value = valueOf(body);
	const envelope = readError(value);
	if (envelope === undefined) {
		const problem = problemOf(body) ?? 'noEnvelope';
		// Perhaps a proxy's error page: the status still says most of it.
		const code = codeOfStatus(status);
		const message = messageWithoutEnvelope(value);
		const serviceMessage = message && clean(message);
		// If the status alone does not say what happened, the Base URL may be wrong.
		const seen = { status, code, problem, serviceMessage, retryAfterMs };
		return isConclusive(status, problem)
			? { kind: 'answered', ...seen }
			: { kind: 'unreadable', ...seen };
	}
	const { code, message, details } = envelope.error;
	return {
		kind: 'answered',
		status,
		retryAfterMs,
		code: clean(code),
		reason: typeof details?.reason === 'string' ? clean(details.reason) : undefined,
		serviceMessage: clean(message),
		serviceDetails: details && scrubDetails(details, secrets),
	};
}

function isConclusive(status: number, problem: BodyProblem): boolean {
	if (status >= 500 || classOfStatus(status) === 'throttled') return true;
	return problem === 'empty' && codeOfStatus(status) !== undefined;
}

/** The service's message in an error without the documented structure. */
function messageWithoutEnvelope(value: unknown): string | undefined {
	if (!isRecord(value)) return undefined;
	const { error } = value;
	const message = isRecord(error) ? error.message : (error ?? value.message);
	return typeof message === 'string' && message !== '' ? message : undefined;
}

/** The response itself may say that nothing was deleted, with or without an envelope. */
const deniesDeletion = (value: unknown): boolean =>
	isRecord(value) &&
	(value.deleted === false || (isRecord(value.data) && value.data.deleted === false));

function wrongEnvelope(value: unknown, isList: boolean): BodyProblem {
	if (!isRecord(value)) return 'noObject';
	if (!('data' in value)) return 'noData';
	if (!isList) return 'dataIsNoObject';
	return Array.isArray(value.data) ? 'invalidList' : 'dataIsNoList';
}
