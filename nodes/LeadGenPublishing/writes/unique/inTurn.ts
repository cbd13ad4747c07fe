/**
 * What creations and changes with a unique key share: they take turns, and check earlier attempts.
 */
import { keyFrom } from '../../api/identifiers';
import { openAttempt, type ItemCall } from '../../item/itemCall';
import { TURNS } from './keyMemory';
import { knownRecords, type Search } from './search';
import type { UniqueRecord } from './uniqueRecord';

/**
 * Runs the work once no other item or execution of this process works on the same key. Undefined if
 * an earlier attempt may have sent a record that cannot be recognized.
 */
export async function inTurn<Unique extends UniqueRecord, T>(
	call: ItemCall,
	unique: Unique,
	work: (search: Search & { readonly unique: Unique }) => Promise<T>,
): Promise<T | undefined> {
	const { api } = call;
	const { kind, key } = unique;
	const identity = keyFrom(api.accountId, kind.what, key);
	const open = openAttempt(call);
	if (open !== undefined && open.request.recognisedBy !== identity) return undefined;
	call.recognisedBy(identity);
	const known = knownRecords(call, kind);
	const turn = { api, deadline: api.now() + api.maxWaitMs, what: kind.what };
	return await TURNS.take(identity, turn, async (memory) => {
		const { deadline } = turn;
		return await work({ call, unique, known, memory, deadline });
	});
}
