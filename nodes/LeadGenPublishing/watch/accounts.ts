/**
 * Finds out whose lists are watched: the own account's, those of chosen clients, or of all clients.
 */
import type { JsonRecord } from '../api/schemas';
import { accountsIn } from '../feed/lists/beginLists';
import { learnClients, type KnownClients } from './clients';
import { grantsOf } from './grants';
import { announce } from '../feed/reports/listFailure';
import { CLIENT_LIST, isOwn, OWN } from '../feed/names';
import { isRefusal } from './pollErrors';
import { inTime, noAnswer, type PollSession } from './session';
import { isInShare } from '../feed/lists/share';
import type { Lists } from '../feed/memory/state';
import type { WatchTarget } from './settings';
import type { Whose } from '../feed/world';

const LIST_TIMEOUT_MS = 20_000;
const SUBJECT_TIMEOUT_MS = 5_000;
/**
 * The share of the reading time for the list of clients. The rest is for the clients' own lists.
 */
const LIST_SHARE = 1 / 3;
const NAMES_TIMEOUT_MS = 5_000;
const DAY_MS = 24 * 60 * 60_000;

interface Before {
	readonly lists: Lists;
	readonly giveUpAt: number;
	/** Whether the list of clients may be requested, because it has not failed recently. */
	readonly mayAsk: boolean;
}

/**
 * The accounts to watch. For "All Clients", every poll lists the clients. If that fails, the
 * clients of earlier polls are watched, as this process or the stored lists know them.
 */
export async function watchedAccounts(session: PollSession, before: Before): Promise<Whose> {
	const { watched } = session.settings;
	if (watched.kind === 'own') return sureOf(watched, [OWN]);
	if (watched.kind === 'clients') return sureOf(watched, watched.ids);
	return await allClients(session, { ...before, watched });
}

function sureOf(watched: WatchTarget, accounts: readonly string[]): Whose {
	const why = whyNothingWatched(watched, accounts);
	const more = `${why}, so nothing is watched right now.`;
	const news = why === undefined ? [] : [announce('no-clients', { more })];
	return { accounts, isSure: true, news };
}

type AllClients = Extract<WatchTarget, { kind: 'allClients' }>;

async function allClients(
	session: PollSession,
	{ lists, giveUpAt, mayAsk, watched }: Before & { watched: AllClients },
): Promise<Whose> {
	const { known } = session;
	const ofShare = (ids: readonly string[]): string[] =>
		ids.filter((id) => isInShare(id, watched.share));
	const watchedBefore = accountsIn(lists).filter((account) => !isOwn(account));
	const stillKnown = (): string[] => ofShare(known.listed ?? watchedBefore);
	const unsure = (failure?: Whose['failure']): Whose => ({
		accounts: stillKnown(),
		isSure: false,
		news: [],
		failure,
	});
	if (!mayAsk || (mustWait(known) && stillKnown().length > 0)) return unsure();
	try {
		// If a pause is ignored because no client is known, there is nothing else to read.
		const isKnown = stillKnown().length > 0 || known.notBefore === undefined;
		const part = isKnown ? LIST_SHARE : 1;
		const isComplete = await listClients(session, (giveUpAt - Date.now()) * part);
		if (!isComplete) return unsure();
		const before = ofShare([...lists.keys()].filter((account) => !isOwn(account)));
		const active = ofShare(known.listed ?? []);
		const { kept, news } = await grantsOf(session, { before, active });
		const isWatched = (id: string): boolean => watchedBefore.includes(id);
		const sure = sureOf(watched, [...active, ...kept.filter(isWatched)]);
		return { ...sure, news: [...sure.news, ...news] };
	} catch (error) {
		return unsure({ account: CLIENT_LIST, error });
	}
}

/** A clock that was set back ends the pause. */
const mustWait = ({ notBefore = 0 }: KnownClients): boolean =>
	Date.now() < notBefore && notBefore - Date.now() <= DAY_MS;

/** What the service says about the owner of the key: nothing, if it refuses to say it. */
export async function askSubject({ client, known }: PollSession): Promise<JsonRecord> {
	if (mustWait(known)) throw new Error('The service asked to wait at the last request');
	const options = { timeoutMs: SUBJECT_TIMEOUT_MS, maxWaitMs: 0 };
	return await client.call('account.getSubject', options).then(
		({ data }) => data,
		(error: unknown) => {
			if (isRefusal(error)) return {};
			throw error;
		},
	);
}

/** Reads the list of clients, and notes who they are. False if the list may be incomplete. */
async function listClients(session: PollSession, longest: number): Promise<boolean> {
	const { client, known } = session;
	const timeoutMs = Math.max(1, Math.min(LIST_TIMEOUT_MS, longest));
	const listing = await inTime(timeoutMs, noAnswer('client.getAll', OWN), async (givenUp) => {
		return await client.list('client.getAll', { timeoutMs, givenUp, atOnce: 2 });
	});
	learnClients(known, listing);
	return listing.isComplete;
}

/**
 * Reads the names of clients for items and messages. Names are read again after a day, so that
 * changed names reach the items. They are optional: if they cannot be read, the earlier ones are
 * used.
 */
export async function refreshNames(
	session: PollSession,
	{ accounts, giveUpAt }: { accounts: readonly string[]; giveUpAt: number },
): Promise<void> {
	const { known } = session;
	const now = Date.now();
	const clients = accounts.filter((account) => !isOwn(account));
	const isOld = known.readAt === undefined || Math.abs(now - known.readAt) >= DAY_MS;
	if (clients.length === 0 || (!isOld && clients.every((id) => known.names.has(id)))) return;
	if (mustWait(known) || now >= giveUpAt) return;
	await listClients(session, Math.min(NAMES_TIMEOUT_MS, giveUpAt - now)).catch(() => undefined);
}

/** Why no account is watched. Undefined if there is one. */
export function whyNothingWatched(
	watched: WatchTarget,
	accounts: readonly string[],
): string | undefined {
	if (accounts.length > 0) return undefined;
	if (watched.kind === 'clients') return 'None of the chosen clients belongs to this share';
	return watched.kind === 'allClients' && watched.share !== undefined
		? 'No client with an active grant belongs to this share'
		: 'No client with an active grant is listed for this API key';
}
