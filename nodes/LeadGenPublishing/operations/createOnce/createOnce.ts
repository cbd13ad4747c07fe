/**
 * Creates a record that can be recognised, such as a post with a unique key, at most once: looks for
 * it before sending, and looks again, with growing pauses, when the answer to a request was lost.
 * Nothing is sent while it is not certain that the record does not exist.
 *
 * The service has no idempotency keys for creations, so two requests of different processes at the
 * same moment cannot be kept apart. Within a process, they take turns.
 */
import { ApiFailure, InputError } from '../../api/failure';
import { keyFrom } from '../../api/identifiers';
import { outcomeOf } from '../../api/outcome';
import type { JsonRecord } from '../../api/schemas';
import { addFields } from '../../output/addFields';
import { ALREADY_EXISTED } from '../../output/simplification';
import type { ItemCall } from '../define';
import { asExisting, KnownRecords } from './knownRecords';
import { TURNS, type KeyMemory } from './turns';
import type { Existing, UniqueRecord } from './uniqueRecord';
import {
	afterLostRequest,
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

/** Undefined if an earlier attempt may have sent a record that cannot be recognised. */
export async function createOnce(
	call: ItemCall,
	unique: UniqueRecord,
): Promise<JsonRecord | undefined> {
	const { api, earlier, shared } = call;
	const { kind, key } = unique;
	const identity = keyFrom(api.accountId, kind.what, key);
	const known = shared(`${kind.list} of ${api.accountId}`, () => new KnownRecords(kind));
	const deadline = api.now() + api.maxWaitMs;
	const looking = { call, unique, known, deadline };
	if (call.isDryRun) return await dryRun(looking);
	if (earlier?.mayHaveSucceeded() === true && earlier.recognisedBy !== identity) return undefined;
	call.recognisedBy(identity);
	const turn = { api, deadline, what: kind.what };
	return await TURNS.take(
		keyFrom(kind.what, key),
		turn,
		async (memory) => await create(looking, memory),
	);
}

interface Looking {
	readonly call: ItemCall;
	readonly unique: UniqueRecord;
	readonly known: KnownRecords;
	/** Until when the item may wait; the time in which a list is read does not count. */
	deadline: number;
}

/** Looks and checks; `send` then stops before the request. */
async function dryRun(looking: Looking): Promise<JsonRecord> {
	const { call, unique } = looking;
	const { what } = unique.kind;
	const found = await look(looking, { fresh: false });
	if (found !== undefined) {
		unique.accept(found);
		call.notice(wouldBeReturned(what, found));
		return {};
	}
	unique.check();
	const name = `dry runs of ${what}s for ${call.api.accountId}`;
	const planned = call.shared(name, () => new Set<string>());
	if (!planned.has(unique.key)) {
		planned.add(unique.key);
		return await unique.send();
	}
	unique.accept({ record: {}, others: 0, differences: [] });
	call.notice(plannedBefore(what));
	return {};
}

async function create(looking: Looking, memory: KeyMemory): Promise<JsonRecord> {
	const { call, unique, known } = looking;
	const { api, earlier } = call;
	const isOurs = earlier?.mayHaveSucceeded() === true;
	const lostAt = latest(memory.lostAt, isOurs ? earlier.lostAt : undefined);
	const fresh =
		lostAt !== undefined || (memory.changedAt >= known.readAt && !known.created.has(unique.key));
	const found =
		(await look(looking, { fresh })) ??
		(await createdBefore(looking, memory)) ??
		(lostAt === undefined ? undefined : await appeared(looking, lostAt));
	memory.lostAt = undefined;
	if (isOurs) earlier.settled();
	if (found === undefined) {
		unique.check();
		return await send(looking, { memory, wasLost: lostAt !== undefined });
	}
	if (fresh) memory.changedAt = api.now();
	if (isOurs) return found.record;
	unique.accept(found);
	call.count(countOfExisting(unique.kind.what, found));
	return addFields(found.record, { [ALREADY_EXISTED]: true });
}

async function send(
	looking: Looking,
	{ memory, wasLost }: { memory: KeyMemory; wasLost: boolean },
): Promise<JsonRecord> {
	const { call, unique, known } = looking;
	const { api } = call;
	const { value, failure } = await outcomeOf(unique.send()).catch((error: unknown) => {
		// Interrupted, such as by the user.
		if (!(error instanceof InputError)) memory.lostAt = api.now();
		throw error;
	});
	let record = value;
	if (failure?.facts.uncertain === true) {
		memory.lostAt = api.now();
		const { found, ...seen } = await keepLooking(looking, looking.deadline);
		if (found === undefined) throw stillUnknown(failure, { what: unique.kind.what, ...seen });
		record = found.record;
	}
	memory.lostAt = undefined;
	if (record === undefined) throw wasLost && failure ? afterLostRequest(failure) : failure;
	memory.changedAt = api.now();
	if (typeof record.id === 'string')
		memory.created.set(api.accountId, { id: record.id, at: api.now() });
	known.created.set(unique.key, record);
	return record;
}

async function look(
	looking: Looking,
	{ fresh }: { fresh: boolean },
): Promise<Existing | undefined> {
	const { call, unique, known } = looking;
	const { api } = call;
	const from = api.now();
	const { value, failure } = await outcomeOf(known.find(api, unique, { fresh }));
	looking.deadline += api.now() - from;
	if (failure === undefined) return value;
	throw notLookedFor(failure, unique.kind.what);
}

interface Seen {
	readonly found?: Existing;
	/** How often a look was an answer. */
	readonly looks: number;
	/** Why the last look was none. */
	readonly problem?: Error;
}

/** Looks again with growing pauses; at least once, even without time to wait. */
async function keepLooking(looking: Looking, until: number): Promise<Seen> {
	const { api } = looking.call;
	let looks = 0;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
		await pauseFor(looking.call, Math.min(pause, until - api.now()));
		let problem: Error | undefined;
		const found = await look(looking, { fresh: true }).catch((error: unknown) => {
			if (!(error instanceof ApiFailure || error instanceof InputError)) throw error;
			problem = error;
			return undefined;
		});
		if (problem === undefined) looks += 1;
		if (found !== undefined || api.now() >= until) return { found, looks, problem };
	}
}

/** What became of a request whose answer was lost; undefined once it can have no effect any more. */
async function appeared(looking: Looking, lostAt: number): Promise<Existing | undefined> {
	const { call, unique, deadline } = looking;
	const { api } = call;
	const waitMs = Math.min(Math.max(api.maxWaitMs, MIN_APPEARS_WITHIN_MS), MAX_APPEARS_WITHIN_MS);
	// The clock may have been set back.
	const until = Math.min(lostAt, api.now()) + waitMs;
	if (api.now() >= until) return undefined;
	const { found, problem } = await keepLooking(looking, Math.min(until, deadline));
	if (found !== undefined) return found;
	if (problem !== undefined) throw problem;
	if (api.now() < until) throw tooEarly(unique.kind.what, until - api.now());
	return undefined;
}

/**
 * The record that this process has created, although the list does not show it, or not yet. A
 * record that was deleted since may be created anew.
 */
async function createdBefore(looking: Looking, memory: KeyMemory): Promise<Existing | undefined> {
	const { call, unique, known, deadline } = looking;
	const { api } = call;
	const { kind, key } = unique;
	const own = known.created.get(key);
	const before = memory.created.get(api.accountId);
	const asCreated = own && { record: own, others: 0, differences: [] };
	const id = own === undefined ? before?.id : own.id;
	if (typeof id !== 'string') return asCreated;
	// The clock may have been set back.
	const until = Math.min(before?.at ?? -Infinity, api.now()) + MIN_APPEARS_WITHIN_MS;
	for (;;) {
		const { value: record, failure } = await outcomeOf(known.read(api, id));
		if (failure !== undefined) throw notLookedFor(failure, kind.what);
		// Someone may have changed what it is recognised by.
		if (record !== undefined)
			return own !== undefined || kind.keyOf(record) === key || !showsKey(unique, record)
				? asExisting(unique, record, 0)
				: undefined;
		if (own !== undefined) return asCreated;
		const left = until - api.now();
		if (left <= 0) return undefined;
		if (api.now() >= deadline) throw tooEarly(kind.what, left);
		await pauseFor(call, Math.min(FIRST_PAUSE_MS, left, deadline - api.now()));
	}
}

const showsKey = ({ kind }: UniqueRecord, record: JsonRecord): boolean =>
	kind.fields.every((name) => name in record);

/** The time that is left is for requests. */
const pauseFor = async ({ api }: ItemCall, ms: number): Promise<void> => {
	if (ms > 0) await api.uncounted(async () => await api.wait(ms));
};

const latest = (...times: Array<number | undefined>): number | undefined => {
	const known = times.filter((time) => time !== undefined);
	return known.length === 0 ? undefined : Math.max(...known);
};
