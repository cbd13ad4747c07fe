/**
 * Decides to which account the credential's key belongs. Promise: a new key of the same account
 * continues where the old one stopped, and a key of another account never delivers what that
 * account had before. The service is asked once for each key; where its answer does not name an
 * account that is known, a known record shows that the list is the same. If nothing decides it for
 * long, the list starts over.
 */
import { MAX_PAGE, type Page } from '../api/pages';
import { isRecord, type JsonRecord } from '../api/schemas';
import { digestOf, hash53, idOf } from './hash';
import type { KnownBefore, Whose } from './poll';
import { announce } from './reports';
import { isOwn, OWN } from './session';
import type { Lists, OwnAccount } from './state';

interface Service {
	readonly credential: string;
	/** What the service says about the key's owner. */
	readonly askSubject: () => Promise<JsonRecord>;
	/** A page of the list that the key shows. */
	readonly readPage: (offset: number) => Promise<ShownPage>;
}

type ShownPage = Pick<Page, 'records' | 'hasMore'>;

const MAX_UNDECIDED = 5;
const NO_ANSWER = 'the service did not answer to which account it belongs, and no record tells.';
const NOTHING_SHOWN =
	'no record tells to which account it belongs: the list is empty and announces more.';

/** By what an answer names its account, the surest first: a bare `id` may be the key's. */
const NAMES = [
	...['user_id', 'account_id', 'subject_id', 'owner_id', 'member_id', 'profile_id', 'person_id'],
	...['sub', 'id', 'uuid', 'email', 'user_name', 'username', 'handle', 'login', 'slug'],
];
/** Objects whose ID does as well: `user.id` is the same as `user_id`. */
const OWNERS = ['user', 'account', 'subject', 'owner', 'member', 'profile', 'person'];

/** The own account's list; if it is not known whose the key is, the next poll asks again. */
export async function watchOwnAccount(before: KnownBefore, service: Service): Promise<Whose> {
	try {
		const own = await findOwnAccount(before, service);
		const present = before.own?.account ?? own.account;
		const more = before.lists.has(own.account)
			? 'It was watched before; what came since is delivered.'
			: 'What it has now counts as known; what comes from now on starts the workflow.';
		return {
			...{ accounts: [own.account], isSure: true, own },
			news: own.account === present ? [] : [announce('other-account', { more })],
		};
	} catch (error) {
		return { accounts: [], isSure: false, failure: { account: OWN, error }, news: [] };
	}
}

/** Throws if the next poll should ask again: a wrong guess would stay. */
async function findOwnAccount(
	{ own, lists, unsure }: KnownBefore,
	{ credential, askSubject, readPage }: Service,
): Promise<OwnAccount> {
	if (own?.credential === credential) return own;
	// The records are read even if this request fails.
	const answer = await askSubject().catch(() => undefined);
	const identity = answer && identityOf(answer);
	const { account: present = OWN, owners = {} } = own ?? {};
	const belongsTo = (account: string): OwnAccount => ({
		...{ credential, account },
		owners: identity === undefined ? owners : { ...owners, [account]: identity },
	});
	if (own === undefined) return belongsTo(present);
	const known = [...new Set([present, ...lists.keys(), ...Object.keys(owners)])].filter(isOwn);
	const named = known.find((account) => identity !== undefined && owners[account] === identity);
	if (named !== undefined) return belongsTo(named);
	const possible = known.filter((account) => !isOther(owners[account], identity));
	const shown = await whoseRecords(possible, lists, readPage);
	if (shown.account !== undefined) return belongsTo(shown.account);
	if ((unsure?.failures ?? 0) < MAX_UNDECIDED && (answer === undefined || shown.isHidden)) {
		const why = answer === undefined ? NO_ANSWER : NOTHING_SHOWN;
		throw new Error(`The API key was replaced, and ${why} The next poll asks again.`);
	}
	// Nothing is there that could be delivered as new, nor would it end a first walk.
	const isWalked = lists.get(present)?.progress.first === undefined;
	if (shown.isNothing && isWalked && possible.includes(present)) return belongsTo(present);
	let count = 2;
	while (known.includes(`${OWN}${count}`)) count++;
	return belongsTo(`${OWN}${count}`);
}

/**
 * Who an account is: a field of the answer and a digest of its value, from which nothing can be
 * derived. Undefined: the answer names no account.
 */
function identityOf(subject: JsonRecord): string | undefined {
	const idWithin = (name: string): unknown => isRecord(subject[name]) && subject[name].id;
	const named = new Map([
		...OWNERS.map((name) => [`${name}_id`, idWithin(name)] as const),
		...Object.entries(subject),
	]);
	for (const field of NAMES) {
		const value = named.get(field);
		const text = ['string', 'number'].includes(typeof value) ? String(value).trim() : '';
		if (text !== '') return `${field} ${digestOf(`${field}\n${text.toLowerCase()}`, 12)}`;
	}
	return undefined;
}

/** The same field has another value. A bare `id` may be the key's, and addresses are replaced. */
const isOther = (owner = '', identity = ''): boolean =>
	/^(sub|\w+_id) /.test(identity) && owner.startsWith(identity.slice(0, identity.indexOf(' ') + 1));

/** The account that knows most of the records at the head or at the end of what the key shows. */
async function whoseRecords(
	accounts: readonly string[],
	lists: Lists,
	readPage: Service['readPage'],
): Promise<{ account?: string; isHidden?: boolean; isNothing?: boolean }> {
	const remembered = accounts.filter((account) => lists.has(account));
	const [first] = remembered;
	if (first === undefined) return { isNothing: true };
	const ownerOf = ({ records }: ShownPage): string | undefined => {
		const hashes = records.flatMap((record) => idOf(record) ?? []).map((id) => hash53(id));
		const counts = remembered.map(
			(account) => hashes.filter((hash) => lists.get(account)?.seen.get(hash) !== undefined).length,
		);
		const most = Math.max(...counts);
		return most > 0 ? remembered[counts.indexOf(most)] : undefined;
	};
	const head = await readPage(0);
	if (ownerOf(head) !== undefined) return { account: ownerOf(head) };
	// An empty list is asked for twice. Should its end never come, that must not stop the trigger.
	const place = Math.max(0, (lists.get(first)?.progress.end ?? 0) - MAX_PAGE);
	const pages: ShownPage[] = [head];
	if (place > 0 || head.records.length === 0)
		pages.push(await readPage(place).catch(() => ({ records: [], hasMore: true })));
	const empty = pages.filter(({ records }) => records.length === 0);
	const isHidden = empty.some(({ hasMore }) => hasMore);
	return {
		...{ account: pages.map(ownerOf).find((account) => account !== undefined), isHidden },
		isNothing: empty.length === pages.length && !isHidden,
	};
}
