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

/** How an existing record compares with what would be sent. */
export interface ComparedRecord {
	/** The names of the fields in which a record differs. */
	readonly differencesIn: (record: JsonRecord) => readonly string[];
	/** Whether a record shows enough as the list has it, so that it need not be read alone. */
	readonly isEnough: (listed: JsonRecord, list: readonly JsonRecord[]) => boolean;
}

export interface UniqueRecord extends ComparedRecord {
	readonly kind: RecordKind;
	/** As `keysOf` gives it. */
	readonly key: string;
	/** Whether the record, as a list or a read shows it, is cut before what it is recognised by. */
	readonly isCut?: (record: JsonRecord, shownBy: 'list' | 'read') => boolean;
	/** Throws if the record cannot be created now. */
	readonly check: () => void | Promise<void>;
	readonly send: () => Promise<JsonRecord>;
}

export interface Existing {
	readonly record: JsonRecord;
	/** How many further records have the same key. */
	readonly others: number;
	/** The names of the fields that differ from what would be sent. */
	readonly differences: readonly string[];
}

export const asExisting = (
	{ differencesIn }: Pick<ComparedRecord, 'differencesIn'>,
	record: JsonRecord,
	others = 0,
): Existing => ({ record, others, differences: differencesIn(record) });

/** Compares field by field: what a record does not show is not known to differ. */
export function comparedWith(
	sent: JsonRecord,
	/** Whether a stored value, though another one, is what became of the one that was sent. */
	becomes: (name: string, stored: unknown) => boolean = () => false,
): ComparedRecord {
	const differencesIn = (record: JsonRecord): string[] =>
		Object.keys(sent).filter((name) => {
			const { [name]: stored } = record;
			return (
				isKnown(name, stored) && !isSameValue(stored, sent[name], name) && !becomes(name, stored)
			);
		});
	// A summary need not be read whole if it shows all that is compared, and it is the same.
	const isEnough = (listed: JsonRecord): boolean =>
		Object.entries(sent).every(([name, value]) => value === null || isKnown(name, listed[name])) &&
		differencesIn(listed).length === 0;
	return { differencesIn, isEnough };
}

/** Nothing in one of these says nothing: a summary leaves it out, and what is published has no due time. */
const SHOWN_IF_FILLED = ['text', 'status', 'scheduled_at'];
export const isShownIfFilled = (name: string): boolean => SHOWN_IF_FILLED.includes(name);

/** What a record does not show is not known to differ. */
export const isKnown = (name: string, stored: unknown): boolean =>
	stored !== undefined && !(isShownIfFilled(name) && isBlank(stored));
