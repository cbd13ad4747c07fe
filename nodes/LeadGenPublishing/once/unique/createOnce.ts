/**
 * Creates a record that can be recognised, such as a post with a unique key, at most once: looks for
 * it before sending, and looks again, with growing pauses, when the answer to a request was lost.
 * Nothing is sent while it is not certain that the record does not exist.
 *
 * The service has no idempotency keys for creations, so two requests of different processes at the
 * same moment cannot be kept apart. Within a process, those for one account take turns.
 */
import { ApiFailure, InputError, outcomeOf } from '../../api/failure';
import { keyFrom } from '../../api/identifiers';
import type { JsonRecord } from '../../api/schemas';
import { readOne } from '../../item/accountRecords';
import { openAttempt, settle, type ItemCall } from '../../item/itemCall';
import { addFields, ALREADY_EXISTED } from '../../output/record';
import { TURNS, type KeyMemory } from './keyMemory';
import { KnownRecords, type Finding } from './knownRecords';
import { asExisting, type Existing, type RecordKind, type UniqueRecord } from './uniqueRecord';
import {
	countOfExisting,
	notLookedFor,
	plannedBefore,
	stillUnknown,
	tooEarly,
	wouldBeReturned,
} from './words';

/** After a record was created, it may take so long until reads show it. */
const MIN_APPEARS_WITHIN_MS = 10_000;
/** So long after a lost answer, a record that has not appeared counts as not created. */
const MAX_APPEARS_WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;
const NEVER = -Infinity;
/** Of the time that an item may wait, up to a tenth is kept for a last read. */
const WITH_RESERVE = 10 / 9;

interface Creation {
	readonly call: ItemCall;
	readonly unique: UniqueRecord;
	readonly known: KnownRecords;
	readonly memory: KeyMemory;
	/** Until when the item may wait; the time in which a list is read does not count. */
	deadline: number;
}

/** What this run knows of the account's records of a kind. */
export const knownRecords = (
	{ api, shared }: Pick<ItemCall, 'api' | 'shared'>,
	kind: RecordKind,
): KnownRecords => shared(`${kind.what}s of ${api.accountId}`, () => new KnownRecords(kind));

/** Undefined if an earlier attempt may have sent a record that cannot be recognised. */
export async function createOnce(
	call: ItemCall,
	unique: UniqueRecord,
): Promise<JsonRecord | undefined> {
	const { api } = call;
	const { kind, key } = unique;
	const known = knownRecords(call, kind);
	if (call.isDryRun) return await dryRun(call, unique, known);
	const identity = keyFrom(api.accountId, kind.what, key);
	const open = openAttempt(call);
	if (open !== undefined && open.request.recognisedBy !== identity) return undefined;
	call.recognisedBy(identity);
	const turn = { api, deadline: api.now() + api.maxWaitMs, what: kind.what };
	return await TURNS.take(identity, turn, async (memory) => {
		const deadline = turn.deadline;
		return await create({ call, unique, known, memory, deadline });
	});
}

/** Looks and checks; `send` then stops before the request. */
async function dryRun(
	call: ItemCall,
	unique: UniqueRecord,
	known: KnownRecords,
): Promise<JsonRecord> {
	const { what } = unique.kind;
	const finding = await known.find(call.api, unique).catch(notLookedFor(what));
	if (finding.kind === 'uncertain') throw finding.doubt;
	if (finding.kind === 'found') {
		unique.accept(finding.existing, { isOurs: false });
		call.notice(wouldBeReturned(what, finding.existing));
		return {};
	}
	if (!known.planned.has(unique.key)) {
		await unique.check();
		known.planned.add(unique.key);
		return await unique.send();
	}
	unique.accept({ record: {}, others: 0, differences: [] }, { isOurs: false });
	call.notice(plannedBefore(what));
	return {};
}

async function create(creation: Creation): Promise<JsonRecord> {
	const { call, unique, memory, known } = creation;
	const { kind, key } = unique;
	const open = openAttempt(call);
	const found = await find(creation, open?.request.endedAt);
	if (memory.state.kind === 'lost') memory.state = { kind: 'nothingKnown' };
	if (open !== undefined) settle(call);
	if (found === undefined) {
		await unique.check();
		return await send(creation);
	}
	const isOurs = open !== undefined;
	unique.accept(found, { isOurs });
	const { record, differences } = found;
	if (isOurs && differences.length === 0) return record;
	const isOfThisRun = known.created.has(key) || known.returned.has(key);
	known.returned.add(key);
	call.count(countOfExisting(kind.what, { existing: found, isOfThisRun }));
	return addFields(record, { [ALREADY_EXISTED]: true });
}

/** The record, if it exists. One that may still appear is awaited. */
async function find(
	creation: Creation,
	lostEarlier: number | undefined,
): Promise<Existing | undefined> {
	const { call, unique, memory, known } = creation;
	const { api } = call;
	const start = api.now();
	const { state } = memory;
	const lostAt = Math.max(state.kind === 'lost' ? state.at : NEVER, lostEarlier ?? NEVER);
	const createdAt = state.kind === 'exists' ? state.at : NEVER;
	const isOld = createdAt >= known.readAt && !known.created.has(unique.key);
	const fresh = lostAt > NEVER || isOld;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
		const finding = await look(creation, { fresh });
		if (finding.kind === 'uncertain') throw finding.doubt;
		const found = finding.kind === 'found' ? finding.existing : await createdBefore(creation);
		if (found !== undefined) {
			if (fresh) memory.state = existing(found.record, api.now());
			return found;
		}
		const left = mayAppearFor(creation, { lostAt, start });
		if (left <= 0) return undefined;
		if (api.now() >= creation.deadline) throw tooEarly(unique.kind.what, left);
		await pauseFor(creation, Math.min(pause, left));
	}
}

const existing = ({ id }: JsonRecord, at: number): KeyMemory['state'] => ({
	kind: 'exists',
	at,
	id: typeof id === 'string' ? id : undefined,
});

/** In ms: after that, no request that was sent before has an effect any more. */
function mayAppearFor(
	{ call: { api }, memory: { state } }: Creation,
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

async function look(creation: Creation, how: { fresh: boolean }): Promise<Finding> {
	const { call, unique, known } = creation;
	const from = call.api.now();
	const { value, failure } = await outcomeOf(known.find(call.api, unique, how));
	creation.deadline += call.api.now() - from;
	if (failure === undefined) return value;
	return notLookedFor(unique.kind.what)(failure);
}

/**
 * The record that this process has created, although the list does not show it, or not yet. One that
 * was deleted since may be created again, but not by the run that has created it.
 */
async function createdBefore({
	call: { api },
	unique,
	known,
	memory,
}: Creation): Promise<Existing | undefined> {
	const { kind, key } = unique;
	const own = known.created.get(key);
	const asCreated = own && { record: own, others: 0, differences: [] };
	const remembered = memory.state.kind === 'exists' ? memory.state.id : undefined;
	const id = own === undefined ? remembered : own.id;
	if (typeof id !== 'string') return asCreated;
	const record = await readOne(api, kind.resource, id).catch(notLookedFor(kind.what));
	if (record === undefined) return asCreated;
	const showsKey = kind.fields.every((name) => name in record);
	if (own !== undefined || !showsKey || kind.keysOf(record).includes(key))
		return asExisting(unique, record);
	// Someone has changed what it was recognised by.
	memory.state = { kind: 'nothingKnown' };
	return undefined;
}

async function send(creation: Creation): Promise<JsonRecord> {
	const { call, unique, known, memory } = creation;
	const { api } = call;
	const { value, failure } = await outcomeOf(unique.send()).catch((error: unknown) => {
		// Interrupted, such as by the user.
		if (!(error instanceof InputError)) memory.state = { kind: 'lost', at: api.now() };
		throw error;
	});
	if (failure !== undefined && !failure.facts.uncertain) throw failure;
	const record = value ?? (await afterLoss(creation, failure));
	memory.state = existing(record, api.now());
	known.created.set(unique.key, record);
	return record;
}

/** Looks with growing pauses for what came of a request; at least once, even without time to wait. */
async function afterLoss(creation: Creation, failure: ApiFailure): Promise<JsonRecord> {
	const { call, unique, memory } = creation;
	memory.state = { kind: 'lost', at: call.api.now() };
	let looks = 0;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
		await pauseFor(creation, pause);
		const { value: finding, failure: unread } = await outcomeOf(look(creation, { fresh: true }));
		if (finding?.kind === 'found') return finding.existing.record;
		if (finding?.kind === 'absent') looks += 1;
		const doubt = finding?.kind === 'uncertain' ? finding.doubt : unread;
		if (call.api.now() >= creation.deadline)
			throw stillUnknown(failure, { what: unique.kind.what, looks, doubt });
	}
}

/** Not longer than the item may wait. The time that is left is for requests. */
async function pauseFor({ call: { api }, deadline }: Creation, ms: number): Promise<void> {
	const length = Math.min(ms, deadline - api.now());
	if (length > 0) await api.uncounted(async () => await api.wait(length));
}
