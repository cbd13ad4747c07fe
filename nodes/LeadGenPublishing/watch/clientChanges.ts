/**
 * "Client Changed": every poll reads the list of clients, and compares each client as the only record
 * of a list of its own. So it uses the memory, the batches and the filters of the other events.
 *
 * A status other than active counts once the service confirms it for this client, and a client is
 * gone if it is missing from two complete lists and the service does not show it any more. A list that
 * may be incomplete, or cannot be read, makes nobody gone.
 */
import { isAccessible } from '../api/grant';
import { InputError } from '../words/inputError';
import type { JsonRecord } from '../api/schemas';
import { readSubject } from '../api/subject';
import { hash53 } from '../feed/list/hash';
import type { ListPage } from '../feed/list/page';
import { askSubject } from './accounts';
import { listClients, mayBeIncomplete, type ListedClients } from './clientList';
import { GONE, goneClient, listedClient, statusOfClient } from './clientRows';
import { statusFingerprint, statusValue } from '../feed/events/fingerprint';
import { grantsOf } from './grants';
import { announce } from '../feed/reports/listFailure';
import { CLIENT_LIST, OWN } from '../feed/names';
import type { PollSession } from './session';
import type { Lists, OwnAccount } from '../feed/memory/state';
import type { Whose } from '../feed/world';

interface Before {
	readonly lists: Lists;
	readonly own: OwnAccount | undefined;
	readonly credential: string;
	readonly giveUpAt: number;
	/** Whether the list of clients may be requested, because it has not failed recently. */
	readonly mayAsk: boolean;
}

/** The clients that this poll compares. They are also in `known.compared`. */
export async function changedClients(session: PollSession, before: Before): Promise<Whose> {
	const { known } = session;
	known.compared = new Map();
	if (!before.mayAsk) return { accounts: [], isSure: false, news: [] };
	try {
		const listed = await listClients(session, before.giveUpAt - Date.now());
		if (listed.rows.size === 0 && before.lists.size === 0) await rejectOtherKeys(session);
		const isOtherAgency = belongsToAnother(listed, before);
		const lists = isOtherAgency ? new Map() : before.lists;
		known.compared = await comparedIn(session, listed, lists);
		const { account = OWN, owners = {} } = before.own ?? {};
		return {
			accounts: [...known.compared.keys()],
			isSure: listed.isComplete,
			own: { credential: before.credential, account, owners },
			isOtherAgency,
			news: isOtherAgency
				? [announce('other-account', { more: 'Its existing clients count as known.' })]
				: mayBeIncomplete(known),
		};
	} catch (error) {
		return { accounts: [], isSure: false, failure: { account: CLIENT_LIST, error }, news: [] };
	}
}

/** The page of a list that holds one client. */
export function pageOfClient({ known }: PollSession, account: string): ListPage {
	const record = known.compared.get(account);
	const records = record === undefined ? [] : [record];
	return { records, limit: 1, hasMore: false };
}

async function rejectOtherKeys(session: PollSession): Promise<void> {
	const me = await askSubject(session).catch((): JsonRecord => ({}));
	if (readSubject(me).isAgency === false) throw new InputError(...NO_AGENCY);
}

const NO_AGENCY: [message: string, description: string] = [
	'"Client Changed" watches the clients of an agency, but the API key in the credential does not belong to one.',
	'Use the API key of an agency that has the scope "clients:read" (or "*").',
];

/** The key was replaced, and its list shows none of the clients that were listed before. */
function belongsToAnother({ rows }: ListedClients, { lists, own, credential }: Before): boolean {
	const isReplaced = own !== undefined && own.credential !== credential;
	const known = [...lists.keys()].filter((id) => rememberedOf(lists, id) !== statusValue(GONE));
	return isReplaced && known.length > 0 && !known.some((id) => rows.has(id));
}

/** What is remembered of a client's status. Undefined if the client is not known. */
const rememberedOf = (lists: Lists, id: string): string | undefined =>
	lists.get(id)?.list.seen.get(hash53(id))?.value.slice(0, statusFingerprint.width);

async function comparedIn(
	session: PollSession,
	{ rows, isComplete }: ListedClients,
	lists: Lists,
): Promise<ReadonlyMap<string, JsonRecord>> {
	const { known } = session;
	const differs = (id: string, status: string): boolean =>
		![undefined, statusValue(status)].includes(rememberedOf(lists, id));
	const isDoubtful = (id: string, row: JsonRecord): boolean =>
		!isAccessible(row) && differs(id, statusOfClient(row));
	const sure = [...rows].filter(([id, row]) => !isDoubtful(id, row));
	const doubtful = [...rows].filter(([id, row]) => isDoubtful(id, row));
	const missing = [...lists.keys()].filter((id) => !rows.has(id) && differs(id, GONE));
	const { ended } = await grantsOf(session, {
		before: [...doubtful.map(([id]) => id), ...(isComplete ? missing : [])],
		active: sure.map(([id]) => id),
	});
	const confirmed = ended.map((id): [string, JsonRecord] => {
		const shown = rows.get(id) ?? known.ended.get(id)?.shown;
		const isGone = shown === undefined;
		return [id, isGone ? goneClient(id, known.names.get(id)) : listedClient(id, shown)];
	});
	return new Map([...sure.map(([id, row]) => [id, listedClient(id, row)] as const), ...confirmed]);
}
