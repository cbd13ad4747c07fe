/** Creates a lead magnet, if the user wants so only if none has its keyword and resource name. */
import { givenIn, type JsonRecord, without } from '../../api/schemas';
import { openAttempt, type WriteCall } from '../../item/itemCall';
import { findRecord, openSearch, type Search } from '../keys/findRecord';
import { comparedWith, type Existing } from '../keys/keyedRecord';
import { findLostCreation, outcomeOfCreation, rememberCreated } from '../keys/requestOutcome';
import { isPlannedBefore, notePlanned, returnExisting } from '../keys/returnExisting';
import { beginTrial, settleCreation } from '../keys/trial';
import { alreadyExists } from '../keys/words';
import { sayIfWithoutId } from '../sayIfWithoutId';
import { MAGNETS } from './magnets';

export interface MagnetToCreate {
	readonly body: JsonRecord;
	/** Keyword and resource name, if an existing lead magnet with them matters. */
	readonly key?: string;
	readonly ifExists: 'create' | 'return' | 'fail';
}

/** Undefined if an earlier attempt may have created a lead magnet that cannot be recognized. */
export async function createMagnetOnce(
	call: WriteCall,
	{ body, key, ifExists }: MagnetToCreate,
): Promise<JsonRecord | undefined> {
	if (key === undefined) return await sendMagnet(call, body);
	const compared = comparedWith(without(body, 'keyword', 'resource_name'));
	const search = await openSearch(call, { kind: MAGNETS, key, ...compared });
	if (search === undefined) return undefined;
	try {
		const found = await findRecord(search);
		const isOurs = openAttempt(call) !== undefined;
		settleCreation(search, { found, body });
		if (found !== undefined) {
			if (ifExists === 'fail') requireReturnable(found, { isOurs });
			return returnExisting(search, found);
		}
		if (isPlannedBefore(search)) {
			if (ifExists === 'fail') requireReturnable(NOT_YET, { isOurs: false });
			return notePlanned(search);
		}
		if (call.isDryRun) search.records.planned.add(key);
		return await sendMagnet(call, body, search);
	} finally {
		search.endTurn();
	}
}

/** The lead magnet that an earlier item of a dry run would create. */
const NOT_YET: Existing = { record: {}, others: 0, differences: [] };

/** Sends a new lead magnet. If it has a key, it is searched for if the response is lost. */
export async function sendMagnet(
	call: WriteCall,
	body: JsonRecord,
	search?: Search,
): Promise<JsonRecord> {
	if (search === undefined) {
		const { data } = await call.api.call('leadMagnet.create', { body });
		sayIfWithoutId(call, 'leadMagnet', data);
		return data;
	}
	const trial = await beginTrial(search, { body, does: 'created' });
	try {
		const record = await sendWithKey(search, body);
		rememberCreated(search, record);
		await trial.check(record);
		return record;
	} finally {
		trial.end();
	}
}

async function sendWithKey(search: Search, body: JsonRecord): Promise<JsonRecord> {
	const { call } = search;
	const sending = call.api.call('leadMagnet.create', { body });
	const { value: answer, failure } = await outcomeOfCreation(search, sending);
	if (failure === undefined) {
		sayIfWithoutId(call, 'leadMagnet', answer.data);
		return answer.data;
	}
	if (!failure.facts.uncertain) throw failure;
	return await findLostCreation(search, failure);
}

function requireReturnable(found: Existing, { isOurs }: { isOurs: boolean }): void {
	const { differences, record } = found;
	if (isOurs && differences.length === 0) return;
	throw alreadyExists(found, {
		isOurs,
		butDiffers: isOurs ? `, which differs from the item in: ${differences.join(', ')}` : '',
		what: 'lead magnet with this keyword and resource name',
		remedy:
			'To get the existing one instead, set "If Exists" to Return. To create another one, set it to Create.',
		details: givenIn({
			parameter: 'keyword',
			lead_magnet_id: record.id ?? null,
			differs: isOurs ? [...differences] : undefined,
		}),
	});
}
