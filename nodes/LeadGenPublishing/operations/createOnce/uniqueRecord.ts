/** What `createOnce` has to know of a kind of record, and of the one that is to be created. */
import type { JsonRecord } from '../../api/schemas';
import { isSameValue } from '../storedValue';

export interface RecordKind {
	/** A noun: "post". */
	readonly what: string;
	readonly list: 'post.getAll' | 'leadMagnet.getAll';
	readonly get: 'post.get' | 'leadMagnet.get';
	/** The fields that it is recognised by, and how an error calls them. */
	readonly fields: readonly string[];
	readonly fieldsInWords: string;
	/** What a record that shows these fields is recognised by; undefined if by nothing. */
	readonly keyOf: (record: JsonRecord) => string | undefined;
}

export interface UniqueRecord {
	readonly kind: RecordKind;
	/** As `keyOf` gives it. */
	readonly key: string;
	/** What an existing record is compared with, by field. */
	readonly compared: JsonRecord;
	/** Whether a stored value, though another one, is what became of the one that was sent. */
	readonly becomes?: (name: string, stored: unknown) => boolean;
	/** Whether the record, as a list or a read shows it, is cut before what it is recognised by. */
	readonly isCut?: (record: JsonRecord, shownBy: 'list' | 'read') => boolean;
	/** Throws if an existing record is no result. */
	readonly accept: (existing: Existing) => void;
	/** Throws if the record cannot be created now. */
	readonly check: () => void;
	readonly send: () => Promise<JsonRecord>;
}

export interface Existing {
	readonly record: JsonRecord;
	/** How many further records have the same key. */
	readonly others: number;
	/** The names of the fields that differ from what would be sent. */
	readonly differences: readonly string[];
}

/** Of these, `null` says nothing: a summary leaves them out, and what is published has no due time. */
const SHOWN_IF_FILLED = ['text', 'status', 'scheduled_at'];

/** What a record does not show is not known to differ. */
export const differencesOf = (
	{ compared, becomes = () => false }: UniqueRecord,
	record: JsonRecord,
): string[] =>
	Object.entries(compared)
		.filter(([name, sent]) => {
			const stored = record[name];
			const isShown = stored !== undefined && !(stored === null && SHOWN_IF_FILLED.includes(name));
			return isShown && !isSameValue(stored, sent, name) && !becomes(name, stored);
		})
		.map(([name]) => name);
