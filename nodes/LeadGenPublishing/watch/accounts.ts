/**
 * Finds out whose lists are watched: the own account's, those of chosen clients, or of all clients.
 */
import type { JsonRecord } from '../api/schemas';
import { accountsIn } from '../feed/lists/beginLists';
import { listClients, mustWait, mayBeIncomplete } from './clientList';
import { grantsOf } from './grants';
import { announce } from '../feed/reports/listFailure';
import { CLIENT_LIST, isOwn, OWN } from '../feed/names';
import { isRefusal } from './classify';
import type { PollSession } from './session';
import { isInShare } from '../feed/lists/share';
import type { Lists } from '../feed/memory/state';
import type { WatchTarget } from './settings';
import type { Whose } from '../feed/world';

const SUBJECT_TIMEOUT_MS = 5_000;
/**
 * The share of the reading time for the list of clients. The rest is for the clients' own lists.
 */
const LIST_SHARE = 1 / 3;

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
	const more = `${why}, so nothing is watched right now. ${howToWatchMore(watched)}`;
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
		const { isComplete } = await listClients(session, (giveUpAt - Date.now()) * part);
		if (!isComplete) return { ...unsure(), news: mayBeIncomplete(known) };
		const before = ofShare([...lists.keys()].filter((account) => !isOwn(account)));
		const active = ofShare(known.listed ?? []);
		const { kept, ended } = await grantsOf(session, { before, active });
		const isWatched = (id: string): boolean => watchedBefore.includes(id);
		const sure = sureOf(watched, [...active, ...kept.filter(isWatched)]);
		const news = ended.map((account) => announce('grant-ended', { account }));
		return { ...sure, news: [...sure.news, ...news] };
	} catch (error) {
		return unsure({ account: CLIENT_LIST, error });
	}
}

/** What the service says about the owner of the key: nothing, if it refuses to say it. */
export async function askSubject({ client, known }: PollSession): Promise<JsonRecord> {
	if (mustWait(known))
		throw new Error('At the last request, the service asked the trigger to wait');
	const options = { timeoutMs: SUBJECT_TIMEOUT_MS, maxWaitMs: 0 };
	return await client.call('account.getSubject', options).then(
		({ data }) => data,
		(error: unknown) => {
			if (isRefusal(error)) return {};
			throw error;
		},
	);
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

/** What to do if no account is watched. */
export const howToWatchMore = (watched: WatchTarget): string =>
	'share' in watched && watched.share !== undefined
		? 'With few clients, a share can be empty. Leave out "Share of Clients" to watch them all.'
		: 'Ask the client for a grant, or set "Watch" to "Own Account".';
