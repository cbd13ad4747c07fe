/**
 * Decides to which account the credential's key belongs. Promise: a new key of the same account
 * continues where the old one stopped, and a key of another account never delivers what that
 * account had before. The service is only asked about a new key. If it does not answer, the next
 * poll asks again. If its answer shows no ID, a known record on the first page shows that the list
 * is the same. Otherwise the list starts over.
 */
import { InputError } from '../words/inputError';
import type { JsonRecord } from '../api/schemas';
import { accountIdIn } from '../api/subject';
import { digestOf, hash53 } from '../feed/list/hash';
import type { ListPage } from '../feed/list/page';
import { idOf } from '../feed/list/recordId';
import { announce } from '../feed/reports/listFailure';
import { isOwn, OWN } from '../feed/names';
import type { Lists, OwnAccount } from '../feed/memory/state';
import type { KnownBefore, Whose } from '../feed/world';

type ShownPage = Pick<ListPage, 'records' | 'hasMore'>;

interface Service {
	readonly credential: string;
	/** What the service says about the key's owner. Fails if it did not answer. */
	readonly askSubject: () => Promise<JsonRecord>;
	/** The first page of the list that the key shows. */
	readonly readFirstPage: () => Promise<ShownPage>;
}

/**
 * The own account's list. If it is unknown whose key it is, the next poll asks again.
 *
 * @doubt meShape
 */
export async function watchOwnAccount(before: KnownBefore, service: Service): Promise<Whose> {
	try {
		const own = await findOwnAccount(before, service);
		const present = before.own?.account ?? own.account;
		const more = before.lists.has(own.account)
			? 'The trigger watched this account before, so it delivers records that have arrived since then.'
			: 'The existing records of this account count as known, and new ones start the workflow.';
		return {
			accounts: [own.account],
			isSure: true,
			own,
			news: own.account === present ? [] : [announce('other-account', { more })],
		};
	} catch (error) {
		return { accounts: [], isSure: false, failure: { account: OWN, error }, news: [] };
	}
}

/** Throws if the next poll should ask again, because a wrong guess would be permanent. */
async function findOwnAccount(
	{ own, lists }: KnownBefore,
	{ credential, askSubject, readFirstPage }: Service,
): Promise<OwnAccount> {
	if (own?.credential === credential) return own;
	// The records may decide even if this request fails.
	const answer = await askSubject().catch(() => undefined);
	const id = answer && accountIdIn(answer);
	// From a digest, the ID cannot be derived.
	const owner = id && digestOf(id, 12);
	const { account: present = OWN, owners = {} } = own ?? {};
	const belongsTo = (account: string): OwnAccount => ({
		credential,
		account,
		owners: owner === undefined ? owners : { ...owners, [account]: owner },
	});
	if (own === undefined) return belongsTo(present);
	const known = [...new Set([present, ...lists.keys(), ...Object.keys(owners)])].filter(isOwn);
	const named = known.find((account) => owner !== undefined && owners[account] === owner);
	if (named !== undefined) return belongsTo(named);
	const possible = known.filter((account) => owner === undefined || !(account in owners));
	const page = await readFirstPage();
	const shown = accountWith(page, possible, lists);
	if (shown !== undefined) return belongsTo(shown);
	if (answer === undefined) throw askAgain('the service did not say which account it belongs to');
	if (owner === undefined && page.records.length === 0 && page.hasMore)
		throw askAgain('the list is empty, but says that there are more pages');
	let count = 2;
	while (known.includes(`${OWN}${count}`)) count++;
	return belongsTo(`${OWN}${count}`);
}

const askAgain = (why: string): InputError =>
	new InputError(
		`The API key was replaced, and ${why}. The next poll asks again.`,
		'Until then, the trigger does not read the list. No record is lost. If you replaced the key by mistake, enter the earlier key again.',
	);

/** The account that knows most of the records of this page. */
function accountWith(
	{ records }: ShownPage,
	accounts: readonly string[],
	lists: Lists,
): string | undefined {
	const hashes = records.flatMap((record) => idOf(record) ?? []).map((id) => hash53(id));
	const counts = accounts.map(
		(account) =>
			hashes.filter((hash) => lists.get(account)?.list.seen.get(hash) !== undefined).length,
	);
	const most = Math.max(0, ...counts);
	return most > 0 ? accounts[counts.indexOf(most)] : undefined;
}
