/**
 * The records of an account by what they are recognised by, read once for all items of a run. Where
 * the list does not show that, records are read one by one. What may lack records is no answer.
 */
import { InputError } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import { incompleteList, readAll, readOne } from '../accountRecords';
import type { BoundApi } from '../define';
import { isSameValue } from '../storedValue';

export interface RecordKind {
	/** A noun: "post". */
	readonly what: string;
	readonly resource: 'post' | 'leadMagnet';
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

/** More of them would take longer to read one by one than anybody waits. */
const MAX_READ_ALONE = 1_000;

interface Reading {
	readonly records: ReadonlyArray<{ readonly key?: string; readonly shown: JsonRecord }>;
	/** Why a record that is not among them may exist nevertheless. */
	readonly doubt?: InputError;
}

export class KnownRecords {
	/** When the list was read last, in ms. */
	readAt = -Infinity;
	/** What this run has created, by key: a list may show it only after a while. */
	readonly created = new Map<string, JsonRecord>();
	/** The keys of what its dry runs would create. */
	readonly planned = new Set<string>();
	private reading: Promise<Reading> | undefined;
	/** Records that were read one by one; undefined if they are gone. */
	private readonly details = new Map<string, JsonRecord | undefined>();

	constructor(private readonly kind: RecordKind) {}

	/** Throws an `InputError` if it is not found, and not certain not to exist either. */
	async find(
		api: BoundApi,
		unique: UniqueRecord,
		{ fresh = false }: { fresh?: boolean } = {},
	): Promise<Existing | undefined> {
		const reading = (!fresh && this.reading) || this.readAll(api);
		this.reading = reading;
		const { records, doubt } = await reading.catch((error: unknown) => {
			// The next item reads again.
			if (this.reading === reading) this.reading = undefined;
			throw error;
		});
		const marked = records.filter(({ key }) => key === unique.key);
		for (const [at, { shown }] of marked.entries()) {
			// A list may show a summary, which is neither the record nor different from it.
			const isWhole =
				Object.entries(unique.compared).every(([name, sent]) => sent === null || name in shown) &&
				differencesOf(unique, shown).length === 0;
			const record = isWhole ? shown : await this.whole(api, shown);
			if (record !== undefined) return asExisting(unique, record, marked.length - at - 1);
		}
		let isCut = false;
		for (const { key, shown } of records) {
			if (key !== undefined || unique.isCut?.(shown, 'list') !== true) continue;
			const record = await this.whole(api, shown);
			if (record === undefined) continue;
			if (this.kind.keyOf(record) === unique.key) return asExisting(unique, record, 0);
			isCut ||= unique.isCut(record, 'read');
		}
		if (isCut || doubt !== undefined) throw doubt ?? notShown(this.kind);
		return undefined;
	}

	private async whole(api: BoundApi, listed: JsonRecord): Promise<JsonRecord | undefined> {
		const { id } = listed;
		if (typeof id !== 'string') return listed;
		if (!this.details.has(id)) this.details.set(id, await readOne(api, this.kind.resource, id));
		return this.details.get(id);
	}

	private async readAll(api: BoundApi): Promise<Reading> {
		this.readAt = api.now();
		const { kind } = this;
		const { records, isComplete } = await readAll(api, kind.resource);
		const shows = (record: JsonRecord) => kind.fields.every((name) => name in record);
		const lacking = records.filter((record) => !shows(record)).length;
		// Where some show a field, others may have nothing in it: the first of each status tells.
		const isHiddenFor = new Map<unknown, boolean>();
		const shown: JsonRecord[] = [];
		for (const record of records) {
			const { status } = record;
			const isEnough =
				shows(record) || lacking > MAX_READ_ALONE || isHiddenFor.get(status) === false;
			const whole = isEnough ? record : await this.whole(api, record);
			if (whole === undefined) continue;
			shown.push(whole);
			if (lacking < records.length && !isEnough) isHiddenFor.set(status, shows(whole));
		}
		const isHidden = shown.length > 0 && !shown.some(shows);
		return {
			records: shown.map((record) => ({ key: kind.keyOf(record), shown: record })),
			doubt: !isComplete ? incompleteList(`${kind.what}s`) : isHidden ? notShown(kind) : undefined,
		};
	}
}

export const asExisting = (unique: UniqueRecord, record: JsonRecord, others: number): Existing => ({
	record,
	others,
	differences: differencesOf(unique, record),
});

/** Of these, `null` says nothing: a summary leaves them out, and what is published has no due time. */
const SHOWN_IF_FILLED = ['text', 'status', 'scheduled_at'];

/** What a record does not show is not known to differ. */
const differencesOf = (
	{ compared, becomes = () => false }: UniqueRecord,
	record: JsonRecord,
): string[] =>
	Object.keys(compared).filter((name) => {
		const stored = record[name];
		const isShown = stored !== undefined && !(stored === null && SHOWN_IF_FILLED.includes(name));
		return isShown && !isSameValue(stored, compared[name], name) && !becomes(name, stored);
	});

const notShown = ({ what, fieldsInWords }: RecordKind): InputError =>
	new InputError(
		`The service does not show the ${fieldsInWords} of all ${what}s, by which an existing one is recognised. Nothing was sent`,
		`Without that, a ${what} could be created twice. Remove the option that looks for an existing one, and make sure in the workflow that each item is sent once.`,
		{ code: 'not_recognisable' },
	);
