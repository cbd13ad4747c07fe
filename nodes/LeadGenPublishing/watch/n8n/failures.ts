/** Classifies failures of lists, for their pauses and the activation, and words the errors. */
import { NodeApiError, type INode } from 'n8n-workflow';

import { messageOf, toNodeError } from '../../api/errors';
import { ApiFailure, type FailureFacts } from '../../api/failure';
import { isOwn } from '../store/accountNames';
import { MAX_PAUSE, type ClassifiedFailure, type ListFailure } from '../list/turns/pollLists';

/** The account name of failures of the list of clients itself. */
export const CLIENT_LIST = 'clients';
const ALL_LISTS = 'all';
/** Failures that are no unread list: each gets a sentence of its own. */
const ANNOUNCEMENTS: ReadonlySet<string> = new Set([
	'asked-to-wait',
	'damaged-state',
	'list-full',
	'no-clients',
	'no-id',
	'other-account',
]);
const MAX_NAMED = 10;

/** No list has failed, but none is read for long. */
export const LONG_WAIT: ListFailure = {
	account: ALL_LISTS,
	kind: 'asked-to-wait',
	message: 'The service asked to be left alone for an hour or more, so no list is read until then.',
};

/** To whom the key belongs is not known yet; the next poll asks again. */
export class UndecidedOwner extends Error {}

export function classify(error: unknown): ClassifiedFailure {
	// Reported by an earlier poll, or about the state instead of an answer.
	if (error === undefined) return { kind: 'earlier', message: '' };
	if (error instanceof UndecidedOwner) return { kind: 'undecided', message: error.message };
	if (!(error instanceof ApiFailure)) {
		const message = error instanceof Error ? error.message : String(error);
		return { kind: 'failed', message, lasting: true };
	}
	const { facts } = error;
	const about = {
		message: messageOf(facts),
		...(facts.kind === 'notSent' ? { unsent: true } : {}),
	};
	if (facts.status === 429 || facts.code === 'rate_limited') {
		return { kind: 'rate-limited', ...about, retryAfterMs: facts.retryAfterMs };
	}
	const kind = facts.code ?? facts.kind;
	return mayPass(facts)
		? { kind, ...about, retryAfterMs: facts.retryAfterMs }
		: { kind, ...about, lasting: true };
}

/** Also with a status of a proxy that requests are not repeated for, such as 520. */
const mayPass = ({ retryable, status = 0 }: FailureFacts): boolean =>
	retryable || (status > 501 && status < 600);

/** A definite refusal by the service: a wrong key, a wrong address, a missing grant. */
export const isRefusal = (error: unknown): boolean =>
	error instanceof ApiFailure &&
	!error.facts.retryable &&
	error.facts.kind !== 'notSent' &&
	error.facts.status !== 429;

export interface ErrorContext {
	/** How many accounts are watched. */
	readonly watchedCount: number;
	/** For how long no list will be read, because the service asked to wait. */
	readonly throttledForMs: number;
	/** The user's word for the records of the lists. */
	readonly records: string;
	readonly nameOf: (account: string) => string | undefined;
}

/** One error that names every account that failed; if only one failed, its own error. */
export function toPollError(
	node: INode,
	failures: readonly ListFailure[],
	context: ErrorContext,
): Error {
	const [first] = failures;
	if (failures.length === 1 && first?.error !== undefined) {
		if (isOwn(first.account)) return toNodeError(node, limitRetryAfter(MAX_PAUSE, first.error));
		if (first.account === CLIENT_LIST && context.watchedCount === 0) {
			return clientListError(node, first.error);
		}
	}
	const message = messageFor(failures, context);
	const lines = failures.map(
		({ account, kind, message: reason }) => `${nameFor(account, context)}: ${reason} (${kind})`,
	);
	const waits = failures.map(({ retryAfterMs }) => retryAfterMs ?? 0);
	const limited = new Set(
		failures.filter(({ kind }) => kind === 'rate-limited').map(({ account }) => account),
	);
	const allLimited =
		failures.every(({ account }) => limited.has(account)) && limited.size >= context.watchedCount;
	const { throttledForMs } = context;
	// One list's wait must not delay the others, unless the service asks all of them to wait.
	const everyMs = allLimited ? Math.min(MAX_PAUSE, ...waits) : undefined;
	const retryAfterMs = throttledForMs > 0 ? throttledForMs : everyMs;
	const next =
		throttledForMs > 0
			? `The service asked to wait: no list is read for another ${Math.ceil(throttledForMs / 1000)} s.`
			: 'The other lists are watched as usual; what could not be read is tried again by itself.';
	const error = new NodeApiError(
		node,
		{ message },
		{
			message,
			description: `${shortened(lines, '\n')}\n${next}`,
			...(retryAfterMs === undefined
				? {}
				: { failure: { cause: 'rate-limited' as const, retryAfterMs } }),
		},
	);
	// n8n replaces messages that contain certain status texts; ours says more.
	error.message = message;
	return error;
}

/** n8n does not poll for as long as the error says, so that time is limited. */
function limitRetryAfter(longestMs: number, error: unknown): unknown {
	if (!(error instanceof ApiFailure) || error.facts.retryAfterMs === undefined) return error;
	const retryAfterMs = Math.min(longestMs, error.facts.retryAfterMs);
	return new ApiFailure({ ...error.facts, retryAfterMs });
}

function messageFor(failures: readonly ListFailure[], context: ErrorContext): string {
	const unread = failures.filter(({ kind }) => !ANNOUNCEMENTS.has(kind));
	const accounts = [...new Set(unread.map(({ account }) => account))];
	const names = accounts.map((account) => nameFor(account, context));
	const sentences = failures
		.filter(({ kind }) => ANNOUNCEMENTS.has(kind))
		.map(({ account, message }) =>
			isOwn(account) || account === ALL_LISTS || account === CLIENT_LIST
				? message
				: `${nameFor(account, context)}: ${message}`,
		);
	if (accounts.length > 0) {
		const whose =
			accounts.length === 1
				? `The ${context.records} of ${names[0] ?? ''}`
				: `The ${context.records} of ${accounts.length} accounts`;
		const list = accounts.length === 1 ? '' : `: ${shortened(names, ', ')}`;
		const subject =
			accounts.length === 1 && accounts[0] === CLIENT_LIST ? 'The list of clients' : whose;
		sentences.unshift(`${subject} could not be read${list}. ${unread[0]?.message ?? ''}`.trim());
	}
	return [...new Set(sentences)].join(' ');
}

function nameFor(account: string, { nameOf }: ErrorContext): string {
	if (isOwn(account)) return 'the own account';
	if (account === CLIENT_LIST) return 'the list of clients';
	if (account === ALL_LISTS) return 'all lists';
	const name = nameOf(account);
	return name === undefined ? account : `${name} (${account})`;
}

function shortened(names: readonly string[], separator: string): string {
	const more = names.length - MAX_NAMED;
	const shown = names.slice(0, MAX_NAMED).join(separator);
	return more > 0 ? `${shown}${separator}and ${more} more` : shown;
}

/** "All Clients" with a key that may not list clients. */
export function clientListError(node: INode, error: unknown): Error {
	// A redirect or a page that is none of the API comes from a wrong address, whatever its status.
	const isForbidden =
		error instanceof ApiFailure &&
		error.facts.kind === 'answered' &&
		(error.facts.status === 403 || error.facts.code === 'forbidden');
	if (!isForbidden) return toNodeError(node, error);
	const message = `"Watch" is set to "All Clients", but the service does not list clients for this API key. ${messageOf(error.facts)}`;
	const nodeError = new NodeApiError(
		node,
		{ message },
		{
			message,
			description:
				'Use the API key of an agency that has the scope "clients:read" (or "*"), or set "Watch" to "Own Account".',
			failure: { cause: 'configuration-invalid' },
		},
	);
	nodeError.message = message;
	return nodeError;
}
