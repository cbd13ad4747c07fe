/**
 * Which records of a list have which key. If the list does not show the key of a record, that
 * record is read individually, unless this process has read it before.
 */
import type { JsonRecord } from '../../api/schemas';
import { isShownWhole, type ListReading } from '../../item/accountRecords';
import { incompleteList, movingList, notAllRead } from '../../words/listWords';
import { isBlank } from '../../parse/jsonValues';
import { InputError } from '../../words/inputError';
import { stillHolds, type ReadRecord } from './readMemory';
import { lengthOfFields, type RecordKind } from './keyedRecord';

export interface Listed {
	readonly shown: JsonRecord;
	readonly keys: readonly string[];
	/** Whether the list itself shows the keys. */
	readonly isShown: boolean;
}

export interface KeysInList {
	readonly byKey: ReadonlyMap<string, readonly Listed[]>;
	/** How long the longest fields are that have kept their key. */
	readonly longestKept: number;
	/** Whether the list shows the fields of the key for any record. */
	readonly showsKeys: boolean;
	/** Why a record may exist although it is not among them. */
	readonly doubt?: InputError;
}

interface Sources {
	readonly kind: RecordKind;
	readonly now: () => number;
	/** What is known of the reads of single records, by ID. */
	readonly known: ReadonlyMap<string, ReadRecord>;
	/** Reads these records, and returns how many are left unread. */
	readonly readEach: (listed: readonly JsonRecord[]) => Promise<number>;
}

/** @doubt notesInLists */
export async function keysInList(list: ListReading, sources: Sources): Promise<KeysInList> {
	const { kind, known, now, readEach } = sources;
	const { records } = list;
	const shows = showingIn(records, kind);
	const hidden = records.filter((record) => !shows(record));
	const readOf = ({ id }: JsonRecord): ReadRecord | undefined => known.get(String(id));
	const left = await readEach(
		hidden.filter((listed) => !stillHolds(readOf(listed), { listed, now: now() })),
	);
	const all = records.map((shown): Listed => {
		if (shows(shown)) return { shown, keys: kind.keysOf(shown), isShown: true };
		return { shown, keys: readOf(shown)?.keys ?? [], isShown: false };
	});
	const byKey = new Map<string, Listed[]>();
	for (const one of all)
		for (const key of one.keys) byKey.set(key, [...(byKey.get(key) ?? []), one]);
	const lengthOf = ({ shown, isShown }: Listed): number =>
		isShown ? lengthOfFields(kind, shown) : (readOf(shown)?.length ?? 0);
	const withKey = all.filter(({ keys }) => keys.length > 0);
	const reads = hidden.flatMap((record) => readOf(record) ?? []);
	return {
		byKey,
		longestKept: withKey.reduce((most, one) => Math.max(most, lengthOf(one)), -Infinity),
		showsKeys: hidden.length < records.length,
		doubt: doubtAbout(list, { kind, reads, left, hidden: hidden.length }),
	};
}

function doubtAbout(
	{ records, state }: ListReading,
	{
		kind,
		reads,
		left,
		hidden,
	}: { kind: RecordKind; reads: readonly ReadRecord[]; left: number; hidden: number },
): InputError | undefined {
	const what = `${kind.what}s`;
	if (state === 'incomplete') return incompleteList(what);
	if (state === 'moving') return movingList(what);
	const isShownNowhere = reads.length > 0 && reads.every(({ shown }) => shown === 'hidden');
	const isCut = reads.some(({ shown }) => shown === 'cut');
	if (isCut || (isShownNowhere && hidden === records.length)) return keysNotShown(kind);
	if (left === 0) return undefined;
	const why = `The list of ${what} does not show their ${kind.fieldsInWords}`;
	return notAllRead(what, { why, left, of: hidden });
}

/**
 * Whether the list shows the fields that identify a record. An empty field proves nothing, unless
 * the list shows that field for another record with the same status. A shortened field never
 * counts. A text without a key counts only if the list shows a longer one, because a list may cut
 * long texts before their key without a sign.
 */
function showingIn(
	records: readonly JsonRecord[],
	kind: RecordKind,
): (record: JsonRecord) => boolean {
	const { fields, keysOf, endsWithinKey } = kind;
	const lengthOf = (record: JsonRecord): number => lengthOfFields(kind, record);
	const place = (name: string, { status }: JsonRecord) => JSON.stringify([name, status]);
	const shown = new Set(
		records.flatMap((record) =>
			fields.filter((name) => isShownWhole(record, name)).map((name) => place(name, record)),
		),
	);
	const showsField = (record: JsonRecord, name: string) =>
		isBlank(record[name]) ? shown.has(place(name, record)) : isShownWhole(record, name);
	const longest = records.reduce((most, record) => Math.max(most, lengthOf(record)), 0);
	const mayBeCut = (record: JsonRecord): boolean =>
		endsWithinKey !== undefined &&
		(endsWithinKey(record) ||
			(keysOf(record).length === 0 &&
				!fields.every((name) => isBlank(record[name])) &&
				lengthOf(record) >= longest));
	return (record) =>
		typeof record.id !== 'string' ||
		(fields.every((name) => showsField(record, name)) && !mayBeCut(record));
}

/** How to create a record that the node does not look for first. */
const WITHOUT_KEY: Readonly<Record<RecordKind['resource'], string>> = {
	post: 'Use Post > Create without "Unique Key"',
	leadMagnet: 'Use Lead Magnet > Create with "If Exists" set to Create',
};

/** A list of posts without notes looks like one that hides them. */
const IF_EMPTY =
	'If the service only leaves out empty notes, add notes to one post and run the node again. ';

const keysNotShown = ({ what, fieldsInWords, resource }: RecordKind): InputError =>
	new InputError(
		`The service does not show the ${fieldsInWords} of all ${what}s, so the node cannot recognize an existing one`,
		`To avoid a duplicate, the node sent nothing. ${resource === 'post' ? IF_EMPTY : ''}${WITHOUT_KEY[resource]}, and make sure in the workflow that each item is sent once.`,
		{ code: 'not_recognisable' },
		'Nothing was sent',
	);
