/**
 * Decides to which account the credential's key belongs. Promise: a new key of the same account
 * continues where the old one stopped, and a key of another account never delivers what that
 * account had before. The service is asked once for each key; where its answer names no account, a
 * known record shows that the list is the same. If nothing decides it for long, the list starts over.
 */
import { createHash } from 'crypto';

import { MAX_PAGE, type Page } from '../api/pageWalker';
import { isRecord, type JsonRecord } from '../api/schemas';
import { hash53, idOf } from './hash';
import type { Whose } from './poll';
import { announce } from './reports';
import { isOwn, OWN } from './session';
import type { Lists } from './state';
import type { OwnAccount, Pause } from './stored';

interface Given {
	readonly before: OwnAccount | undefined;
	readonly credential: string;
	/** Earlier polls that could not find it out. */
	readonly unsure: Pause | undefined;
	readonly lists: Lists;
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

/** An account's ID does not change. A bare `id` may be the key's, and addresses are replaced. */
const LASTING = 'user_id account_id subject_id owner_id member_id profile_id person_id sub'.split(
	' ',
);
const OTHERS = 'id uuid email user_name username handle login slug'.split(' ');
const OWNERS = 'user account subject owner member profile person'.split(' ');

/** The own account's list; if it is not known whose the key is, the next poll asks again. */
export async function watchOwnAccount(given: Given): Promise<Whose> {
	const { before, lists } = given;
	try {
		const own = await findOwnAccount(given);
		const present = before?.account ?? own.account;
		const more = lists.has(own.account)
			? 'It was watched before; what came since is delivered.'
			: 'What it has now counts as known; what comes from now on starts the workflow.';
		return {
			...{ accounts: [own.account], isSure: true, own },
			news: own.account === present ? [] : [announce('other-account', { more })],
		};
	} catch (error) {
		return { accounts: [], isSure: false, own: before, failure: { account: OWN, error }, news: [] };
	}
}

/** Throws if the next poll should ask again: a wrong guess would stay. */
async function findOwnAccount(given: Given): Promise<OwnAccount> {
	const { before, credential, lists, unsure } = given;
	if (before?.credential === credential) return before;
	// The records are read even if this request fails.
	const answer = await given.askSubject().catch(() => undefined);
	const identity = answer && identityOf(answer);
	const { account: present = OWN, owners = {} } = before ?? {};
	const belongsTo = (account: string): OwnAccount => ({
		...{ credential, account },
		owners: identity === undefined ? owners : { ...owners, [account]: identity },
	});
	if (before === undefined) return belongsTo(present);
	const known = [present, ...new Set([...lists.keys(), ...Object.keys(owners)])].filter(isOwn);
	const those = (is: ReturnType<typeof compare>): string[] =>
		known.filter((account) => compare(owners[account], identity) === is);
	const [named] = those('same');
	if (named !== undefined) return belongsTo(named);
	const shown = await whoseRecords(those('unknown'), given);
	if (shown.account !== undefined) return belongsTo(shown.account);
	if ((unsure?.failures ?? 0) < MAX_UNDECIDED && (answer === undefined || shown.isHidden)) {
		const why = answer === undefined ? NO_ANSWER : NOTHING_SHOWN;
		throw new Error(`The API key was replaced, and ${why}`);
	}
	// Nothing is there that could be delivered as new.
	if (shown.isNothing && those('unknown').includes(present)) return belongsTo(present);
	let count = 2;
	while (known.includes(`${OWN}${count}`)) count++;
	return belongsTo(`${OWN}${count}`);
}

/**
 * Who an account is: a field of the answer and a digest of its value, from which nothing can be
 * derived. Undefined: the answer names no account.
 */
function identityOf(subject: JsonRecord): string | undefined {
	const inner = OWNERS.flatMap((name): Array<[string, unknown]> => {
		const owner = subject[name];
		return isRecord(owner) ? [[`${name}_id`, owner.id]] : [];
	});
	const named = new Map([...inner, ...Object.entries(subject)]);
	for (const field of [...LASTING, ...OTHERS]) {
		const value = named.get(field);
		const text = ['string', 'number'].includes(typeof value) ? String(value).trim() : '';
		if (text === '') continue;
		const hash = createHash('sha256').update(`${field}\n${text.toLowerCase()}`);
		return `${field} ${hash.digest('base64url').slice(0, 12)}`;
	}
	return undefined;
}

/** Only values of the same field can be compared. */
function compare(one = '', other = ''): 'same' | 'different' | 'unknown' {
	const [field = '', value] = one.split(' ');
	const [otherField, otherValue] = other.split(' ');
	if (field === '' || field !== otherField) return 'unknown';
	if (value === otherValue) return 'same';
	return LASTING.includes(field) ? 'different' : 'unknown';
}

/** The account that knows most of the records at the head or at the end of what the key shows. */
async function whoseRecords(
	accounts: readonly string[],
	{ lists, readPage }: Pick<Given, 'lists' | 'readPage'>,
): Promise<{ account?: string; isHidden?: boolean; isNothing?: boolean }> {
	const remembered = accounts.flatMap((account) => {
		const list = lists.get(account);
		return list === undefined ? [] : [{ account, ...list }];
	});
	const [first] = remembered;
	if (first === undefined) return { isNothing: true };
	const ownerOf = ({ records }: ShownPage): string | undefined => {
		const hashes = records.flatMap((record) => idOf(record) ?? []).map((id) => hash53(id));
		const counts = remembered.map(
			({ seen }) => hashes.filter((hash) => seen.get(hash) !== undefined).length,
		);
		const most = Math.max(...counts);
		return most > 0 ? remembered[counts.indexOf(most)]?.account : undefined;
	};
	const head = await readPage(0);
	if (ownerOf(head) !== undefined) return { account: ownerOf(head) };
	// An empty list is asked for twice. Should its end never come, that must not stop the trigger.
	const place = Math.max(0, first.progress.end - MAX_PAGE);
	const pages: ShownPage[] = [head];
	if (place > 0 || head.records.length === 0)
		pages.push(await readPage(place).catch(() => ({ records: [], hasMore: true })));
	const empty = pages.filter(({ records }) => records.length === 0);
	return {
		account: pages.map(ownerOf).find((account) => account !== undefined),
		isHidden: empty.some(({ hasMore }) => hasMore),
		isNothing: empty.length === pages.length && empty.every(({ hasMore }) => !hasMore),
	};
}
