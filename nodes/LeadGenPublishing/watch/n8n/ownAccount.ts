/**
 * Decides to which account the credential's key belongs. Promise: a new key of the same account
 * continues where the old one stopped, and a key of another account never delivers what that
 * account had before. The service is asked once per key; if it does not tell, the records decide: a
 * known record shows that the list is the same. If nothing decides it, the list starts over, and
 * the user is told.
 */
import { freeOwnName, OWN, ownNames } from '../store/accountNames';
import { listKey } from '../list/events';
import type { OwnAccount } from '../store/extras';
import { compareIdentities, identityOf, type Identity } from '../store/identity';
import { UndecidedOwner } from './failures';
import type { ProcessMemory } from './processMemory';
import { listByRecords } from './ownRecords';
import { pauseAfterQuestion } from './pollClient';
import type { PollSession } from './pollSession';
import { silentNewList } from '../store/listState';
import { isPauseOver } from '../store/pauses';
import { MAX_DOUBTFUL_POLLS } from '../list/listSession';
import { sealWatch, type WatchState } from '../store/state';
import type { ListFailure } from '../list/turns/pollLists';

const SUBJECT_TIMEOUT_MS = 5_000;
const ASK_AGAIN_AFTER_MS = 3_600_000;
const NOTHING_SHOWN =
	'The API key was replaced, and the service shows no record that tells whether it is of the same account: its page is empty and announces more';
const NOT_ANSWERED =
	'The API key was replaced, the service did not answer to which account it belongs, and no record tells';

export interface OwnList {
	readonly account: string;
	readonly own: OwnAccount;
	readonly state: WatchState;
	readonly changed: boolean;
	/** To be reported to the user. */
	readonly news: readonly ListFailure[];
	readonly notice?: string;
}

interface OwnListInput {
	readonly remembered: ProcessMemory;
	readonly before: OwnAccount | undefined;
	readonly credential: string;
	readonly state: WatchState;
	readonly now: number;
	readonly deadline: number;
}

/** The credential holds another key; `identity` is what is known about its owner. */
interface ReplacedKey extends OwnListInput {
	readonly before: OwnAccount;
	readonly identity: Identity | null | undefined;
}

export async function findOwnList(session: PollSession, given: OwnListInput): Promise<OwnList> {
	const { credential, state } = given;
	const before = given.before ?? unknownOwner(session, state);
	if (before === undefined) return await firstList(session, given);
	const unchanged = before.credential === credential;
	if (unchanged && before.owners[before.list] !== undefined) return ownListOf(before, state, false);
	const identity = await askIdentity(session, given);
	if (unchanged) {
		return identity === undefined
			? ownListOf(before, state, false)
			: ownListOf(
					{ ...before, owners: { ...before.owners, [before.list]: identity } },
					state,
					true,
				);
	}
	const replaced = { ...given, before, identity };
	const list = ownerOf(before, identity) ?? (await decideByRecords(session, replaced));
	delete given.remembered.undecidedPolls;
	return list === undefined ? startNewList(session, replaced) : continueList({ ...replaced, list });
}

async function decideByRecords(
	session: PollSession,
	replaced: ReplacedKey,
): Promise<string | undefined> {
	const { list, isCertain, hidden } = await listByRecords(session, replaced);
	const { identity, remembered } = replaced;
	if (!isCertain && identity === undefined) postponeDecision(remembered, NOT_ANSWERED);
	else if (!isCertain && hidden) postponeDecision(remembered, NOTHING_SHOWN);
	return list;
}

/** There are own lists, but their owner is not stored: the records must decide. */
function unknownOwner({ settings }: PollSession, { lists }: WatchState): OwnAccount | undefined {
	const [list] = ownNames(settings.scope, lists);
	return list === undefined ? undefined : { credential: '', list, owners: {} };
}

const ownListOf = (own: OwnAccount, state: WatchState, changed: boolean): OwnList => ({
	account: own.list,
	own,
	state,
	changed,
	news: [],
});

async function firstList(session: PollSession, given: OwnListInput): Promise<OwnList> {
	const { credential, state } = given;
	const identity = await askIdentity(session, given);
	const owners: OwnAccount['owners'] = identity === undefined ? {} : { [OWN]: identity };
	const first = ownListOf({ credential, list: OWN, owners }, state, true);
	return identity === null
		? {
				...first,
				notice:
					'The service does not say by which account the API key is owned. If the credential is given another key, known records decide whether it is the same account.',
			}
		: first;
}

/** Null: the answer names no account. Undefined: not known yet. */
async function askIdentity(
	{ client }: PollSession,
	{ remembered, before, credential, now }: OwnListInput,
): Promise<Identity | null | undefined> {
	const isNew = before?.credential !== credential;
	const { throttle } = remembered;
	const { refused } = throttle;
	delete throttle.refused;
	// If the service asked to wait instead of answering, the records come first.
	if (isNew ? refused === credential : !isPauseOver(throttle.subject, now)) return undefined;
	// The records are read even if this request fails.
	const answer = await client
		.call('account.getSubject', { timeoutMs: SUBJECT_TIMEOUT_MS, maxWaitMs: 0 })
		.catch(() => undefined);
	throttle.subject = pauseAfterQuestion(client, now, ASK_AGAIN_AFTER_MS);
	if (answer !== undefined) return identityOf(answer.data) ?? null;
	if (throttle.subject.since > now) throttle.refused = credential;
	return undefined;
}

/** Of several lists of one account, the current one, or else the one started last. */
function ownerOf(
	{ list: present, owners }: OwnAccount,
	identity: Identity | null | undefined,
): string | undefined {
	const same = Object.keys(owners).filter(
		(list) => compareIdentities(owners[list] ?? undefined, identity ?? undefined) === 'same',
	);
	return same.includes(present) ? present : same.at(-1);
}

/**
 * A wrong guess would give the list to another account for good, so the next polls ask again first.
 */
function postponeDecision(remembered: ProcessMemory, why: string): void {
	remembered.undecidedPolls = (remembered.undecidedPolls ?? 0) + 1;
	if (remembered.undecidedPolls <= MAX_DOUBTFUL_POLLS) throw new UndecidedOwner(why);
}

function continueList({
	before,
	credential,
	identity,
	list,
	state,
}: ReplacedKey & { list: string }): OwnList {
	const owners = identity == null ? before.owners : { ...before.owners, [list]: identity };
	const own = ownListOf({ credential, list, owners }, state, true);
	return list === before.list
		? own
		: { ...own, news: [otherAccount('It was watched before; what came since is delivered.')] };
}

function startNewList(
	{ settings }: PollSession,
	{ before, credential, identity, state, now }: ReplacedKey,
): OwnList {
	const { scope, list } = settings;
	const taken = [...ownNames(scope, state.lists), ...Object.keys(before.owners), before.list];
	const name = freeOwnName(new Set(taken));
	const lists = {
		...state.lists,
		[listKey(scope, name)]: silentNewList(list.rules.width, now),
	};
	const owners = identity === undefined ? before.owners : { ...before.owners, [name]: identity };
	return {
		...ownListOf({ credential, list: name, owners }, sealWatch({ ...state, lists }), true),
		news: [
			otherAccount('What it has now counts as known; what comes from now on starts the workflow.'),
		],
	};
}

const otherAccount = (what: string): ListFailure => ({
	account: OWN,
	kind: 'other-account',
	message: `The API key in the credential belongs to another account than before, as far as the service and its records tell. ${what}`,
});
