/**
 * Decides to which account the credential's key belongs. Promise: a new key of the same account
 * continues where the old one stopped, and a key of another account never delivers what that
 * account had before. The service is only asked about a new key. If its response does not name a
 * known account, a known record shows that the list is the same. If several polls cannot decide it,
 * the list starts over.
 */
import { InputError } from '../api/failure';
import { isRecord, type JsonRecord } from '../api/schemas';
import { digestOf, hash53 } from '../feed/hash';
import { MAX_PAGE } from '../api/pages';
import type { ListPage } from '../feed/page';
import { idOf } from '../feed/recordId';
import { announce } from './listFailure';
import { isOwn, OWN } from './names';
import type { Lists, OwnAccount } from './state';
import type { KnownBefore, Whose } from './world';

interface Service {
	readonly credential: string;
	/** What the service says about the key's owner. */
	readonly askSubject: () => Promise<JsonRecord>;
	/** A page of the list that the key shows. */
	readonly readPage: (offset: number) => Promise<ShownPage>;
}

type ShownPage = Pick<ListPage, 'records' | 'hasMore'>;

const MAX_UNDECIDED = 5;
const NO_ANSWER = 'the service did not say which account it belongs to. No record shows it either.';
const NOTHING_SHOWN =
	'no record shows which account it belongs to: the list is empty and announces more.';

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
			? 'It was watched before, so the trigger delivers records that arrived since.'
			: 'Its existing records count as known, and new ones start the workflow.';
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
	{ own, lists, unsure }: KnownBefore,
	{ credential, askSubject, readPage }: Service,
): Promise<OwnAccount> {
	if (own?.credential === credential) return own;
	// The records are read even if this request fails.
	const answer = await askSubject().catch(() => undefined);
	const identity = answer && identityOf(answer);
	const { account: present = OWN, owners = {} } = own ?? {};
	const belongsTo = (account: string): OwnAccount => ({
		credential,
		account,
		owners: identity === undefined ? owners : { ...owners, [account]: identity },
	});
	if (own === undefined) return belongsTo(present);
	const known = [...new Set([present, ...lists.keys(), ...Object.keys(owners)])].filter(isOwn);
	const named = known.find((account) => identity !== undefined && owners[account] === identity);
	if (named !== undefined) return belongsTo(named);
	const possible = known.filter((account) => !isOther(owners[account], identity));
	const shown = await whoseRecords(possible, lists, readPage);
	if (shown.kind === 'known') return belongsTo(shown.account);
	const isUndecided = answer === undefined || shown.kind === 'hidden';
	if ((unsure?.failures ?? 0) < MAX_UNDECIDED && isUndecided) {
		const why = answer === undefined ? NO_ANSWER : NOTHING_SHOWN;
		throw new InputError(
			`The API key was replaced, and ${why} The next poll asks again.`,
			`If this goes on for ${MAX_UNDECIDED} polls, the trigger may take it for the key of another account, whose existing records count as known. If you replaced the key by mistake, enter the earlier key again.`,
		);
	}
	// The list has no record that could be delivered as new, and its first reading is over.
	const isRead = lists.get(present)?.list.scan.kind !== 'first';
	if (shown.kind === 'nothing' && isRead && possible.includes(present)) return belongsTo(present);
	let count = 2;
	while (known.includes(`${OWN}${count}`)) count++;
	return belongsTo(`${OWN}${count}`);
}

/** Objects in the response of `/me` that describe the account, the surest first. */
const OWNERS = [
	'subject',
	'owner',
	'me',
	'user',
	'current_user',
	'account',
	'member',
	'profile',
	'person',
];
/** Objects that may hold one of these. They describe something else, such as the key. */
const AROUND = ['data', 'session', 'key', 'api_key', 'token'];
const MAX_DEPTH = 3;
/** Fields that identify the account in any object. */
const ACCOUNT_IDS = [
	'user_id',
	'account_id',
	'subject_id',
	'owner_id',
	'member_id',
	'profile_id',
	'person_id',
	'sub',
];
/** IDs of an object. Outside the account's own objects, they may belong to the key. */
const PLAIN_IDS = ['id', 'uuid'];
/** Weaker names: they may change, or belong to the key. */
const WEAK_NAMES = ['id', 'uuid', 'email', 'user_name', 'username', 'handle', 'login', 'slug'];

/**
 * Identifies an account by the name of a field and a digest of its value, from which nothing can be
 * derived. Undefined if the response names no account. All sure fields share one name, so the
 * service may name the account in one field today and in another tomorrow.
 */
function identityOf(subject: JsonRecord): string | undefined {
	const objects = objectsIn(subject, { isAccount: false, depth: 0 });
	const sure = [
		...objects.flatMap(({ object }) => ACCOUNT_IDS.map((name) => object[name])),
		...objects.flatMap(({ object, isAccount }) =>
			isAccount ? PLAIN_IDS.map((name) => object[name]) : [],
		),
	]
		.map(textOf)
		.find(isText);
	if (sure !== undefined) return `${SURE}${digestOf(sure, 12)}`;
	for (const name of WEAK_NAMES) {
		const text = objects
			.filter(({ object, isAccount }) => isAccount || object === subject)
			.map(({ object }) => textOf(object[name]))
			.find(isText);
		if (text !== undefined) return `${name} ${digestOf(`${name}\n${text}`, 12)}`;
	}
	return undefined;
}

interface Described {
	readonly object: JsonRecord;
	/** Whether it describes the account, so that its ID is the account's. */
	readonly isAccount: boolean;
}

/** The object itself, and the objects in it that may name the account. */
function objectsIn(
	object: JsonRecord,
	{ isAccount, depth }: { isAccount: boolean; depth: number },
): Described[] {
	const within = (names: readonly string[], isOwner: boolean): Described[] =>
		names.flatMap((name) => {
			const inner = object[name];
			if (!isRecord(inner) || depth >= MAX_DEPTH) return [];
			return objectsIn(inner, { isAccount: isOwner, depth: depth + 1 });
		});
	return [{ object, isAccount }, ...within(OWNERS, true), ...within(AROUND, false)];
}

const SURE = 'account ';
const isText = (text: string): boolean => text !== '';
const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';

/** Whether both responses certainly name an account, and not the same one. */
const isOther = (owner = '', identity = ''): boolean =>
	owner.startsWith(SURE) && identity.startsWith(SURE) && owner !== identity;

type ShownRecords =
	/** The key shows records that this account knows. */
	| { readonly kind: 'known'; readonly account: string }
	/** It shows records that no account knows. */
	| { readonly kind: 'strange' }
	/** It shows no records. */
	| { readonly kind: 'nothing' }
	/** It shows no records and announces more. */
	| { readonly kind: 'hidden' };

/** The account that knows most of the records at the head or at the end of what the key shows. */
async function whoseRecords(
	accounts: readonly string[],
	lists: Lists,
	readPage: Service['readPage'],
): Promise<ShownRecords> {
	const remembered = accounts.filter((account) => lists.has(account));
	const [first] = remembered;
	if (first === undefined) return { kind: 'nothing' };
	const head = await readPage(0);
	const ofHead = ownerOf(head, remembered, lists);
	if (ofHead !== undefined) return { kind: 'known', account: ofHead };
	// An empty list is requested twice. If the page at its end cannot be read, that must not stop the
	// trigger.
	const place = Math.max(0, (lists.get(first)?.list.end ?? 0) - MAX_PAGE);
	const pages: ShownPage[] = [head];
	if (place > 0 || head.records.length === 0)
		pages.push(await readPage(place).catch(() => ({ records: [], hasMore: true })));
	const account = pages
		.map((page) => ownerOf(page, remembered, lists))
		.find((one) => one !== undefined);
	if (account !== undefined) return { kind: 'known', account };
	const empty = pages.filter(({ records }) => records.length === 0);
	if (empty.some(({ hasMore }) => hasMore)) return { kind: 'hidden' };
	return { kind: empty.length === pages.length ? 'nothing' : 'strange' };
}

function ownerOf(
	{ records }: ShownPage,
	accounts: readonly string[],
	lists: Lists,
): string | undefined {
	const hashes = records.flatMap((record) => idOf(record) ?? []).map((id) => hash53(id));
	const counts = accounts.map(
		(account) =>
			hashes.filter((hash) => lists.get(account)?.list.seen.get(hash) !== undefined).length,
	);
	const most = Math.max(...counts);
	return most > 0 ? accounts[counts.indexOf(most)] : undefined;
}
