/**
 * Which records of a list have which key. If the list does not show the key of a record, that
 * record is read individually, unless this process has read it before.
 */
import { createHash } from 'crypto';

import { InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';
import { incompleteList, isShownWhole, notAllRead, readEach } from '../../item/accountRecords';
import type { BoundApi } from '../../item/itemCall';
import { isBlank } from '../../parse/jsonValues';
import { stillHolds, type ReadMemory } from './readMemory';
import { shownKeysOf, type RecordKind } from './keyedRecord';

interface Listed {
	readonly shown: JsonRecord;
	readonly keys: readonly string[];
	/** Whether the list itself shows the keys. */
	readonly isShown: boolean;
}

export interface KeysInList {
	/** As the list shows them. */
	readonly records: readonly JsonRecord[];
	readonly byKey: ReadonlyMap<string, readonly Listed[]>;
	/** Why a record may exist although it is not among them. */
	readonly doubt?: InputError;
}

interface Sources {
	readonly api: BoundApi;
	readonly kind: RecordKind;
	readonly memory: ReadMemory;
	/** The records that this run has read one by one. More are added. */
	readonly details: Map<string, JsonRecord | undefined>;
}

/** @doubt notesInLists */
export async function keysInList(
	{ records, isComplete }: { records: readonly JsonRecord[]; isComplete: boolean },
	sources: Sources,
): Promise<KeysInList> {
	const { kind } = sources;
	const shows = showingIn(records, kind);
	const hidden = records.filter((record) => !shows(record));
	const known = await readHidden(hidden, sources);
	const all = records.map((shown): Listed => {
		if (shows(shown)) return { shown, keys: kind.keysOf(shown), isShown: true };
		return { shown, keys: known.keysOf(String(shown.id)), isShown: false };
	});
	const byKey = new Map<string, Listed[]>();
	for (const one of all)
		for (const key of one.keys) byKey.set(key, [...(byKey.get(key) ?? []), one]);
	const doubt = !isComplete
		? incompleteList(`${kind.what}s`)
		: known.isCut || (known.isShownNowhere && hidden.length === records.length)
			? keysNotShown(kind)
			: known.doubt;
	return { records, byKey, doubt };
}

/** Reads the records whose keys neither the list shows nor this process knows. */
async function readHidden(hidden: readonly JsonRecord[], { api, kind, memory, details }: Sources) {
	const looks = new Map(hidden.map((record) => [String(record.id), lookOf(record)]));
	const account = `${api.accountId} ${kind.resource}`;
	const known = memory.ofAccount(account, new Set(looks.keys()));
	const unread = [...looks].flatMap(([id, look]) =>
		stillHolds(known.get(id), { look, now: api.now() }) ? [] : [id],
	);
	const left = await readEach(api, { resource: kind.resource, ids: unread }, (id, record) => {
		details.set(id, record);
		known.set(id, {
			look: looks.get(id) ?? '',
			keys: record === undefined ? [] : kind.keysOf(record),
			shown: record === undefined ? 'whole' : shownKeysOf(kind, record),
			at: api.now(),
		});
	});
	const read = [...looks.keys()].flatMap((id) => known.get(id) ?? []);
	return {
		keysOf: (id: string) => known.get(id)?.keys ?? [],
		isShownNowhere: read.length > 0 && read.every(({ shown }) => shown === 'hidden'),
		isCut: read.some(({ shown }) => shown === 'cut'),
		doubt:
			left === 0
				? undefined
				: notAllRead(`${kind.what}s`, {
						why: `The list of ${kind.what}s does not show their ${kind.fieldsInWords}`,
						left,
						of: hidden.length,
					}),
	};
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
	const place = (name: string, { status }: JsonRecord) => JSON.stringify([name, status]);
	const shown = new Set(
		records.flatMap((record) =>
			fields.filter((name) => isShownWhole(record, name)).map((name) => place(name, record)),
		),
	);
	const showsField = (record: JsonRecord, name: string) =>
		isBlank(record[name]) ? shown.has(place(name, record)) : isShownWhole(record, name);
	const lengthOf = (record: JsonRecord): number =>
		Math.max(...fields.map((name) => String(record[name] ?? '').length));
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

const lookOf = (record: JsonRecord): string =>
	createHash('sha256').update(JSON.stringify(record)).digest('base64').slice(0, 16);

const keysNotShown = ({ what, fieldsInWords }: RecordKind): InputError =>
	new InputError(
		`The service does not show the ${fieldsInWords} of all ${what}s, so the node cannot recognize an existing one`,
		`To avoid a duplicate, the node sent nothing. Use Create without a check for existing ones, and make sure in the workflow that each item is sent once.`,
		{ code: 'not_recognisable' },
		'Nothing was sent',
	);
