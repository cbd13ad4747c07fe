/** The output of Create or Update: the record, and what was done with it. */
import type { JsonRecord } from '../../api/schemas';
import { ACTION, addFields, CHANGED_FIELDS_FIELD } from '../../panel/output/record';
import type { Search } from './findRecord';
import { countOfWritten, type Action } from './words';

export interface Written {
	readonly action: Action;
	readonly record: JsonRecord;
	/** How many further records have the same key. */
	readonly others?: number;
	/** The names of the changed fields. */
	readonly fields?: readonly string[];
}

export function writtenRecord(
	{ call, wanted: { kind, key }, records }: Search,
	{ action, record, others = 0, fields = [] }: Written,
): JsonRecord {
	const isOfThisRun = records.returned.has(key);
	records.returned.add(key);
	call.count(countOfWritten(kind.what, { action, others, isOfThisRun }));
	return addFields(record, { [ACTION]: action, [CHANGED_FIELDS_FIELD]: [...fields] });
}
