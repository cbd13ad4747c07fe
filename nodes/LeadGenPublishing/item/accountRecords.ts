/**
 * Reads all records of an account. If one were missed, a time would wrongly seem free, a text would
 * wrongly seem new, or a post would be sent a second time.
 */
import { outcomeOf, type Outcome } from '../api/failure';
import { isNotFound } from '../api/policy';
import type { JsonRecord } from '../api/schemas';
import { isBlank } from '../parse/jsonValues';
import { isShortened } from '../records/shortened';
import type { BoundApi } from './itemCall';

export type ListedResource = 'post' | 'leadMagnet';

/** What one or two readings of a list have shown. */
export interface ListReading {
	readonly records: readonly JsonRecord[];
	/**
	 * The IDs of records that came twice. The list may have moved while it was read, so that another
	 * record was missed.
	 */
	readonly repeated: ReadonlySet<string>;
	readonly state: 'whole' | 'incomplete' | 'moving';
}

/** An incomplete list is read a second time, which may complete it. */
export async function readAll(api: BoundApi, resource: ListedResource): Promise<ListReading> {
	const first = await readList(api, resource);
	return first.state === 'whole' ? first : joined(first, await readList(api, resource));
}

/**
 * Reads a list once more in which records came twice. If the same ones come twice again, the service
 * has pinned them. Any other one says that the list is still moving.
 *
 * @doubt listOrder
 */
export async function readMovedList(
	api: BoundApi,
	{ resource, first }: { resource: ListedResource; first: ListReading },
): Promise<ListReading> {
	const second = await readList(api, resource);
	const isMoving = [...second.repeated].some((id) => !first.repeated.has(id));
	const both = joined(first, second);
	const state = both.state === 'whole' && isMoving ? 'moving' : both.state;
	return { ...both, state, repeated: new Set() };
}

async function readList(api: BoundApi, resource: ListedResource): Promise<ListReading> {
	// The list is read once for all items of a run, so saving a request matters more than a moment.
	const {
		records,
		isComplete,
		repeated = [],
	} = await api.list(`${resource}.getAll`, {
		isSparing: true,
	});
	return { records, repeated: new Set(repeated), state: isComplete ? 'whole' : 'incomplete' };
}

function joined(first: ListReading, second: ListReading): ListReading {
	const both = [...first.records, ...second.records].map(
		(record) => [record.id ?? record, record] as const,
	);
	return { ...second, records: [...new Map(both).values()] };
}

/**
 * Reads the current record. Undefined if it is gone. The time does not count, because there may be
 * any number of records.
 */
export async function readOne(
	api: BoundApi,
	resource: ListedResource,
	id: string,
): Promise<JsonRecord | undefined> {
	const { value, failure } = await api.uncounted(
		async () => await outcomeOf(api.call(`${resource}.get`, { params: { id } })),
	);
	if (failure === undefined) return value.data;
	if (isNotFound(failure)) return undefined;
	throw failure;
}

const READS_AT_ONCE = 10;
/** The least time for reading, even if the item may not wait at all. */
const MIN_READING_MS = 10_000;

/**
 * Reads records one by one, several at a time, for as long as an item may wait. Calls `use` with
 * each record (undefined if it is gone), and returns how many are left unread.
 *
 * @doubt notesInLists
 */
export async function readEach(
	api: BoundApi,
	{ resource, ids }: { resource: ListedResource; ids: readonly string[] },
	use: (id: string, record: JsonRecord | undefined) => void,
): Promise<number> {
	const deadline = api.now() + Math.max(api.maxWaitMs, MIN_READING_MS);
	let next = 0;
	let failure: Outcome<unknown>['failure'];
	const work = async (): Promise<void> => {
		while (next < ids.length && failure === undefined && api.now() < deadline) {
			const id = ids[next] ?? '';
			next += 1;
			const read = await outcomeOf(readOne(api, resource, id));
			if (read.failure === undefined) use(id, read.value);
			else failure ??= read.failure;
		}
	};
	await Promise.all(Array.from({ length: Math.min(READS_AT_ONCE, ids.length) }, work));
	if (failure !== undefined) throw failure;
	return ids.length - next;
}

/**
 * A list may show a summary, so a missing, empty or shortened field proves nothing.
 *
 * @doubt notesInLists
 */
export const isShownWhole = (record: JsonRecord, name: string): boolean =>
	!isBlank(record[name]) && !isShortened(record[name]);
