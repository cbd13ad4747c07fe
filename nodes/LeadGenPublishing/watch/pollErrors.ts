/** Classifies failures of lists, and words the errors about them. */
import type { INode } from 'n8n-workflow';

import { ApiFailure, type FailureFacts } from '../api/failure';
import { canonical } from '../api/identifiers';
import type { JsonRecord } from '../api/schemas';
import { digestOf } from '../feed/list/hash';
import {
	askedToWaitMs,
	isForbidden,
	isKeyRefused,
	isPlaceOutOfReach,
	isThrottled,
	mayPass,
} from '../api/policy';
import { codeOf } from '../words/errorDetails';
import { explain } from '../words/explain';
import { messageOf, withRequestId } from '../words/message';
import { apiError, toNodeError } from '../n8n/nodeErrors';
import { nameOf } from './clients';
import {
	isAnnouncement,
	type ClassifiedFailure,
	type ListFailure,
} from '../feed/reports/listFailure';
import { ALL_LISTS, CLIENT_LIST, isOwn } from '../feed/names';
import { LONGEST_ASKED_FOR } from '../feed/reports/pauses';
import { resourceOf, type PollSession } from './session';

/** The most names, remedies and characters of a name in a message, to keep it readable. */
const MAX_LISTED = 10;
const MAX_REMEDIES = 3;
const MAX_NAME = 60;

export function classify(error: unknown): ClassifiedFailure {
	if (!(error instanceof ApiFailure)) {
		const message = error instanceof Error ? error.message : String(error);
		return { kind: 'failed', message, cause: 'node', lasting: true };
	}
	const { facts } = error;
	return {
		kind: isThrottled(facts) ? RATE_LIMITED : codeOf(facts),
		message: messageOf(facts),
		cause: causeOf(facts),
		retryAfterMs: askedToWaitMs(facts),
		lasting: !mayPass(facts),
	};
}

const RATE_LIMITED = 'rate-limited';

/** Status, code, reason and route, as a short name. The text may differ each time. */
function causeOf(facts: FailureFacts): string {
	const { kind, status, code, reason, problem, endpoint, agency }: JsonRecord = { ...facts };
	return digestOf(canonical([status ?? kind, code, reason, problem, endpoint, agency]), 6);
}

/** @doubt offsetDepth */
export const refusesOffset = (error: unknown): boolean =>
	error instanceof ApiFailure && isPlaceOutOfReach(error.facts);

/**
 * Whether the next request will fail, too: a wrong key or URL, a missing grant, a request that n8n
 * blocks.
 */
export const isRefusal = (error: unknown): boolean =>
	error instanceof ApiFailure && !mayPass(error.facts);

/** Whether the service itself says that this key may not read the list. */
const isCertain = (error: unknown): boolean =>
	error instanceof ApiFailure && isKeyRefused(error.facts);

/**
 * One error that names every account that failed. With durable cursors, n8n stops polling for half an
 * hour after an error with a permanent cause, so the error only carries one if no list can be read.
 */
export function toPollError(
	session: PollSession,
	failures: readonly ListFailure[],
	accounts: readonly string[],
): Error {
	const node = session.functions.getNode();
	const [first] = failures;
	const isNoneReadable = accounts.every((account) =>
		failures.some(
			(one) => one.account === account && !isAnnouncement(one) && one.isAfterHead !== true,
		),
	);
	const isHopeless = isNoneReadable && failures.every(({ error }) => isCertain(error));
	const failure = isNoneReadable ? askedToWait(failures) : undefined;
	if (failures.length === 1 && first?.error !== undefined) {
		const isOfList = first.account === CLIENT_LIST;
		if (isOfList && accounts.length === 0) return clientListError(node, first.error);
		const isOfNode = !(first.error instanceof ApiFailure);
		if (isOwn(first.account) && (isHopeless || isOfNode)) return toNodeError(node, first.error);
	}
	// The message says all that a line about the only list would say.
	const isOnlyOwn = failures.length === 1 && first !== undefined && isOwn(first.account);
	const lines = [
		...(isOnlyOwn && !isAnnouncement(first) ? [] : linesFor(session, failures)),
		...remediesFor(failures),
		nextFor(failures, { isNoneReadable }),
	];
	const text = lines.join('\n');
	const known =
		failures.length === 1 && first?.error instanceof ApiFailure ? first.error : undefined;
	return apiError(node, {
		message: messageFor(session, failures),
		description: known ? withRequestId(text, known.facts) : text,
		failure: failure ?? (isHopeless && failures.length === 1 ? LASTING : undefined),
	});
}

const LASTING = { cause: 'configuration-invalid' } as const;

interface Wait {
	readonly cause: 'rate-limited';
	readonly retryAfterMs: number;
}

/**
 * The service asked to wait for every list, so n8n does not have to poll before the first may be
 * read.
 */
function askedToWait(failures: readonly ListFailure[]): Wait | undefined {
	const waits = failures.map(({ error }) =>
		error instanceof ApiFailure && isThrottled(error.facts) ? (askedToWaitMs(error.facts) ?? 0) : 0,
	);
	const retryAfterMs = Math.min(LONGEST_ASKED_FOR, ...waits);
	return retryAfterMs > 0 ? { cause: 'rate-limited', retryAfterMs } : undefined;
}

/** The error of one list in its own words. For n8n, it only says how long to wait. */
function withoutCause(node: INode, error: unknown, failure?: Wait): Error {
	if (!(error instanceof ApiFailure)) return toNodeError(node, error);
	const { facts } = error;
	const description = withRequestId(explain(facts).next, facts);
	return apiError(node, { message: messageOf(facts), description, failure });
}

const linesFor = (session: PollSession, failures: readonly ListFailure[]): string[] =>
	shortened(
		failures.map(
			({ account, kind, message }) => `${nameFor(session, account)}: ${message} (${kind})`,
		),
		MAX_LISTED,
	);

/** What a person can do about it. A failure that may pass needs no action. */
function remediesFor(failures: readonly ListFailure[]): string[] {
	const remedies = failures.flatMap(({ error }) =>
		error instanceof ApiFailure && !mayPass(error.facts) ? [explain(error.facts).next] : [],
	);
	return [...new Set(remedies)].slice(0, MAX_REMEDIES);
}

function nextFor(
	failures: readonly ListFailure[],
	{ isNoneReadable }: { isNoneReadable: boolean },
): string {
	if (failures.every(isAnnouncement)) return 'The trigger keeps polling.';
	const isReadInPart = failures.some(({ isAfterHead }) => isAfterHead === true);
	const watched = [
		...(isReadInPart ? ['The first page is still watched.'] : []),
		...(isNoneReadable ? [] : ['The other lists are watched as usual.']),
	];
	return [...watched, KEEPS_TRYING].join(' ');
}

const KEEPS_TRYING =
	'The trigger tries again on its own. Records that arrive in the meantime are delivered then.';

function messageFor(session: PollSession, failures: readonly ListFailure[]): string {
	const unread = failures.filter((failure) => !isAnnouncement(failure));
	const causes = [...new Set(unread.map(({ cause, kind }) => cause ?? kind))];
	const announcements = failures.filter(isAnnouncement).map(({ account, message }) => {
		const concernsAll = isOwn(account) || account === ALL_LISTS || account === CLIENT_LIST;
		return concernsAll ? message : `${nameFor(session, account)}: ${message}`;
	});
	const sentences = causes.map((cause) =>
		sentenceFor(
			session,
			unread.filter((one) => (one.cause ?? one.kind) === cause),
		),
	);
	return [...new Set([...sentences, ...announcements])].join(' ').trim();
}

/** One sentence for all lists that failed for the same cause. */
function sentenceFor(session: PollSession, failures: readonly ListFailure[]): string {
	const [first] = failures;
	const names = [...new Set(failures.map(({ account }) => nameFor(session, account)))];
	const isMany = names.length > 1;
	const whose = isMany ? `${names.length} accounts` : names.join();
	const who = isMany ? `: ${shortened(names, MAX_LISTED).join(', ')}` : '';
	const { many } = resourceOf(session.settings);
	const isReadInPart = failures.every(({ isAfterHead }) => isAfterHead === true);
	const records = isReadInPart ? `Later pages of the ${many}` : `The ${many}`;
	const what =
		first?.account === CLIENT_LIST && !isMany ? 'The list of clients' : `${records} of ${whose}`;
	return `${what} could not be read${who}. ${first?.message ?? ''}`;
}

function nameFor({ known }: PollSession, account: string): string {
	if (isOwn(account)) return 'your own account';
	if (account === CLIENT_LIST) return 'the list of clients';
	if (account === ALL_LISTS) return 'all lists';
	const name = nameOf(known, account);
	if (name === undefined) return account;
	const short = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
	return `${short} (${account})`;
}

const shortened = (texts: readonly string[], most: number): string[] =>
	texts.length <= most ? [...texts] : [...texts.slice(0, most), `and ${texts.length - most} more`];

/** "All Clients" with a key that may not list clients. */
export function clientListError(node: INode, error: unknown): Error {
	// A redirect or a page that is not from the API comes from a wrong URL, whatever its status.
	if (!(error instanceof ApiFailure) || !isForbidden(error.facts))
		return isCertain(error) ? toNodeError(node, error) : withoutCause(node, error);
	return apiError(node, {
		message: `"Watch" is set to "All Clients", but the service does not list clients for this API key. ${messageOf(error.facts)}`,
		description:
			'Use the API key of an agency that has the scope "clients:read" (or "*"), or set "Watch" to "Own Account".',
		failure: { cause: 'configuration-invalid' },
	});
}
