/**
 * Whose lists are watched, and what their owners are called. Promise: triggers with "1 of n" to
 * "n of n" together watch every client exactly once, in whatever order the clients are listed, and a
 * client stays with its trigger when others come or go.
 */
import { sleep } from 'n8n-workflow';

import type { Client } from '../api/client';
import { isAccessible } from '../api/grant';
import type { JsonRecord } from '../api/schemas';
import type { ItemClient } from '../output/record';
import { hash53 } from './hash';
import { isOwn, noAnswer, OWN, throttledForMs, type PollSession } from './session';

export interface Share {
	/** From 1 to `of`. */
	readonly part: number;
	readonly of: number;
}

export type WatchTarget =
	| { readonly kind: 'own' }
	| { readonly kind: 'allClients'; readonly share?: Share }
	| { readonly kind: 'clients'; readonly ids: readonly string[]; readonly share?: Share };

export const MAX_PARTS = 100;
const SHARE_SEED = 7;

/** Parses "1 of 3"; undefined for any other text. */
export function parseShare(text: string): Share | undefined {
	const [, part, of] = /^\s*(\d{1,3})\s+of\s+(\d{1,3})\s*$/i.exec(text)?.map(Number) ?? [];
	if (part === undefined || of === undefined) return undefined;
	return of <= MAX_PARTS && part >= 1 && part <= of ? { part, of } : undefined;
}

export const isInShare = (clientId: string, share: Share | undefined): boolean =>
	share === undefined || hash53(clientId.toLowerCase(), SHARE_SEED) % share.of === share.part - 1;

/** What the process remembers of an agency's clients between polls. */
export interface KnownClients {
	/** By ID, those without a grant included: a revoked client is still called by its name. */
	readonly names: Map<string, ItemClient>;
	/** The clients with an active grant, as they were last listed. */
	listed?: readonly string[];
	/** When the list was last read. */
	readAt?: number;
	/** Not asked again before then, as the service asked to wait when it was last asked. */
	notBefore?: number;
}

export const noClients = (): KnownClients => ({ names: new Map() });

interface Time {
	readonly now: number;
	/** Clients that are listed later are of no use to this poll. */
	readonly giveUpAt: number;
}

const LIST_TIMEOUT_MS = 20_000;
/** The list of clients' share of the reading time; the rest is for their own lists. */
const LIST_SHARE = 1 / 3;
const NAMES_TIMEOUT_MS = 5_000;
const DAY_MS = 24 * 60 * 60_000;

export interface WatchedAccounts {
	readonly accounts: readonly string[];
	/** If not, `accounts` are those known from earlier polls. */
	readonly isCurrent: boolean;
	/** Why the list of clients could not be read. */
	readonly failure?: unknown;
}

/**
 * The clients to watch. Those that "All Clients" means are listed at every poll; if that fails, the
 * clients known from before are watched: `before` are those that the stored state knows.
 */
export async function watchedClients(
	session: PollSession,
	{ before, ...time }: Time & { readonly before: readonly string[] },
): Promise<WatchedAccounts> {
	const { known, settings } = session;
	const { watched } = settings;
	if (watched.kind === 'own') return { accounts: [OWN], isCurrent: true };
	if (watched.kind === 'clients') return { accounts: watched.ids, isCurrent: true };
	const ofShare = (ids: readonly string[]) => ids.filter((id) => isInShare(id, watched.share));
	const earlier = ofShare(known.listed ?? before);
	if (mustWait(known, time.now) && earlier.length > 0)
		return { accounts: earlier, isCurrent: false };
	try {
		const timeoutMs = (time.giveUpAt - time.now) * LIST_SHARE;
		const isCurrent = await listClients(session, { now: time.now, timeoutMs });
		return { accounts: ofShare(known.listed ?? []), isCurrent };
	} catch (failure) {
		return { accounts: earlier, isCurrent: false, failure };
	}
}

/** A clock that was set back ends the pause. */
const mustWait = ({ notBefore = 0 }: KnownClients, now: number): boolean =>
	now < notBefore && notBefore - now <= DAY_MS;

/** Reads the list of clients, and notes who they are. False if it may lack some. */
async function listClients(
	{ client, known }: PollSession,
	{ now, timeoutMs = LIST_TIMEOUT_MS }: { readonly now: number; readonly timeoutMs?: number },
): Promise<boolean> {
	try {
		const limited = Math.min(LIST_TIMEOUT_MS, timeoutMs);
		const { clients, isComplete } = await clientsWithin(client, limited);
		for (const one of clients) known.names.set(one.user_id, one);
		const active = clients.filter(isAccessible).map(({ user_id }) => user_id);
		known.listed = isComplete ? active : [...new Set([...(known.listed ?? []), ...active])];
		known.readAt = now;
		return isComplete;
	} finally {
		// If the lists must wait because of this question, they are then read before it is asked again.
		known.notBefore = now + 2 * throttledForMs(client);
	}
}

type ListedClient = JsonRecord & ItemClient;

/** A list that hangs must not use up the time of the clients' own lists, nor be read on after it. */
async function clientsWithin(
	client: Client,
	timeoutMs: number,
): Promise<{ clients: ListedClient[]; isComplete: boolean }> {
	const alarm = new AbortController();
	const tooLate = sleep(Math.max(0, timeoutMs), alarm.signal).then((): never => {
		throw noAnswer('client.getAll', OWN);
	});
	const options = { timeoutMs: Math.max(1, timeoutMs), givenUp: alarm.signal, atOnce: 2 };
	const read = client.list('client.getAll', options);
	const { records, isComplete } = await Promise.race([read, tooLate]).finally(() => alarm.abort());
	const clients = records
		.map((record) => ({ ...record, user_id: textOf(record.user_id).toLowerCase() }))
		.filter(({ user_id }) => user_id !== '');
	return { clients, isComplete };
}

/**
 * For the items and messages of these accounts. Names are read again after a day, so that a new one
 * reaches the items; they are optional, and if they cannot be read, those from before are used.
 */
export async function refreshNames(
	session: PollSession,
	{ accounts, now, giveUpAt }: Time & { readonly accounts: readonly string[] },
): Promise<void> {
	const { client, known } = session;
	const { readAt = -Infinity, names } = known;
	const clients = accounts.filter((account) => !isOwn(account));
	const isOld = now - readAt >= DAY_MS || readAt > now + DAY_MS;
	if (clients.length === 0 || (!isOld && clients.every((id) => names.has(id)))) return;
	if (throttledForMs(client) > 0 || mustWait(known, now) || now >= giveUpAt) return;
	const timeoutMs = Math.min(NAMES_TIMEOUT_MS, giveUpAt - now);
	await listClients(session, { now, timeoutMs }).catch(() => undefined);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

export const nameOf = ({ names }: KnownClients, account: string): string | undefined =>
	[names.get(account)?.full_name, names.get(account)?.business_name]
		.map(textOf)
		.find((name) => name !== '');

/** In the order in which the editor lists the clients. */
export const byName = (known: KnownClients, accounts: readonly string[]): string[] =>
	accounts.toSorted((one, other) =>
		(nameOf(known, one) ?? one).localeCompare(nameOf(known, other) ?? other),
	);

/** Why no account is watched; undefined if there is one. */
export function whyNothingWatched(
	watched: WatchTarget,
	accounts: readonly string[],
): string | undefined {
	if (accounts.length > 0) return undefined;
	if (watched.kind === 'clients') return 'None of the chosen clients falls into this share';
	return watched.kind === 'allClients' && watched.share !== undefined
		? 'No client with an active grant falls into this share'
		: 'No client with an active grant is listed for this API key';
}
