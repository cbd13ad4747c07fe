/** How a record with a key is recognized and compared. */
import type { JsonRecord } from '../../api/schemas';
import type { ListedResource } from '../../item/accountRecords';
import { isSameValue } from '../../records/storedValue';
import { isBlank } from '../../parse/jsonValues';

export interface RecordKind {
	/** A noun: "post". */
	readonly what: string;
	readonly resource: ListedResource;
	/** The fields that identify it, and what an error calls them. */
	readonly fields: readonly string[];
	readonly fieldsInWords: string;
	/** The keys of a record that shows these fields. There may be several. */
	readonly keysOf: (record: JsonRecord) => readonly string[];
	/**
	 * Only for a kind whose key is part of a longer text: whether that text ends within a key, because
	 * it was cut off there.
	 */
	readonly endsWithinKey?: (record: JsonRecord) => boolean;
}

/** How much a record shows of the fields that identify it. */
export type ShownKeys =
	/** All of them, if only that they are empty. */
	| 'whole'
	/** A text that was cut off within a key. */
	| 'cut'
	/** Not all of the fields. */
	| 'hidden';

export function shownKeysOf({ fields, endsWithinKey }: RecordKind, record: JsonRecord): ShownKeys {
	if (!fields.every((name) => name in record)) return 'hidden';
	return endsWithinKey?.(record) === true ? 'cut' : 'whole';
}

/** How long the longest of these fields is. A service may cut long ones. */
export const lengthOfFields = ({ fields }: RecordKind, record: JsonRecord): number =>
	Math.max(...fields.map((name) => String(record[name] ?? '').length));

/** Services end a text that they have cut with up to three characters of their own, such as "...". */
const SIGN_OF_CUT = 3;

/** The length up to which a service keeps these fields. 0 if it has not just cut them off. */
export function cutLengthOf(
	kind: RecordKind,
	{ sent, shown }: { sent: JsonRecord; shown: JsonRecord },
): number {
	const isBeginning = kind.fields.every((name) =>
		String(sent[name] ?? '').startsWith(String(shown[name] ?? '').slice(0, -SIGN_OF_CUT)),
	);
	const length = lengthOfFields(kind, shown);
	const isCut = isBeginning && length < lengthOfFields(kind, sent);
	return isCut ? Math.max(0, length - SIGN_OF_CUT) : 0;
}

/** How an existing record compares with what would be sent. */
export interface ComparedRecord {
	/** The names of the fields in which a record differs. */
	readonly differencesIn: (record: JsonRecord) => readonly string[];
	/**
	 * Whether the list shows enough of a record, so that it does not have to be read individually.
	 */
	readonly isEnough: (listed: JsonRecord) => boolean;
}

/** A record that is recognized by its key. */
export interface KeyedRecord extends ComparedRecord {
	readonly kind: RecordKind;
	/** In the form that `keysOf` returns. */
	readonly key: string;
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

/** Compares field by field. A field that a record does not show does not count as different. */
export function comparedWith(
	sent: JsonRecord,
	/** Whether a different stored value is what the service made of the value that was sent. */
	becomes: (name: string, stored: unknown) => boolean = () => false,
): ComparedRecord {
	const differencesIn = (record: JsonRecord): string[] =>
		Object.keys(sent).filter((name) => {
			const { [name]: stored } = record;
			return (
				isKnown(name, stored) && !isSameValue(stored, sent[name], name) && !becomes(name, stored)
			);
		});
	// A summary is enough if it shows all compared fields and none differs.
	const isEnough = (listed: JsonRecord): boolean =>
		Object.entries(sent).every(([name, value]) => value === null || isKnown(name, listed[name])) &&
		differencesIn(listed).length === 0;
	return { differencesIn, isEnough };
}

/**
 * An empty value proves nothing in these fields: a summary may lack them, and a published post has
 * no due time.
 */
const SHOWN_IF_FILLED = ['text', 'status', 'scheduled_at'];
export const isShownIfFilled = (name: string): boolean => SHOWN_IF_FILLED.includes(name);

/** Whether a record shows the field, so that it can differ. */
export const isKnown = (name: string, stored: unknown): boolean =>
	stored !== undefined && !(isShownIfFilled(name) && isBlank(stored));
