/**
 * Searches for the record with a unique key, and again, with growing pauses, while a request that
 * was sent a moment ago may still have an effect. The search ends only when the result is certain.
 */
import { outcomeOf } from '../../api/failure';
import { keyFrom } from '../../api/identifiers';
import { BETWEEN_LOOKS, growingPauses } from '../../api/growingPauses';
import type { JsonRecord } from '../../api/schemas';
import { readOne } from '../../item/accountRecords';
import { openAttempt, type WriteCall } from '../../item/itemCall';
import { isTaken, KEY_TURNS, newKeyMemory, type KeyMemory } from './keyMemory';
import { RecordsOfRun, type Finding } from './recordsOfRun';
import {
	asExisting,
	shownKeysOf,
	type Existing,
	type RecordKind,
	type KeyedRecord,
} from './keyedRecord';
import { notLookedFor, tooEarly } from './words';

/** How long it may take until reads show a new record. */
const MIN_APPEARS_WITHIN_MS = 10_000;
/** How long after a lost response a record may still appear. Then it counts as not created. */
const MAX_APPEARS_WITHIN_MS = 60_000;
const NEVER = -Infinity;
/** Adds the tenth of the waiting time that is reserved for a last read. */
const WITH_RESERVE = 10 / 9;

/** The search for one record, from its first look until the item is settled. */
export interface Search {
	readonly call: WriteCall;
	readonly wanted: KeyedRecord;
	readonly records: RecordsOfRun;
	readonly memory: KeyMemory;
	/** Until when the item may wait. Time spent reading a list does not count. */
	deadline: number;
	/** Must be called, whatever happens: another item may then work with the key. */
	readonly endTurn: () => void;
}

/** The keys of all items of a run, whichever accounts they are for. */
export const keysOfRun = (shared: WriteCall['shared'], { what }: RecordKind): Set<string> =>
	shared(`keys of ${what}s`, () => new Set());

/** What this run knows about the account's records of a kind. */
export const recordsOfRun = (
	{ api, shared }: Pick<WriteCall, 'api' | 'shared'>,
	kind: RecordKind,
): RecordsOfRun =>
	shared(
		`${kind.what}s of ${api.accountId}`,
		() => new RecordsOfRun(kind, keysOfRun(shared, kind)),
	);

/**
 * Begins the search once no other item or execution of this process works with the same key.
 * Undefined if an earlier attempt may have sent a record that cannot be recognized. A dry run sends
 * nothing, so it does not wait for others.
 */
export async function openSearch(
	call: WriteCall,
	wanted: KeyedRecord,
): Promise<Search | undefined> {
	const { api } = call;
	const { kind, key } = wanted;
	const records = recordsOfRun(call, kind);
	const deadline = api.now() + api.maxWaitMs;
	if (call.isDryRun) {
		return { call, wanted, records, memory: newKeyMemory(), deadline, endTurn: () => undefined };
	}
	const identity = keyFrom(api.accountId, kind.what, key);
	const open = openAttempt(call);
	if (open !== undefined && open.request.recognisedBy !== identity) return undefined;
	call.recognisedBy(identity);
	const tooLate = () => isTaken(kind.what);
	const turn = await KEY_TURNS.take(identity, { api, deadline, tooLate });
	return { call, wanted, records, deadline, memory: turn.memory, endTurn: turn.end };
}

/**
 * The record, if it exists. One that may still appear is awaited. A change that may still happen is
 * not, because changing an unpublished record twice does no harm.
 *
 * @doubt lateWrites
 */
export async function findRecord(search: Search): Promise<Existing | undefined> {
	const { call, wanted, memory, records } = search;
	if (call.isDryRun) return await findInDryRun(search);
	const { api } = call;
	const start = api.now();
	const { state } = memory;
	const lostAt = Math.max(state.kind === 'lost' ? state.at : NEVER, lostCreationOf(call));
	const isLost = lostAt > NEVER;
	const isOfThisRun = records.created.has(wanted.key) || records.changed.has(wanted.key);
	const isListOlder =
		state.kind === 'exists' &&
		records.list.readAt > NEVER &&
		state.at >= records.list.readAt &&
		!isOfThisRun;
	const fresh = isLost || isListOlder;
	const nextPause = growingPauses(BETWEEN_LOOKS);
	for (;;) {
		const finding = await look(search, { fresh });
		if (finding.kind === 'uncertain') throw finding.doubt;
		const found = finding.kind === 'found' ? finding.existing : await createdBefore(search);
		const left = mayAppearFor(search, { lostAt, start });
		if (found !== undefined) {
			if (fresh) memory.state = existingNow(found.record, api.now());
			return found;
		}
		if (left <= 0) {
			memory.state = { kind: 'nothingKnown' };
			return undefined;
		}
		if (api.now() >= search.deadline)
			throw tooEarly(wanted.kind.what, { ms: left, why: isLost ? 'creationLost' : 'goneAgain' });
		await pauseFor(search, Math.min(nextPause(), left));
	}
}

/** A dry run looks once, because it sends nothing. */
async function findInDryRun(search: Search): Promise<Existing | undefined> {
	const finding = await look(search, { fresh: false });
	if (finding.kind === 'uncertain') throw finding.doubt;
	return finding.kind === 'found' ? finding.existing : undefined;
}

/** When an earlier attempt of the item has sent a creation, in ms. */
function lostCreationOf(call: WriteCall): number {
	const { recordId, endedAt = NEVER } = openAttempt(call)?.request ?? {};
	return recordId === undefined ? endedAt : NEVER;
}

/** What is remembered of a record that exists. */
export const existingNow = ({ id }: JsonRecord, at: number): KeyMemory['state'] => ({
	kind: 'exists',
	at,
	id,
});

/** For how many ms the record of an earlier request may still appear. */
function mayAppearFor(
	{ call: { api }, memory: { state } }: Search,
	{ lostAt, start }: { lostAt: number; start: number },
): number {
	const patience = Math.max(Math.round(api.maxWaitMs * WITH_RESERVE), MIN_APPEARS_WITHIN_MS);
	const createdAt = state.kind === 'exists' ? state.at : NEVER;
	const until = Math.max(
		// The clock may have been set back.
		Math.min(lostAt, start) + Math.min(patience, MAX_APPEARS_WITHIN_MS),
		Math.min(createdAt, start) + MIN_APPEARS_WITHIN_MS,
	);
	return until - api.now();
}

export async function look(search: Search, how: { fresh: boolean }): Promise<Finding> {
	const { call, wanted, records } = search;
	const from = call.api.now();
	const { value, failure } = await outcomeOf(records.find(call.api, wanted, how));
	search.deadline += call.api.now() - from;
	if (failure === undefined) return value;
	return notLookedFor(wanted.kind.what)(failure);
}

/**
 * The record that this process has created, or that an earlier attempt has changed, even if the list
 * does not show it. If it was deleted since, another run may create it again, but not the run that
 * created it.
 */
async function createdBefore({
	call,
	wanted,
	records,
	memory,
}: Search): Promise<Existing | undefined> {
	const { api } = call;
	const { kind, key } = wanted;
	const own = records.created.get(key);
	const asCreated = own && { record: own, others: 0, differences: [] };
	const remembered = memory.state.kind === 'exists' ? memory.state.id : undefined;
	const known = remembered ?? openAttempt(call)?.request.recordId;
	const id = own === undefined ? known : own.id;
	if (typeof id !== 'string') return asCreated;
	const record = await readOne(api, kind.resource, id).catch(notLookedFor(kind.what));
	if (record === undefined) return asCreated;
	if (
		own !== undefined ||
		shownKeysOf(kind, record) !== 'whole' ||
		kind.keysOf(record).includes(key)
	)
		return asExisting(wanted, record);
	// Someone has changed the fields that identified it.
	memory.state = { kind: 'nothingKnown' };
	return undefined;
}

/** Pauses, but not longer than the item may wait. The rest of the time is for requests. */
export async function pauseFor({ call: { api }, deadline }: Search, ms: number): Promise<void> {
	const length = Math.min(ms, deadline - api.now());
	if (length > 0) await api.uncounted(async () => await api.wait(length));
}
