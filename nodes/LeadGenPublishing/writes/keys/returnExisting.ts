/** What an item of "Create" gives if its record exists. */
import type { JsonRecord } from '../../api/schemas';
import { openAttempt } from '../../item/itemCall';
import { addFields, ALREADY_EXISTED } from '../../panel/output/record';
import type { Search } from './findRecord';
import type { Existing } from './keyedRecord';
import { countOfExisting, plannedBefore, wouldBeReturned } from './words';

/** The record as it is stored. If an earlier attempt of the item has created it, it is the result. */
export function returnExisting({ call, wanted, records }: Search, existing: Existing): JsonRecord {
	const { kind, key } = wanted;
	const { record, differences } = existing;
	if (call.isDryRun) {
		call.notice(wouldBeReturned(kind.what, existing));
		return {};
	}
	if (openAttempt(call) !== undefined && differences.length === 0) return record;
	const isOfThisRun = records.created.has(key) || records.returned.has(key);
	records.returned.add(key);
	call.count(countOfExisting(kind.what, { existing, isOfThisRun }));
	return addFields(record, { [ALREADY_EXISTED]: true });
}

/** Whether an earlier item of this run would create the same record. Only for a dry run. */
export const isPlannedBefore = ({ call, wanted, records }: Search): boolean =>
	call.isDryRun && records.planned.has(wanted.key);

/** The result of a dry run whose record an earlier item would create. */
export function notePlanned({ call, wanted }: Search): JsonRecord {
	call.notice(plannedBefore(wanted.kind.what));
	return {};
}
