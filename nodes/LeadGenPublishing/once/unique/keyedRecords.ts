/**
 * Which records of a list carry which key. Where the list does not show that, records are read one by
 * one, unless this process has read them before.
 */
import { createHash } from 'crypto';

import { InputError } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import { incompleteList, isShownWhole, notAllRead, readEach } from '../../item/accountRecords';
import type { BoundApi } from '../../item/itemCall';
import { isBlank } from '../../parameters/parse/jsonValues';
import { stillHolds, type ReadBefore } from './readBefore';
import type { RecordKind } from './uniqueRecord';

interface Listed {
	readonly shown: JsonRecord;
	readonly keys: readonly string[];
	/** Whether the list itself shows them. */
	readonly isShown: boolean;
}

export interface KeyedRecords {
	/** As the list shows them. */
	readonly records: readonly JsonRecord[];
	/** Those without a key, of which the list shows something that may be the beginning of one. */
	readonly mayBeCut: readonly JsonRecord[];
	readonly byKey: ReadonlyMap<string, readonly Listed[]>;
	/** Why a record that is not among them may exist nevertheless. */
	readonly doubt?: InputError;
}

interface Sources {
	readonly api: BoundApi;
	readonly kind: RecordKind;
	readonly before: ReadBefore;
	/** The records that this run has read one by one, to which more are added. */
	readonly details: Map<string, JsonRecord | undefined>;
}

export async function keyedRecords(
	{ records, isComplete }: { records: readonly JsonRecord[]; isComplete: boolean },
	sources: Sources,
): Promise<KeyedRecords> {
	const { kind } = sources;
	const shows = showingIn(records, kind.fields);
	const hidden = records.filter((record) => !shows(record));
	const known = await readHidden(hidden, sources);
	const all = records.map((shown): Listed => {
		if (shows(shown)) return { shown, keys: kind.keysOf(shown), isShown: true };
		return { shown, keys: known.keysOf(String(shown.id)), isShown: false };
	});
	const mayBeCut = all
		.filter(({ isShown, keys }) => isShown && keys.length === 0)
		.map(({ shown }) => shown)
		.filter((shown) => kind.fields.some((name) => !isBlank(shown[name])));
	const byKey = new Map<string, Listed[]>();
	for (const one of all)
		for (const key of one.keys) byKey.set(key, [...(byKey.get(key) ?? []), one]);
	const doubt = !isComplete
		? incompleteList(`${kind.what}s`)
		: known.isShownNowhere && hidden.length === records.length
			? notShown(kind)
			: known.doubt;
	return { records, mayBeCut, byKey, doubt };
}

/** Reads what the list does not show, as far as this process does not know it. */
async function readHidden(hidden: readonly JsonRecord[], { api, kind, before, details }: Sources) {
	const looks = new Map(hidden.map((record) => [String(record.id), lookOf(record)]));
	const account = `${api.accountId} ${kind.resource}`;
	const known = before.ofAccount(account, new Set(looks.keys()));
	const unread = [...looks].flatMap(([id, look]) =>
		stillHolds(known.get(id), { look, now: api.now() }) ? [] : [id],
	);
	const left = await readEach(api, { resource: kind.resource, ids: unread }, (id, record) => {
		details.set(id, record);
		known.set(id, {
			look: looks.get(id) ?? '',
			keys: record === undefined ? [] : kind.keysOf(record),
			// One that is gone hides nothing.
			showsKey: record === undefined || kind.fields.every((name) => name in record),
			at: api.now(),
		});
	});
	const read = [...looks.keys()].flatMap((id) => known.get(id) ?? []);
	return {
		keysOf: (id: string) => known.get(id)?.keys ?? [],
		isShownNowhere: read.length > 0 && !read.some(({ showsKey }) => showsKey),
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
 * Whether the list shows what a record is recognised by. An empty field says nothing, unless the list
 * shows that field of another record with the same status. A shortened one never does.
 */
function showingIn(
	records: readonly JsonRecord[],
	fields: readonly string[],
): (record: JsonRecord) => boolean {
	const place = (name: string, { status }: JsonRecord) => JSON.stringify([name, status]);
	const shown = new Set(
		records.flatMap((record) =>
			fields.filter((name) => isShownWhole(record, name)).map((name) => place(name, record)),
		),
	);
	const showsField = (record: JsonRecord, name: string) =>
		isBlank(record[name]) ? shown.has(place(name, record)) : isShownWhole(record, name);
	return (record) =>
		typeof record.id !== 'string' || fields.every((name) => showsField(record, name));
}

const lookOf = (record: JsonRecord): string =>
	createHash('sha256').update(JSON.stringify(record)).digest('base64').slice(0, 16);

export const notShown = ({ what, fieldsInWords }: RecordKind): InputError =>
	new InputError(
		`The service does not show the ${fieldsInWords} of all ${what}s, so the node cannot recognize an existing one`,
		`The node might create a ${what} twice. Use Create, without looking for an existing one, and make sure in the workflow that each item is sent once.`,
		{ code: 'not_recognisable' },
		'Nothing was sent',
	);
