/** Words the errors of a poll: whose lists, what happened, what to do, and that the trigger goes on. */
import { ApiFailure } from '../api/failure';
import { InputError } from '../words/inputError';
import { askedToWaitMs, isForbidden, isThrottled, mayPass } from '../api/policy';
import { explain } from '../words/explain';
import { messageOf, withRequestId } from '../words/message';
import { apiError, toNodeError } from '../n8n/nodeErrors';
import { isCertain } from './classify';
import { nameOf } from './clients';
import { isOfClients } from '../feed/events/events';
import { isAnnouncement, type ListFailure } from '../feed/reports/listFailure';
import { ALL_LISTS, CLIENT_LIST, isOwn } from '../feed/names';
import { LONGEST_ASKED_FOR } from '../feed/reports/pauses';
import { resourceOf, type PollSession } from './session';

/** The most names, remedies and characters of a name in a message, to keep it readable. */
const MAX_LISTED = 10;
const MAX_REMEDIES = 3;
const MAX_NAME = 60;

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
	const isOthersWatched = accounts.some((account) =>
		failures.every((one) => one.account !== account),
	);
	const isNoneReadable = accounts.every((account) =>
		failures.some(
			(one) => one.account === account && !isAnnouncement(one) && one.isAfterHead !== true,
		),
	);
	const isHopeless = isNoneReadable && failures.every(({ error }) => isCertain(error));
	const failure = isNoneReadable ? askedToWait(failures) : undefined;
	const { error } = failures.length === 1 ? (first ?? {}) : {};
	const refusal =
		first?.account === CLIENT_LIST && accounts.length === 0
			? refusedList(session, error)
			: undefined;
	// The message says all that a line about the only list would say.
	const isOnlyOne = failures.length === 1 && first !== undefined && !isOfClient(first.account);
	const isSaid = refusal !== undefined || (isOnlyOne && !isAnnouncement(first));
	const remedies = refusal === undefined ? remediesFor(failures) : [refusal.next];
	const lines = [
		...(isSaid ? [] : linesFor(session, failures)),
		...remedies,
		nextFor(failures, { isOthersWatched, hasRemedy: remedies.length > 0 }),
	];
	const text = lines.join('\n');
	return apiError(node, {
		message: refusal?.message ?? messageFor(session, failures),
		description: error instanceof ApiFailure ? withRequestId(text, error.facts) : text,
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

const linesFor = (session: PollSession, failures: readonly ListFailure[]): string[] =>
	shortened(
		failures.map(
			({ account, kind, message }) => `${nameFor(session, account)}: ${message} (${kind})`,
		),
		MAX_LISTED,
	);

/** How to end the failures. One that may pass needs no action. */
function remediesFor(failures: readonly ListFailure[]): string[] {
	const remedies = failures.flatMap(({ error }) => {
		if (error instanceof InputError) return [error.remedy];
		return error instanceof ApiFailure && !mayPass(error.facts) ? [explain(error.facts).next] : [];
	});
	return [...new Set(remedies)].slice(0, MAX_REMEDIES);
}

function nextFor(
	failures: readonly ListFailure[],
	{ isOthersWatched, hasRemedy }: { isOthersWatched: boolean; hasRemedy: boolean },
): string {
	if (failures.every(isAnnouncement)) return 'The trigger keeps polling.';
	const isReadInPart = failures.some(({ isAfterHead }) => isAfterHead === true);
	const watched = [
		...(isReadInPart ? ['The first page is still watched.'] : []),
		...(isOthersWatched ? ['The other lists are watched as usual.'] : []),
	];
	const mayWait = hasRemedy ? [] : ['You do not have to do anything.'];
	const tries = `The trigger tries again on its own${waitBefore(failures)}.`;
	return [...watched, ...mayWait, tries, LOSES_NOTHING].join(' ');
}

const LOSES_NOTHING = 'Records that arrive in the meantime are delivered after that.';

/** How long the trigger waits if the service has asked it to. */
function waitBefore(failures: readonly ListFailure[]): string {
	const asked = failures.map(({ error }) =>
		error instanceof ApiFailure ? (askedToWaitMs(error.facts) ?? 0) : 0,
	);
	const longest = Math.min(LONGEST_ASKED_FOR, Math.max(0, ...asked));
	return longest > 0 ? ` after ${durationOf(longest)}, as the service asks` : '';
}

function durationOf(ms: number): string {
	const seconds = Math.ceil(ms / 1_000);
	if (seconds < 2 * 60) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
	const minutes = Math.ceil(seconds / 60);
	return minutes < 2 * 60 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

function messageFor(session: PollSession, failures: readonly ListFailure[]): string {
	const unread = failures.filter((failure) => !isAnnouncement(failure));
	const causes = [...new Set(unread.map(({ cause, kind }) => cause ?? kind))];
	const sentences = causes.map((cause) =>
		sentenceFor(
			session,
			unread.filter((one) => (one.cause ?? one.kind) === cause),
		),
	);
	return [...sentences, ...announcementsIn(session, failures)].join(' ').trim();
}

/** Each announcement once, with the accounts that it is about. */
function announcementsIn(session: PollSession, failures: readonly ListFailure[]): string[] {
	const accountsOf = new Map<string, string[]>();
	for (const { account, message } of failures.filter(isAnnouncement))
		accountsOf.set(message, [...(accountsOf.get(message) ?? []), account]);
	const said = [...accountsOf].map(([message, accounts]) => {
		const clients = accounts.filter(isOfClient);
		if (clients.length === 0) return message;
		const names = shortened(
			clients.map((account) => nameFor(session, account)),
			MAX_LISTED,
		);
		return `${names.join(', ')}: ${message}`;
	});
	return shortened(said, MAX_LISTED);
}

const isOfClient = (account: string): boolean =>
	!isOwn(account) && account !== ALL_LISTS && account !== CLIENT_LIST;

/** One sentence for all lists that failed for the same cause. */
function sentenceFor(session: PollSession, failures: readonly ListFailure[]): string {
	const [first] = failures;
	// These words are the trigger's own, and say what could not be read.
	if (first?.error instanceof InputError) return `${first.message.replace(/\.$/, '')}.`;
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

/** The error of a test for which no client can be listed. */
export function clientListError(session: PollSession, error: unknown): Error {
	const node = session.functions.getNode();
	const refusal = refusedList(session, error);
	if (refusal === undefined) return toNodeError(node, error);
	const { message, next } = refusal;
	return apiError(node, { message, description: next, failure: LASTING });
}

/** The words for a key that may not list clients. */
function refusedList(
	{ settings }: PollSession,
	error: unknown,
): { message: string; next: string } | undefined {
	// A redirect or a page that is not from the API comes from a wrong URL, whatever its status.
	if (!(error instanceof ApiFailure) || !isForbidden(error.facts)) return undefined;
	const isEvent = isOfClients(settings.event);
	const what = isEvent
		? '"Client Changed" watches the clients of an agency'
		: '"Watch" is set to "All Clients"';
	const key = 'Use the API key of an agency that has the scope "clients:read" (or "*")';
	return {
		message: `${what}, but the service does not list clients for this API key. ${messageOf(error.facts)}`,
		next: isEvent ? `${key}.` : `${key}, or set "Watch" to "Own Account".`,
	};
}
