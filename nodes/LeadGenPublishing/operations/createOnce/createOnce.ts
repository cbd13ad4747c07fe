/**
 * Creates a record that can be recognised, such as a post with a unique key, at most once: looks for
 * it before sending, and looks again, with growing pauses, when the answer to a request was lost.
 *
 * The service has no idempotency keys for creations, so two requests of different processes at the
 * same moment cannot be kept apart. Within a process, they take turns.
 */
import { keyFrom } from '../../api/idempotency';
import { outcomeOf } from '../../api/outcome';
import type { JsonRecord } from '../../api/schemas';
import { addFields } from '../../output/addFields';
import { ALREADY_EXISTED } from '../../output/simplification';
import type { ItemCall } from '../define';
import {
	afterLostRequest,
	countOfExisting,
	plannedBefore,
	stillUnknown,
	wouldBeReturned,
	wouldFail,
	type Found,
} from './found';
import type { RecordIndex } from './listOfRun';
import {
	createdBefore,
	keepLooking,
	look,
	MIN_APPEARS_WITHIN_MS,
	rememberFound,
	type Creation,
} from './look';
import { TURNS } from './turns';
import type { UniqueRecord } from './uniqueRecord';

/** So long after a lost answer, a record that has not appeared counts as not created. */
const MAX_APPEARS_WITHIN_MS = 60_000;

/** Undefined if an earlier attempt may have sent a record that cannot be recognised. */
export async function createOnce<Index extends RecordIndex>(
	call: ItemCall,
	unique: UniqueRecord<Index>,
): Promise<JsonRecord | undefined> {
	const identity = keyFrom(call.api.accountId, ...unique.identity);
	if (call.isDryRun) return await dryRun(call, { unique, identity });
	const { earlier } = call;
	if (earlier?.mayHaveSucceeded() === true && earlier.recognisedBy !== identity) return undefined;
	call.recognisedBy(identity);
	return await TURNS.take(
		identity,
		async (memory) => await create(call, { unique, identity, memory }),
	);
}

/** Looks and checks; `send` then stops before the request. */
async function dryRun<Index extends RecordIndex>(
	call: ItemCall,
	{ unique, identity }: { unique: UniqueRecord<Index>; identity: string },
): Promise<JsonRecord> {
	const found = await look(call, { unique, fresh: false });
	if (found !== undefined) {
		if (unique.ifExists === 'fail') throw unique.alreadyExists(found);
		call.notice(wouldBeReturned(unique.what, found));
		return {};
	}
	unique.check();
	const planned = call.shared('identities of dry runs', () => new Set<string>());
	if (!planned.has(identity)) {
		planned.add(identity);
		return await unique.send();
	}
	if (unique.ifExists === 'fail') throw wouldFail(unique.what);
	call.notice(plannedBefore(unique.what));
	return {};
}

async function create<Index extends RecordIndex>(
	call: ItemCall,
	creation: Creation<Index>,
): Promise<JsonRecord> {
	const { unique, memory } = creation;
	const { api, earlier } = call;
	const isOurs = earlier?.mayHaveSucceeded() === true;
	const lostAt = latest(memory.lostAt, isOurs ? earlier.lostAt : undefined);
	const isStale =
		lostAt !== undefined ||
		(memory.createdBy !== unique.list.id && (memory.createdAt ?? NaN) > unique.list.readAt);
	let found =
		(await look(call, { unique, fresh: isStale })) ?? (await createdBefore(call, creation));
	if (found === undefined && lostAt !== undefined) {
		const waitMs = Math.min(Math.max(api.maxWaitMs, MIN_APPEARS_WITHIN_MS), MAX_APPEARS_WITHIN_MS);
		// The clock may have been set back.
		const until = Math.min(lostAt, api.now()) + waitMs;
		if (api.now() < until) {
			const seen = await keepLooking(call, { unique, until });
			if (seen.failure !== undefined) throw seen.failure;
			found = seen.found;
		}
	}
	memory.lostAt = undefined;
	if (isOurs) earlier.settled();
	if (found !== undefined) {
		rememberFound(found, creation);
		return existing(call, { unique, found, isOurs });
	}
	unique.check();
	return await send(call, { ...creation, wasLost: lostAt !== undefined });
}

async function send<Index extends RecordIndex>(
	call: ItemCall,
	{ unique, identity, memory, wasLost }: Creation<Index> & { wasLost: boolean },
): Promise<JsonRecord> {
	const { api } = call;
	const deadline = api.now() + api.maxWaitMs;
	const { value, failure } = await outcomeOf(unique.send()).catch((error: unknown) => {
		// Interrupted, such as by the user.
		memory.lostAt = api.now();
		throw error;
	});
	let record = value;
	if (failure?.facts.uncertain === true) {
		memory.lostAt = api.now();
		const { found, looks } = await keepLooking(call, { unique, until: deadline });
		if (found === undefined) throw stillUnknown(failure, { what: unique.what, looks });
		record = found.record;
	}
	memory.lostAt = undefined;
	if (record === undefined) throw wasLost && failure ? afterLostRequest(failure) : failure;
	memory.createdAt = TURNS.next();
	memory.createdBy = unique.list.id;
	memory.created = { id: record.id, at: api.now() };
	await unique.list.add(record, identity);
	return record;
}

function existing<Index extends RecordIndex>(
	call: ItemCall,
	{ unique, found, isOurs }: { unique: UniqueRecord<Index>; found: Found; isOurs: boolean },
): JsonRecord {
	if (isOurs) return found.record;
	if (unique.ifExists === 'fail') throw unique.alreadyExists(found);
	call.count(countOfExisting(unique.what, found));
	return addFields(found.record, { [ALREADY_EXISTED]: true });
}

const latest = (...times: Array<number | undefined>): number | undefined => {
	const known = times.filter((time) => time !== undefined);
	return known.length === 0 ? undefined : Math.max(...known);
};
