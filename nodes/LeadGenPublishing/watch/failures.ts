/** Classifies failures of lists, and words what the user is told about them. */
import type { INode } from 'n8n-workflow';

import { ApiFailure } from '../api/failure';
import { isThrottled } from '../api/policy';
import { messageOf } from '../words/message';
import { apiError, toNodeError } from '../words/nodeErrors';
import { nameOf } from './accounts';
import { ALL_LISTS, CLIENT_LIST, isAnnouncement, type ListFailure } from './reports';
import { isOwn, resourceOf, throttledForMs, type PollSession } from './session';

/** In a message, which should stay readable; the description names more. */
const MAX_NAMED = 3;
const MAX_LISTED = 10;

export interface ClassifiedFailure {
	/** Part of the message: `rate_limited`, `forbidden`, `unreachable`, … */
	readonly kind: string;
	readonly message: string;
	readonly retryAfterMs?: number;
	/** Retrying soon does not help, as with a revoked grant or a wrong key. */
	readonly lasting?: boolean;
}

export function classify(error: unknown): ClassifiedFailure {
	if (!(error instanceof ApiFailure)) {
		const message = error instanceof Error ? error.message : String(error);
		return { kind: 'failed', message, lasting: true };
	}
	const { facts } = error;
	const isLimited = isThrottled(facts);
	return {
		kind: isLimited ? 'rate-limited' : (facts.code ?? facts.kind),
		message: messageOf(facts),
		retryAfterMs: facts.retryAfterMs,
		lasting: !facts.retryable,
	};
}

/** It will be so the next time: a wrong key, a wrong address, a missing grant, what n8n does not send. */
export const isRefusal = (error: unknown): boolean =>
	error instanceof ApiFailure && !error.facts.retryable;

/** One error that names every account that failed; if only one failed, its own error. */
export function toPollError(
	session: PollSession,
	failures: readonly ListFailure[],
	watchedCount: number,
): Error {
	const node = session.functions.getNode();
	const ms = throttledForMs(session.client);
	const [first] = failures;
	if (failures.length === 1 && first?.error !== undefined) {
		if (isOwn(first.account) && ms === 0) return toNodeError(node, first.error);
		if (first.account === CLIENT_LIST && watchedCount === 0)
			return clientListError(node, first.error);
	}
	const lines = failures.map(
		({ account, kind, message }) => `${nameFor(session, account)}: ${message} (${kind})`,
	);
	const next =
		ms > 0
			? `The service asked to wait: no list is read for another ${Math.ceil(ms / 1000)} s.`
			: 'The other lists are watched as usual; what could not be read is tried again by itself.';
	return apiError(node, {
		message: messageFor(session, failures),
		description: `${shortened(lines, MAX_LISTED).join('\n')}\n${next}`,
		...(ms > 0 ? { failure: { cause: 'rate-limited', retryAfterMs: ms } } : {}),
	});
}

function messageFor(session: PollSession, failures: readonly ListFailure[]): string {
	const unread = failures.filter((failure) => !isAnnouncement(failure));
	const names = [...new Set(unread.map(({ account }) => nameFor(session, account)))];
	const [first] = unread;
	const isMany = names.length > 1;
	const whose = isMany ? `${names.length} accounts` : names.join();
	const what =
		first?.account === CLIENT_LIST && !isMany
			? 'The list of clients could not be read'
			: `The ${resourceOf(session.settings).many} of ${whose} could not be read`;
	const who = isMany ? `: ${shortened(names, MAX_NAMED).join(', ')}` : '';
	const told = failures.filter(isAnnouncement).map(({ account, message }) => {
		const concernsAll = isOwn(account) || account === ALL_LISTS || account === CLIENT_LIST;
		return concernsAll ? message : `${nameFor(session, account)}: ${message}`;
	});
	const sentences = first === undefined ? told : [`${what}${who}. ${first.message}`, ...told];
	return [...new Set(sentences)].join(' ').trim();
}

function nameFor({ known }: PollSession, account: string): string {
	if (isOwn(account)) return 'the own account';
	if (account === CLIENT_LIST) return 'the list of clients';
	if (account === ALL_LISTS) return 'all lists';
	const name = nameOf(known, account);
	return name === undefined ? account : `${name} (${account})`;
}

const shortened = (texts: readonly string[], most: number): string[] =>
	texts.length <= most ? [...texts] : [...texts.slice(0, most), `and ${texts.length - most} more`];

/** "All Clients" with a key that may not list clients. */
export function clientListError(node: INode, error: unknown): Error {
	// A redirect or a page that is none of the API comes from a wrong address, whatever its status.
	const isForbidden =
		error instanceof ApiFailure &&
		error.facts.kind === 'answered' &&
		(error.facts.status === 403 || error.facts.code === 'forbidden');
	if (!isForbidden) return toNodeError(node, error);
	return apiError(node, {
		message: `"Watch" is set to "All Clients", but the service does not list clients for this API key. ${messageOf(error.facts)}`,
		description:
			'Use the API key of an agency that has the scope "clients:read" (or "*"), or set "Watch" to "Own Account".',
		failure: { cause: 'configuration-invalid' },
	});
}
