/** What a record is recognised by, and what it is compared in. */
import type { JsonRecord } from '../../api/schemas';
import type { ListedResource } from '../../item/accountRecords';
import { isSameValue } from '../../records/storedValue';
import { isBlank } from '../../parameters/parse/jsonValues';

export interface RecordKind {
	/** A noun: "post". */
	readonly what: string;
	readonly resource: ListedResource;
	/** The fields that it is recognised by, and how an error calls them. */
	readonly fields: readonly string[];
	readonly fieldsInWords: string;
	/** What a record that shows these fields is recognised by; there may be several keys. */
	readonly keysOf: (record: JsonRecord) => readonly string[];
}

export interface UniqueRecord {
	readonly kind: RecordKind;
	/** As `keysOf` gives it. */
	readonly key: string;
	/** What an existing record is compared with, by field. */
	readonly compared: JsonRecord;
	/** Whether a stored value, though another one, is what became of the one that was sent. */
	readonly becomes?: (name: string, stored: unknown) => boolean;
	/** Whether the record, as a list or a read shows it, is cut before what it is recognised by. */
	readonly isCut?: (record: JsonRecord, shownBy: 'list' | 'read') => boolean;
	/** Throws if an existing record is no result. */
	readonly accept: (existing: Existing, how: Acceptance) => void;
	/** Throws if the record cannot be created now. */
	readonly check: () => void | Promise<void>;
	readonly send: () => Promise<JsonRecord>;
}

export interface Acceptance {
	/** An earlier attempt of this item has created it: it is the result, if it is the same. */
	readonly isOurs: boolean;
}

export interface Existing {
	readonly record: JsonRecord;
	/** How many further records have the same key. */
	readonly others: number;
	/** The names of the fields that differ from what would be sent. */
	readonly differences: readonly string[];
}

export const asExisting = (
	{ compared, becomes = () => false }: UniqueRecord,
	record: JsonRecord,
	others = 0,
): Existing => ({
	record,
	others,
	differences: Object.keys(compared).filter((name) => {
		const stored = record[name];
		return (
			isKnown(name, stored) && !isSameValue(stored, compared[name], name) && !becomes(name, stored)
		);
	}),
});

/** Nothing in one of these says nothing: a summary leaves it out, and what is published has no due time. */
const SHOWN_IF_FILLED = ['text', 'status', 'scheduled_at'];

/** What a record does not show is not known to differ. */
const isKnown = (name: string, stored: unknown): boolean =>
	stored !== undefined && !(SHOWN_IF_FILLED.includes(name) && isBlank(stored));

/** Whether the record shows all that is compared, and it is the same: a summary need not be read whole. */
export const isSameWhole = (unique: UniqueRecord, record: JsonRecord): boolean =>
	Object.entries(unique.compared).every(
		([name, sent]) => sent === null || isKnown(name, record[name]),
	) && asExisting(unique, record).differences.length === 0;
