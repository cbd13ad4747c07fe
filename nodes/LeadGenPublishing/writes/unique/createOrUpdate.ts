/**
 * Creates a record that can be recognized, or updates the existing one if it differs. It searches
 * as described in `createOnce.ts`.
 *
 * | an earlier attempt of the item has sent | and the record    | what is done                          |
 * | --------------------------------------- | ----------------- | ------------------------------------- |
 * | nothing                                 | does not exist    | create                                |
 * | nothing                                 | is the same       | leave: `unchanged`                    |
 * | nothing                                 | differs           | update                                |
 * | a creation                              | does not exist    | wait until it cannot appear, create   |
 * | a creation                              | is the same       | leave: `created`                      |
 * | a creation                              | differs           | update                                |
 * | an update without a key                 | is the same       | leave: `updated`                      |
 * | an update without a key                 | differs           | wait until it cannot change, update   |
 * | an update with a key                    | –                 | go on with that update                |
 *
 * If the service does not find the record that is to be updated, and a read does not find it either,
 * it counts as one that does not exist.
 */
import { InputError, outcomeOf } from '../../api/failure';
import { isNotFound } from '../../api/policy';
import type { JsonRecord } from '../../api/schemas';
import { openAttempt, settle, type ItemCall } from '../../item/itemCall';
import { ACTION, addFields, CHANGED_FIELDS_FIELD } from '../../panel/output/record';
import { inTurn } from './inTurn';
import { existingNow, findRecord, knownRecords, type Search } from './search';
import { sendNew } from './sendNew';
import type { Existing, UniqueRecord } from './uniqueRecord';
import {
	countOfWritten,
	notLookedFor,
	plannedBefore,
	wouldBeUpdated,
	wouldStay,
	type Action,
} from './words';

/** A record that is updated if it exists and differs. */
interface RecordToWrite extends UniqueRecord {
	/** Called with a record that exists, before it is compared or changed any further. */
	readonly notice?: (existing: Existing) => void;
	/** Changes the fields that differ. Throws if the record cannot be changed. */
	readonly change: (existing: Existing, call: ItemCall) => Promise<JsonRecord>;
}

type Writing = Search & { readonly unique: RecordToWrite };

/** Undefined if an earlier attempt may have sent a record that cannot be recognized. */
export const createOrUpdate = async (
	call: ItemCall,
	unique: RecordToWrite,
): Promise<JsonRecord | undefined> =>
	call.isDryRun ? await dryRun(call, unique) : await inTurn(call, unique, write);

/** Searches and checks. In a dry run, `send` and `change` stop before the request. */
async function dryRun(call: ItemCall, unique: RecordToWrite): Promise<JsonRecord> {
	const { kind, key } = unique;
	const known = knownRecords(call, kind);
	const finding = await known.find(call.api, unique).catch(notLookedFor(kind.what));
	if (finding.kind === 'uncertain') throw finding.doubt;
	if (known.planned.has(key)) {
		call.notice(plannedBefore(kind.what));
		return {};
	}
	if (finding.kind === 'absent') {
		await unique.check();
		known.planned.add(key);
		return await unique.send();
	}
	const { existing } = finding;
	unique.notice?.(existing);
	if (existing.differences.length === 0) {
		call.notice(wouldStay(kind.what, existing));
		return {};
	}
	known.planned.add(key);
	call.notice(wouldBeUpdated(kind.what, existing));
	return await unique.change(existing, call);
}

async function write(writing: Writing): Promise<JsonRecord> {
	const { call, unique } = writing;
	const open = openAttempt(call);
	const isKeyed = open?.request.key !== undefined;
	const isOpenChange = open?.request.recordId !== undefined;
	const found = await findRecord(writing);
	if (found === undefined) {
		if (open !== undefined) settle(call);
		await unique.check();
		const record = await sendNew(writing);
		return ended(writing, { action: 'created', record });
	}
	unique.notice?.(found);
	const { record, others, differences } = found;
	if (differences.length > 0) {
		// A change with an idempotency key checks its own outcome.
		const settled = open !== undefined && !isKeyed ? settle(call) : call;
		const changed = await change(writing, { existing: found, call: settled });
		if (changed === 'gone') return await write(writing);
		return ended(writing, { action: 'updated', record: changed, others, fields: differences });
	}
	if (open !== undefined) settle(call);
	const action = open === undefined ? 'unchanged' : isOpenChange ? 'updated' : 'created';
	return ended(writing, { action, record, others });
}

/** A list may still show a record that was deleted or archived. */
async function change(
	{ unique, known, memory }: Writing,
	{ existing, call }: { existing: Existing; call: ItemCall },
): Promise<JsonRecord | 'gone'> {
	const { api } = call;
	const isLost = () => {
		memory.state = { kind: 'lost', what: 'change', at: api.now() };
	};
	const { value, failure } = await outcomeOf(unique.change(existing, call)).catch(
		(error: unknown) => {
			// Interrupted, such as by the user.
			if (!(error instanceof InputError)) isLost();
			throw error;
		},
	);
	known.wasChanged(unique.key, existing.record);
	if (failure === undefined) {
		memory.state = existingNow(value, api.now());
		return value;
	}
	// A change with a key is safe to repeat, so another try does not have to wait.
	if (failure.facts.uncertain && failure.facts.idempotencyKey === undefined) isLost();
	const { record } = existing;
	if (isNotFound(failure) && (await known.isGone(api, record).catch(() => false))) return 'gone';
	throw failure;
}

interface Ended {
	readonly action: Action;
	readonly record: JsonRecord;
	readonly others?: number;
	/** The names of the changed fields. */
	readonly fields?: readonly string[];
}

function ended(
	{ call, unique: { kind, key }, known }: Writing,
	{ action, record, others = 0, fields = [] }: Ended,
): JsonRecord {
	const isOfThisRun = known.returned.has(key);
	known.returned.add(key);
	call.count(countOfWritten(kind.what, { action, others, isOfThisRun }));
	return addFields(record, { [ACTION]: action, [CHANGED_FIELDS_FIELD]: [...fields] });
}
