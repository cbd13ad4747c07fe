/**
 * Creates a record that can be recognised, such as a post with a unique key, at most once: looks for
 * it before sending, and looks again, with growing pauses, when the answer to a request was lost.
 * Nothing is sent while it is not certain that the record does not exist.
 *
 * The service has no idempotency keys for creations, so two requests of different processes at the
 * same moment cannot be kept apart. Within a process, they take turns.
 */
import { ApiFailure, InputError, outcomeOf } from '../../api/failure';
import { keyFrom } from '../../api/identifiers';
import type { JsonRecord } from '../../api/schemas';
import { addFields, ALREADY_EXISTED } from '../../output/record';
import { readOne } from '../accountRecords';
import type { ItemCall } from '../define';
import { asExisting, KnownRecords, type Existing, type UniqueRecord } from './knownRecords';
import { TURNS, type KeyMemory } from './turns';
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

/** Undefined if an earlier attempt may have sent a record that cannot be recognised. */
export async function createOnce(
	call: ItemCall,
	unique: UniqueRecord,
): Promise<JsonRecord | undefined> {
	const { api, earlier, shared } = call;
	const { kind, key } = unique;
	const known = shared(`${kind.what}s of ${api.accountId}`, () => new KnownRecords(kind));
	if (call.isDryRun) return await dryRun(call, unique, known);
	const identity = keyFrom(api.accountId, kind.what, key);
	if (earlier?.mayHaveSucceeded() === true && earlier.recognisedBy !== identity) return undefined;
	call.recognisedBy(identity);
	const turn = { api, deadline: api.now() + api.maxWaitMs, what: kind.what };
	return await TURNS.take(
		keyFrom(kind.what, key),
		turn,
		async (memory) => await create({ call, unique, known, memory, deadline: turn.deadline }),
	);
}

/** Looks and checks; `send` then stops before the request. */
async function dryRun(
	call: ItemCall,
	unique: UniqueRecord,
	known: KnownRecords,
): Promise<JsonRecord> {
	const { what } = unique.kind;
	const found = await known.find(call.api, unique).catch(notLookedFor(what));
	if (found === undefined && !known.planned.has(unique.key)) {
		await unique.check();
		known.planned.add(unique.key);
		return await unique.send();
	}
	unique.accept(found ?? { record: {}, others: 0, differences: [] });
	call.notice(found === undefined ? plannedBefore(what) : wouldBeReturned(what, found));
	return {};
}

async function create(creation: Creation): Promise<JsonRecord> {
	const { call, unique, memory } = creation;
	const { earlier } = call;
	const isOurs = earlier?.mayHaveSucceeded() === true;
	const found = await find(creation, isOurs ? earlier.lostAt : undefined);
	memory.lostAt = undefined;
	if (isOurs) earlier.settled();
	if (found === undefined) {
		await unique.check();
		return await send(creation);
	}
	if (isOurs) return found.record;
	unique.accept(found);
	call.count(countOfExisting(unique.kind.what, found));
	return addFields(found.record, { [ALREADY_EXISTED]: true });
}

/** The record, if it exists. One that may still appear is awaited. */
async function find(
	creation: Creation,
	lostEarlier: number | undefined,
): Promise<Existing | undefined> {
	const { call, unique, memory, known } = creation;
	const { api } = call;
	const start = api.now();
	const lostAt = Math.max(memory.lostAt ?? NEVER, lostEarlier ?? NEVER);
	const isOld = memory.changedAt >= known.readAt && !known.created.has(unique.key);
	const fresh = lostAt > NEVER || isOld;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
		const found = (await look(creation, { fresh })) ?? (await createdBefore(creation));
		if (found !== undefined && fresh) memory.changedAt = api.now();
		const left = mayAppearFor(creation, { lostAt, start });
		if (found !== undefined || left <= 0) return found;
		if (api.now() >= creation.deadline) throw tooEarly(unique.kind.what, left);
		await pauseFor(creation, Math.min(pause, left));
	}
}

/** In ms: after that, no request that was sent before has an effect any more. */
function mayAppearFor(
	{ call: { api }, memory }: Creation,
	{ lostAt, start }: { lostAt: number; start: number },
): number {
	const patience = Math.max(Math.round(api.maxWaitMs * WITH_RESERVE), MIN_APPEARS_WITHIN_MS);
	const createdAt = memory.created.get(api.accountId)?.at ?? NEVER;
	const until = Math.max(
		// The clock may have been set back.
		Math.min(lostAt, start) + Math.min(patience, MAX_APPEARS_WITHIN_MS),
		Math.min(createdAt, start) + MIN_APPEARS_WITHIN_MS,
	);
	return until - api.now();
}

async function look(creation: Creation, how: { fresh: boolean }): Promise<Existing | undefined> {
	const { call, unique, known } = creation;
	const from = call.api.now();
	return await known
		.find(call.api, unique, how)
		.catch(notLookedFor(unique.kind.what))
		.finally(() => (creation.deadline += call.api.now() - from));
}

/**
 * The record that this process has created, although the list does not show it, or not yet. One that
 * was deleted since may be created anew, but not by the run that has created it.
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
	const id = own === undefined ? memory.created.get(api.accountId)?.id : own.id;
	if (typeof id !== 'string') return asCreated;
	const record = await readOne(api, kind.resource, id).catch(notLookedFor(kind.what));
	if (record === undefined) return asCreated;
	const showsKey = kind.fields.every((name) => name in record);
	if (own !== undefined || !showsKey || kind.keyOf(record) === key)
		return asExisting(unique, record, 0);
	// Someone has changed what it was recognised by.
	memory.created.delete(api.accountId);
	return undefined;
}

async function send(creation: Creation): Promise<JsonRecord> {
	const { call, unique, known, memory } = creation;
	const { api } = call;
	const { value, failure } = await outcomeOf(unique.send()).catch((error: unknown) => {
		// Interrupted, such as by the user.
		if (!(error instanceof InputError)) memory.lostAt = api.now();
		throw error;
	});
	if (failure !== undefined && !failure.facts.uncertain) throw failure;
	const record = value ?? (await afterLoss(creation, failure));
	memory.lostAt = undefined;
	memory.changedAt = api.now();
	if (typeof record.id === 'string')
		memory.created.set(api.accountId, { id: record.id, at: api.now() });
	known.created.set(unique.key, record);
	return record;
}

/** Looks with growing pauses for what came of a request; at least once, even without time to wait. */
async function afterLoss(creation: Creation, failure: ApiFailure): Promise<JsonRecord> {
	const { call, unique, memory } = creation;
	memory.lostAt = call.api.now();
	let looks = 0;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
		await pauseFor(creation, pause);
		let problem: Error | undefined;
		const found = await look(creation, { fresh: true }).catch((error: unknown) => {
			if (!(error instanceof ApiFailure || error instanceof InputError)) throw error;
			problem = error;
			return undefined;
		});
		if (found !== undefined) return found.record;
		if (problem === undefined) looks += 1;
		if (call.api.now() >= creation.deadline)
			throw stillUnknown(failure, { what: unique.kind.what, looks, problem });
	}
}

/** Not longer than the item may wait. The time that is left is for requests. */
async function pauseFor({ call: { api }, deadline }: Creation, ms: number): Promise<void> {
	const length = Math.min(ms, deadline - api.now());
	if (length > 0) await api.uncounted(async () => await api.wait(length));
}
