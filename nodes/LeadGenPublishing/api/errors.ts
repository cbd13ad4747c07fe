/** Converts failures into n8n errors, and into the details of an item on the error output. */
import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type NodeApiError as NodeApiErrorType,
} from 'n8n-workflow';

import { writeDescriptionOf } from './writeDescriptions';
import { explain } from './explain';
import { ApiFailure, InputError, OpenWriteError, type FailureFacts } from './failure';
import { givenIn, type JsonRecord } from './schemas';

/** What fits into a list of executions, an alert, or the context of a model. */
const MAX_MESSAGE = 300;
/** A reason is one word; a longer one must leave room for what is said of it. */
const MAX_REASON = 80;
/** Less of the service's own words says nothing. */
const MIN_QUOTE = 20;

/** The message must be complete: it is all that an AI agent or an error workflow sees. */
export function messageOf(facts: FailureFacts): string {
	const { what, saysUnknown } = explain(facts);
	const title = facts.reason ? `${what} (${clip(facts.reason, MAX_REASON)})` : what;
	const further = [
		// Without this, an AI model would simply try again.
		facts.uncertain &&
			!saysUnknown &&
			`It is not known whether ${writeDescriptionOf(facts.endpoint)?.done ?? 'it was done'}.`,
		facts.found,
		waitSentence(facts),
	].filter((sentence) => typeof sentence === 'string');
	const room = MAX_MESSAGE - [title, ...further].join(' ').length - 2;
	const quote = quoteOf(facts, { title, room });
	return clip([`${title}${quote === '' ? '.' : `: ${quote}`}`, ...further].join(' '), MAX_MESSAGE);
}

function waitSentence({ kind, retryAfterMs, uncertain, retryable }: FailureFacts) {
	if (kind === 'notSent' || retryAfterMs === undefined || uncertain || !retryable) return undefined;
	return `Retry after ${Math.ceil(retryAfterMs / 1000)} s.`;
}

/** The service's own words as a sentence; empty where they add nothing to ours, or do not fit. */
function quoteOf(
	{ serviceMessage = '', code = '' }: FailureFacts,
	{ title, room }: { title: string; room: number },
): string {
	const said = wordsIn(`${title} ${code} ${STATUS_WORDS}`);
	if ([...wordsIn(serviceMessage)].every((word) => said.has(word)) || room < MIN_QUOTE) return '';
	const text = clip(serviceMessage.trim().replace(/(?<![\s.,;:])[\s.,;:]+$/, ''), room);
	return /[!?…]$/.test(text) ? text : `${text}.`;
}

/** What services say when they say nothing. */
const STATUS_WORDS =
	'a an the is was are error server http status request too many unprocessable entity resource';
const wordsIn = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

const clip = (text: string, length: number): string =>
	text.length <= length
		? text
		: `${text.slice(0, length - 1).replace(/(?<![\s\p{Cs}])[\s\p{Cs}]+$/u, '')}…`;

/** The `details` of an item on the error output. Our fields take precedence over the service's. */
export function detailsOf(error: unknown): JsonRecord {
	if (error instanceof InputError)
		return { ...withoutAnswer('invalid_input'), next: error.remedy, ...error.details };
	// An expression or a credential that n8n could not read, say: the service knows nothing of it.
	if (!(error instanceof ApiFailure)) return withoutAnswer('n8n_error');
	const { facts } = error;
	const { uncertain, retryAfterMs } = facts;
	return {
		...facts.serviceDetails,
		http_status: facts.status ?? null,
		code: codeOf(facts),
		reason: facts.reason ?? null,
		request_id: facts.requestId ?? null,
		retryable: facts.retryable && (!uncertain || facts.recognisable === true),
		...givenIn({
			outcome: uncertain ? 'unknown' : undefined,
			idempotency_key: uncertain ? facts.idempotencyKey : undefined,
			retry_after_seconds: retryAfterMs && Math.ceil(retryAfterMs / 1000),
			not_before: facts.notBefore,
		}),
		next: explain(facts).next,
	};
}

const codeOf = ({ code, kind }: FailureFacts): string => code ?? kind;

const withoutAnswer = (code: string): JsonRecord => ({
	...{ http_status: null, code, reason: null, request_id: null, retryable: false },
});

/** Where the user looks for it when the support of the service asks. */
const withRequestId = (next: string, { requestId, serviceMessage = '' }: FailureFacts): string =>
	requestId === undefined || serviceMessage.includes(requestId)
		? next
		: `${next} Request ID: ${requestId}.`;

type Failure = NonNullable<NodeApiErrorType['failure']>;

function causeOf({ status, code, retryable, retryAfterMs }: FailureFacts): Failure {
	if (status === 429 || code === 'rate_limited') return { cause: 'rate-limited', retryAfterMs };
	if (status === 401) return { cause: 'credential-invalid' };
	return retryable
		? { cause: 'temporarily-unavailable', retryAfterMs }
		: { cause: 'configuration-invalid' };
}

/** n8n replaces messages that contain a status text it knows; ours says more. */
export function apiError(
	node: INode,
	options: { message: string } & NonNullable<ConstructorParameters<typeof NodeApiError>[2]>,
): NodeApiErrorType {
	const error = new NodeApiError(node, { message: options.message }, options);
	error.message = options.message;
	return error;
}

export function toNodeError(
	node: INode,
	error: unknown,
	{ itemIndex }: { itemIndex?: number } = {},
): NodeApiError | NodeOperationError {
	if (error instanceof ApiFailure) {
		const { facts } = error;
		return apiError(node, {
			message: messageOf(facts),
			description: withRequestId(explain(facts).next, facts),
			httpCode: facts.status?.toString() ?? codeOf(facts),
			itemIndex,
			failure: causeOf(facts),
		});
	}
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof InputError) {
		return new NodeOperationError(node, clip(error.message, MAX_MESSAGE), {
			description: error.remedy,
			itemIndex,
		});
	}
	const given = error instanceof Error ? error : new Error(String(error));
	return new NodeOperationError(node, given, {
		message: clip(given.message, MAX_MESSAGE),
		itemIndex,
	});
}

/** The error for an item that is not sent again because its outcome is unknown. */
export function notSentAgain(
	facts: FailureFacts | undefined,
	next = nextAfter(facts),
): OpenWriteError {
	const known = 'A previous attempt of this item may have succeeded, so it was not sent again.';
	const remedy = facts ? withRequestId(next, facts) : next;
	return new OpenWriteError(facts ? `${known} ${messageOf(facts)}` : known, remedy, {
		...givenIn({ http_status: facts?.status, reason: facts?.reason, request_id: facts?.requestId }),
		...{ code: 'outcome_unknown', outcome: 'unknown' },
	});
}

function nextAfter(facts: FailureFacts | undefined): string {
	const check = facts && writeDescriptionOf(facts.endpoint)?.check;
	return `${check ?? 'Check with a Get or Get Many whether it exists'}. If it was not done, start the workflow again: a new execution sends it.`;
}
