/**
 * Whose lists are watched, and what their owners are called. Promise: triggers with "1 of n" to
 * "n of n" together watch every client exactly once, in whatever order the clients are listed, and a
 * client stays with its trigger when others come or go.
 */
import { isAccessible } from '../api/grant';
import type { JsonRecord } from '../api/schemas';
import type { ItemClient } from '../output/record';
import { hash53 } from './hash';
import type { Whose } from './poll';
import { announce, CLIENT_LIST } from './reports';
import { inTime, isOwn, noAnswer, OWN, throttledForMs, type PollSession } from './session';
import type { Lists } from './state';

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
	/** Nothing but lists is asked for before then. */
	notBefore?: number;
}

const LIST_TIMEOUT_MS = 20_000;
const SUBJECT_TIMEOUT_MS = 5_000;
/** The list of clients' share of the reading time; the rest is for their own lists. */
const LIST_SHARE = 1 / 3;
const NAMES_TIMEOUT_MS = 5_000;
const DAY_MS = 24 * 60 * 60_000;

/**
 * The accounts to watch. The clients that "All Clients" means are listed at every poll; if that
 * fails, those known from earlier polls are watched, of this process or by the stored lists.
 */
export async function watchedAccounts(
	session: PollSession,
	{ lists, giveUpAt }: { lists: Lists; giveUpAt: number },
): Promise<Whose> {
	const { known, settings } = session;
	const { watched } = settings;
	const sure = (accounts: readonly string[]): Whose => {
		const why = whyNothingWatched(watched, accounts);
		const more = `${why}, so nothing is watched just now.`;
		return { accounts, isSure: true, news: why ? [announce('no-clients', { more })] : [] };
	};
	if (watched.kind === 'own') return sure([OWN]);
	if (watched.kind === 'clients') return sure(watched.ids);
	const before = [...lists].flatMap(([account, { isAway }]) =>
		isOwn(account) || isAway ? [] : account,
	);
	const ofShare = (ids: readonly string[]) => ids.filter((id) => isInShare(id, watched.share));
	const unsure = (failure?: Whose['failure']): Whose => ({
		...{ accounts: ofShare(known.listed ?? before), isSure: false, news: [], failure },
	});
	if (mustWait(known) && unsure().accounts.length > 0) return unsure();
	try {
		// Where none was known in time, there is nothing else to read.
		const isKnown = unsure().accounts.length > 0 || known.notBefore === undefined;
		const part = isKnown ? LIST_SHARE : 1;
		const isComplete = await listClients(session, (giveUpAt - Date.now()) * part);
		return isComplete ? sure(ofShare(known.listed ?? [])) : unsure();
	} catch (error) {
		return unsure({ account: CLIENT_LIST, error });
	}
}

/** A clock that was set back ends the pause. */
const mustWait = ({ notBefore = 0 }: KnownClients): boolean =>
	Date.now() < notBefore && notBefore - Date.now() <= DAY_MS;

/** If the lists must wait because of such a question, they are then read before the next one. */
const besides = async <T>({ client, known }: PollSession, answer: Promise<T>): Promise<T> =>
	await answer.finally(() => {
		known.notBefore = Date.now() + 2 * throttledForMs(client);
	});

/** What the service says about the owner of the key. */
export async function askSubject(session: PollSession): Promise<JsonRecord> {
	const { client, known } = session;
	if (mustWait(known)) throw new Error('The service asked to wait when it was asked last');
	const options = { timeoutMs: SUBJECT_TIMEOUT_MS, maxWaitMs: 0 };
	return (await besides(session, client.call('account.getSubject', options))).data;
}

/** Reads the list of clients, and notes who they are. False if it may lack some. */
async function listClients(session: PollSession, longest: number): Promise<boolean> {
	const { client, known } = session;
	const timeoutMs = Math.max(1, Math.min(LIST_TIMEOUT_MS, longest));
	const listing = inTime(timeoutMs, noAnswer('client.getAll', OWN), async (givenUp) => {
		return await client.list('client.getAll', { timeoutMs, givenUp, atOnce: 2 });
	});
	const { records, isComplete } = await besides(session, listing);
	const clients = records
		.map((record) => ({ ...record, user_id: textOf(record.user_id).toLowerCase() }))
		.filter(({ user_id }) => user_id !== '');
	for (const one of clients) known.names.set(one.user_id, one);
	const active = clients.filter(isAccessible).map(({ user_id }) => user_id);
	known.listed = isComplete ? active : [...new Set([...(known.listed ?? []), ...active])];
	known.readAt = Date.now();
	return isComplete;
}

/**
 * For the items and messages of these accounts. Names are read again after a day, so that a new one
 * reaches the items; they are optional, and if they cannot be read, those from before are used.
 */
export async function refreshNames(
	session: PollSession,
	{ accounts, giveUpAt }: { accounts: readonly string[]; giveUpAt: number },
): Promise<void> {
	const { client, known } = session;
	const now = Date.now();
	const clients = accounts.filter((account) => !isOwn(account));
	const isOld = Math.abs(now - (known.readAt ?? -Infinity)) >= DAY_MS;
	if (clients.length === 0 || (!isOld && clients.every((id) => known.names.has(id)))) return;
	if (throttledForMs(client) > 0 || mustWait(known) || now >= giveUpAt) return;
	await listClients(session, Math.min(NAMES_TIMEOUT_MS, giveUpAt - now)).catch(() => undefined);
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
