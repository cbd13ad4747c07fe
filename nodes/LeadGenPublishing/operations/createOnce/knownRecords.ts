/**
 * The records of an account by what they are recognised by, read once for all items of a run. Where
 * the list does not show that, records are read one by one. What may lack records is no answer.
 */
import { InputError } from '../../api/failure';
import { isNotFound, outcomeOf } from '../../api/outcome';
import type { JsonRecord } from '../../api/schemas';
import type { BoundApi } from '../define';
import { differencesOf, type Existing, type RecordKind, type UniqueRecord } from './uniqueRecord';

/** More of them would take longer to read one by one than anybody waits. */
const MAX_READ_ALONE = 1_000;

interface Index {
	readonly byKey: ReadonlyMap<string, readonly JsonRecord[]>;
	readonly withoutKey: readonly JsonRecord[];
	/** Why a record that is not in it may exist nevertheless. */
	readonly doubt?: InputError;
}

export class KnownRecords {
	/** When the list was read last, in ms. */
	readAt = -Infinity;
	/** What this run has created, by key: a list may show it only after a while. */
	readonly created = new Map<string, JsonRecord>();
	private reading: Promise<Index> | undefined;
	/** Records that were read one by one; undefined if they are gone. */
	private readonly details = new Map<string, JsonRecord | undefined>();

	constructor(private readonly kind: RecordKind) {}

	/** Throws an `InputError` if it is not found, and not certain not to exist either. */
	async find(
		api: BoundApi,
		unique: UniqueRecord,
		{ fresh }: { fresh: boolean },
	): Promise<Existing | undefined> {
		const reading = (!fresh && this.reading) || this.readAll(api);
		this.reading = reading;
		const { byKey, withoutKey, doubt } = await reading.catch((error: unknown) => {
			// The next item reads again.
			if (this.reading === reading) this.reading = undefined;
			throw error;
		});
		const marked = byKey.get(unique.key) ?? [];
		for (const [at, listed] of marked.entries()) {
			// A list may show a summary, which is neither the record nor different from it.
			const isWhole =
				Object.keys(unique.compared).every((name) => name in listed) &&
				differencesOf(unique, listed).length === 0;
			const record = isWhole ? listed : await this.whole(api, listed);
			if (record !== undefined) return asExisting(unique, record, marked.length - at - 1);
		}
		let isCut = false;
		for (const listed of withoutKey) {
			if (unique.isCut?.(listed, 'list') !== true) continue;
			const record = await this.whole(api, listed);
			if (record === undefined) continue;
			if (this.kind.keyOf(record) === unique.key) return asExisting(unique, record, 0);
			isCut ||= unique.isCut(record, 'read');
		}
		if (isCut || doubt !== undefined) throw doubt ?? notShown(this.kind);
		return undefined;
	}

	/** As it is now; undefined if it is gone. */
	async read(api: BoundApi, id: string): Promise<JsonRecord | undefined> {
		// There may be any number of records to read.
		const { value, failure } = await api.uncounted(
			async () => await outcomeOf(api.call(this.kind.get, { params: { id } })),
		);
		if (failure === undefined) return value.data;
		if (isNotFound(failure)) return undefined;
		throw failure;
	}

	private async whole(api: BoundApi, listed: JsonRecord): Promise<JsonRecord | undefined> {
		const { id } = listed;
		if (typeof id !== 'string') return listed;
		if (!this.details.has(id)) this.details.set(id, await this.read(api, id));
		return this.details.get(id);
	}

	private async readAll(api: BoundApi): Promise<Index> {
		this.readAt = api.now();
		const { kind } = this;
		const first = await api.list(kind.list);
		const second = first.isComplete ? first : await api.list(kind.list);
		const listed = new Map(
			[...first.records, ...second.records].map((record) => [record.id ?? record, record]),
		);
		const byKey = new Map<string, JsonRecord[]>();
		const withoutKey: JsonRecord[] = [];
		const shows = (record: JsonRecord) => kind.fields.every((name) => name in record);
		const records = [...listed.values()];
		// Where one shows a field, another that lacks it has nothing in it.
		const listShows = records.some(shows);
		let isShown = listShows;
		let isHidden = !listShows && records.length > MAX_READ_ALONE;
		for (const record of isHidden ? [] : records) {
			const shown = listShows ? record : await this.whole(api, record);
			if (shown === undefined) continue;
			if (shows(shown)) isShown = true;
			else isHidden = true;
			const key = kind.keyOf(shown);
			if (key === undefined) withoutKey.push(shown);
			else byKey.set(key, [...(byKey.get(key) ?? []), shown]);
		}
		return {
			byKey,
			withoutKey,
			doubt: !second.isComplete
				? incomplete(kind)
				: isHidden && !isShown
					? notShown(kind)
					: undefined,
		};
	}
}

export const asExisting = (unique: UniqueRecord, record: JsonRecord, others: number): Existing => ({
	record,
	others,
	differences: differencesOf(unique, record),
});

const incomplete = ({ what }: RecordKind): InputError =>
	new InputError(
		`The service announced more ${what}s than it gave, so this one may exist without being seen. Nothing was sent`,
		'Run the node again later.',
		{ code: 'incomplete_list', retryable: true },
	);

const notShown = ({ what, fieldsInWords }: RecordKind): InputError =>
	new InputError(
		`The service does not show the ${fieldsInWords} of all ${what}s, by which an existing one is recognised. Nothing was sent`,
		`Without that, a ${what} could be created twice. Remove the option that looks for an existing one, and make sure in the workflow that each item is sent once.`,
		{ code: 'not_recognisable' },
	);
