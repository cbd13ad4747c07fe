/**
 * Creates a record that can be recognized, such as a post with a unique key, at most once. It
 * searches for the record before sending, and searches again, with growing pauses, if the response
 * to a request was lost. It sends nothing until it is certain that the record does not exist.
 *
 * The service has no idempotency keys for creations, so nothing can stop two processes from
 * creating a record at the same moment. Within a process, requests with the same key for one
 * account take turns.
 */
import type { JsonRecord } from '../../api/schemas';
import { openAttempt, settle, type ItemCall } from '../../item/itemCall';
import { addFields, ALREADY_EXISTED } from '../../panel/output/record';
import { inTurn } from './inTurn';
import { findRecord, knownRecords, type Search } from './search';
import { sendNew } from './sendNew';
import type { Existing, UniqueRecord } from './uniqueRecord';
import { countOfExisting, notLookedFor, plannedBefore, wouldBeReturned } from './words';

/** A record that is returned if it exists. */
export interface RecordToCreate extends UniqueRecord {
	/** Throws if the existing record must not be returned. */
	readonly accept: (existing: Existing, how: Acceptance) => void;
}

interface Acceptance {
	/**
	 * Whether an earlier attempt of this item created it. Then it is the result, if it does not
	 * differ.
	 */
	readonly isOurs: boolean;
}

/** Undefined if an earlier attempt may have sent a record that cannot be recognized. */
export async function createOnce(
	call: ItemCall,
	unique: RecordToCreate,
): Promise<JsonRecord | undefined> {
	return call.isDryRun ? await dryRun(call, unique) : await inTurn(call, unique, create);
}

/** Searches and checks. In a dry run, `send` stops before the request. */
async function dryRun(call: ItemCall, unique: RecordToCreate): Promise<JsonRecord> {
	const known = knownRecords(call, unique.kind);
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

async function create(creation: Search & { readonly unique: RecordToCreate }): Promise<JsonRecord> {
	const { call, unique, known } = creation;
	const { kind, key } = unique;
	const open = openAttempt(call);
	const found = await findRecord(creation);
	if (open !== undefined) settle(call);
	if (found === undefined) {
		await unique.check();
		return await sendNew(creation);
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
