/** Reads the list of an agency's clients, and their names. */
import type { JsonRecord } from '../api/schemas';
import { LASTING_POLLS } from '../feed/list/state';
import { learnClients, type KnownClients } from './clients';
import { announce, type ListFailure } from '../feed/reports/listFailure';
import { CLIENT_LIST, isOwn, OWN } from '../feed/names';
import { inTime, noAnswer, type PollSession } from './session';

const LIST_TIMEOUT_MS = 20_000;
const NAMES_TIMEOUT_MS = 5_000;
const DAY_MS = 24 * 60 * 60_000;

/** A clock that was set back ends the pause. */
export const mustWait = ({ notBefore = 0 }: KnownClients): boolean =>
	Date.now() < notBefore && notBefore - Date.now() <= DAY_MS;

/** Reported if it lasts: clients that the list does not show are not noticed. */
export const mayBeIncomplete = ({ incomplete }: KnownClients): ListFailure[] =>
	incomplete < LASTING_POLLS ? [] : [announce('clients-incomplete', { account: CLIENT_LIST })];

export interface ListedClients {
	/** The decisive row of each client, by ID. */
	readonly rows: ReadonlyMap<string, JsonRecord>;
	readonly isComplete: boolean;
}

/** Reads the list of clients, and notes who they are. */
export async function listClients(session: PollSession, longest: number): Promise<ListedClients> {
	const { client, known } = session;
	const timeoutMs = Math.max(1, Math.min(LIST_TIMEOUT_MS, longest));
	const listing = await inTime(timeoutMs, noAnswer('client.getAll', OWN), async (givenUp) => {
		return await client.list('client.getAll', { timeoutMs, givenUp, atOnce: 2 });
	});
	return { rows: learnClients(known, listing), isComplete: listing.isComplete };
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
