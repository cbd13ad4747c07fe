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
import { TURNS, type KeyMemory } from './turns';
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
	readonly end: () => void;
}

/** What this run knows about the account's records of a kind. */
export const recordsOfRun = (
	{ api, shared }: Pick<WriteCall, 'api' | 'shared'>,
	kind: RecordKind,
): RecordsOfRun => shared(`${kind.what}s of ${api.accountId}`, () => new RecordsOfRun(kind));

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
		const memory: KeyMemory = { state: { kind: 'nothingKnown' } };
		return { call, wanted, records, memory, deadline, end: () => undefined };
	}
	const identity = keyFrom(api.accountId, kind.what, key);
	const open = openAttempt(call);
	if (open !== undefined && open.request.recognisedBy !== identity) return undefined;
	call.recognisedBy(identity);
	const turn = await TURNS.take(identity, { api, deadline, what: kind.what });
	return { call, wanted, records, deadline, memory: turn.memory, end: turn.end };
}

/** A request whose response was lost. */
interface Lost {
	/** In ms. */
	readonly at: number;
	readonly what: 'creation' | 'change';
}

/**
 * The record, if it exists. One that may still appear, or change, is awaited.
 *
 * @doubt lateWrites
 */
export async function findRecord(search: Search): Promise<Existing | undefined> {
	const { call, wanted, memory, records } = search;
	if (call.isDryRun) return await findInDryRun(search);
	const { api } = call;
	const start = api.now();
	const { state } = memory;
	const lost = latestOf(state.kind === 'lost' ? state : undefined, lostBy(call));
	const lostAt = lost?.at ?? NEVER;
	const isOfThisRun = records.created.has(wanted.key) || records.changed.has(wanted.key);
	const isListOlder = state.kind === 'exists' && state.at >= records.readAt && !isOfThisRun;
	const fresh = lost !== undefined || isListOlder;
	const nextPause = growingPauses(BETWEEN_LOOKS);
	for (;;) {
		const finding = await look(search, { fresh });
		if (finding.kind === 'uncertain') throw finding.doubt;
		const found = finding.kind === 'found' ? finding.existing : await createdBefore(search);
		const left = mayHaveEffectFor(search, { lostAt, start });
		const mayChange = lost?.what === 'change' && (found?.differences.length ?? 0) > 0;
		if (found !== undefined && !(mayChange && left > 0)) {
			if (fresh) memory.state = existingNow(found.record, api.now());
			return found;
		}
		if (left <= 0) {
			memory.state = { kind: 'nothingKnown' };
			return undefined;
		}
		if (api.now() >= search.deadline)
			throw tooEarly(wanted.kind.what, { ms: left, why: whyTooEarly({ found, lost }) });
		await pauseFor(search, Math.min(nextPause(), left));
	}
}

/** A dry run looks once, because it sends nothing. */
async function findInDryRun(search: Search): Promise<Existing | undefined> {
	const finding = await look(search, { fresh: false });
	if (finding.kind === 'uncertain') throw finding.doubt;
	return finding.kind === 'found' ? finding.existing : undefined;
}

const whyTooEarly = ({ found, lost }: { found?: Existing; lost?: Lost }) => {
	if (found !== undefined) return 'changeLost';
	return lost === undefined ? 'goneAgain' : 'creationLost';
};

/** What an earlier attempt of the item has sent, unless repeating it does no harm. */
function lostBy(call: WriteCall): Lost | undefined {
	const { key, recordId, endedAt } = openAttempt(call)?.request ?? {};
	if (endedAt === undefined || key !== undefined) return undefined;
	return { at: endedAt, what: recordId === undefined ? 'creation' : 'change' };
}

const latestOf = (...lost: ReadonlyArray<Lost | undefined>): Lost | undefined =>
	lost.reduce((last, one) => ((one?.at ?? NEVER) > (last?.at ?? NEVER) ? one : last), undefined);

/** What is remembered of a record that exists. */
export const existingNow = ({ id }: JsonRecord, at: number): KeyMemory['state'] => ({
	kind: 'exists',
	at,
	id,
});

/** For how many ms an earlier request may still have an effect. */
function mayHaveEffectFor(
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
 * The record that this process has created, even if the list does not show it yet. If it was
 * deleted since, another run may create it again, but not the run that created it.
 */
async function createdBefore({
	call: { api },
	wanted,
	records,
	memory,
}: Search): Promise<Existing | undefined> {
	const { kind, key } = wanted;
	const own = records.created.get(key);
	const asCreated = own && { record: own, others: 0, differences: [] };
	const remembered = memory.state.kind === 'exists' ? memory.state.id : undefined;
	const id = own === undefined ? remembered : own.id;
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
