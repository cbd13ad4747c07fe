/**
 * Decides to which account the credential's key belongs. Promise: a new key of the same account
 * continues where the old one stopped, and a key of another account never delivers what that
 * account had before. The service is asked once for each key; where its answer names no account, a
 * known record shows that the list is the same. If nothing decides it for long, the list starts over.
 */
import { createHash } from 'crypto';

import { isRecord, type JsonRecord } from '../api/schemas';
import { announce } from './reports';
import { hash53, idOf } from './hash';
import type { Pause } from './reports';
import type { Whose } from './poll';
import { isOwn, OWN } from './session';
import type { RememberedList } from './state';

/** Who an account is. Nothing can be derived from the digest. */
interface Identity {
	/** The field that it comes from: only values of the same field can be compared. */
	readonly kind: string;
	readonly digest: string;
}

/** Kept in the state. */
export interface OwnAccount {
	/** A digest of the key and its address. */
	readonly credential: string;
	/** The name of the account's list: `own`, or `own2` and so on for further accounts. */
	readonly account: string;
	/** By account, as far as the service names them. */
	readonly owners: Readonly<Record<string, Identity>>;
}

/** An own account whose records are remembered. */
export interface KnownList {
	readonly account: string;
	/** Where the list ended when it was last looked through. */
	readonly end: number;
	isKnown(record: unknown): boolean;
}

type OwnAccountFound =
	/** `new`: another account, whose list must begin silently; `another`: it has one already. */
	| { readonly own: OwnAccount; readonly change: 'none' | 'another' | 'new'; readonly why?: string }
	/** The next poll should ask again: a wrong guess would stay. */
	| { readonly own: undefined; readonly change?: undefined; readonly why: string };

interface OwnAccountInput {
	readonly before: OwnAccount | undefined;
	readonly credential: string;
	/** How many polls in a row have left it undecided. */
	readonly undecided: number;
	/** Those of all own accounts. */
	readonly lists: readonly KnownList[];
	/** What the service says about the key's owner. */
	readonly askSubject: () => Promise<JsonRecord>;
	/** A page of the list that the key shows. */
	readonly readPage: (offset: number) => Promise<ShownPage>;
}

interface ShownPage {
	readonly records: readonly JsonRecord[];
	readonly hasMore: boolean;
}

const MAX_UNDECIDED = 5;
const LAST_PAGE = 100;
const NO_ANSWER = 'the service did not answer to which account it belongs, and no record tells.';
const NOTHING_SHOWN =
	'no record tells to which account it belongs: the list is empty and announces more.';

/** An account's ID does not change. A bare `id` may be the key's, and addresses are replaced. */
const LASTING = 'user_id account_id subject_id owner_id member_id profile_id person_id sub'.split(
	' ',
);
const OTHERS = 'id uuid email user_name username handle login slug'.split(' ');
const OWNERS = 'user account subject owner member profile person'.split(' ');

/** The own account's list; if it is not known whose the key is, the next poll asks again. */
export async function watchOwnAccount({
	lists,
	unsure,
	...given
}: Omit<OwnAccountInput, 'lists' | 'undecided'> & {
	lists: ReadonlyMap<string, RememberedList>;
	unsure: Pause | undefined;
}): Promise<Whose> {
	const known = [...lists]
		.filter(([account]) => isOwn(account))
		.map(([account, { seen, progress }]) => ({
			...{ account, end: progress.end },
			isKnown: (record: unknown) => {
				const id = idOf(record);
				return id !== undefined && seen.get(hash53(id)) !== undefined;
			},
		}));
	try {
		const undecided = unsure?.failures ?? 0;
		const { own, change, why } = await findOwnAccount({ ...given, lists: known, undecided });
		if (own === undefined) throw new Error(why);
		const { account } = own;
		const more =
			change === 'new'
				? 'What it has now counts as known; what comes from now on starts the workflow.'
				: 'It was watched before; what came since is delivered.';
		return {
			...{ accounts: [account], isSure: true, own },
			begun: change === 'new' ? [account] : [],
			news: change === 'none' ? [] : [announce('other-account', { account, more })],
		};
	} catch (error) {
		const own = given.before === undefined ? {} : { own: given.before };
		return { accounts: [], isSure: false, failure: { account: OWN, error }, news: [], ...own };
	}
}

export async function findOwnAccount(given: OwnAccountInput): Promise<OwnAccountFound> {
	const { before, credential, lists, undecided } = given;
	if (before?.credential === credential) return { own: before, change: 'none' };
	// The records are read even if this request fails.
	const answer = await given.askSubject().catch(() => undefined);
	const identity = answer && identityOf(answer);
	const present = before?.account ?? lists[0]?.account ?? OWN;
	const owners = before?.owners ?? {};
	const belongsTo = (account: string, isNew = false): OwnAccountFound => ({
		own: {
			...{ credential, account },
			owners: identity === undefined ? owners : { ...owners, [account]: identity },
		},
		change: isNew ? 'new' : account === present ? 'none' : 'another',
	});
	if (before === undefined && lists.length === 0) return belongsTo(present);
	const known = [present, ...Object.keys(owners)];
	const named = known.find((account) => compare(owners[account], identity) === 'same');
	if (named !== undefined) return belongsTo(named);
	const possible = lists.filter(({ account }) => compare(owners[account], identity) === 'unknown');
	const shown = await whoseRecords(possible, { ...given, present });
	if (shown.account !== undefined && shown.isCertain) return belongsTo(shown.account);
	if (undecided < MAX_UNDECIDED && (answer === undefined || shown.isHidden)) {
		const why = answer === undefined ? NO_ANSWER : NOTHING_SHOWN;
		return { own: undefined, why: `The API key was replaced, and ${why}` };
	}
	if (shown.account !== undefined && compare(owners[present], identity) === 'unknown')
		return belongsTo(shown.account);
	return belongsTo(freeName([...known, ...lists.map(({ account }) => account)]), true);
}

/** Undefined: the answer names no account. */
function identityOf(subject: JsonRecord): Identity | undefined {
	const inner = OWNERS.flatMap((name): Array<[string, unknown]> => {
		const owner = subject[name];
		return isRecord(owner) ? [[`${name}_id`, owner.id]] : [];
	});
	const named = new Map([...inner, ...Object.entries(subject)]);
	for (const kind of [...LASTING, ...OTHERS]) {
		const value = named.get(kind);
		const text = ['string', 'number'].includes(typeof value) ? String(value).trim() : '';
		if (text === '') continue;
		const hash = createHash('sha256').update(`${kind}\n${text.toLowerCase()}`);
		return { kind, digest: hash.digest('base64url').slice(0, 12) };
	}
	return undefined;
}

function compare(one: Identity | undefined, other: Identity | undefined) {
	if (one === undefined || one.kind !== other?.kind) return 'unknown';
	if (one.digest === other.digest) return 'same';
	return LASTING.includes(one.kind) ? 'different' : 'unknown';
}

/** The list that knows most of what is shown to the key; the present account's, if several do. */
async function whoseRecords(
	lists: readonly KnownList[],
	{ readPage, present }: Pick<OwnAccountInput, 'readPage'> & { present: string },
): Promise<{ account?: string; isCertain?: true; isHidden?: true }> {
	const isPresent = ({ account }: KnownList): number => Number(account === present);
	const inOrder = lists.toSorted((one, other) => isPresent(other) - isPresent(one));
	const [first] = inOrder;
	if (first === undefined) return { account: present };
	const owner = (records: readonly JsonRecord[]): string | undefined => {
		const known = inOrder.map((list) => records.filter((one) => list.isKnown(one)).length);
		const most = Math.max(...known);
		return most > 0 ? inOrder[known.indexOf(most)]?.account : undefined;
	};
	const isBlank = ({ records, hasMore }: ShownPage): boolean => records.length === 0 && hasMore;
	const isEmpty = ({ records, hasMore }: ShownPage): boolean => records.length === 0 && !hasMore;
	const head = await readPage(0);
	const known = owner(head.records);
	if (known !== undefined) return { account: known, isCertain: true };
	const place = Math.max(0, first.end - LAST_PAGE);
	// An empty list is asked for twice. Should its end never come, that must not stop the trigger.
	const tail: ShownPage =
		place > 0 || isEmpty(head)
			? await readPage(place).catch(() => ({ records: [], hasMore: true }))
			: head;
	const account = owner(tail.records);
	if (account !== undefined) return { account, isCertain: true };
	// There is nothing that could be delivered as new.
	if (isEmpty(head) && isEmpty(tail)) return { account: present };
	return isBlank(head) || isBlank(tail) ? { isHidden: true } : {};
}

function freeName(taken: readonly string[]): string {
	let name = OWN;
	for (let count = 2; taken.includes(name); count++) name = `${OWN}${count}`;
	return name;
}
