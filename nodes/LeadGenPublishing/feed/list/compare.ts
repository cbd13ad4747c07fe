/** Compares the records of one page with what is remembered. */
import type { JsonRecord } from '../../api/schemas';
import { hash53 } from './hash';
import type { Entry, View } from './overlap';
import { isAskedFor, isNewlyMatching, isNewRecord, type FoundAt } from './newness';
import { MAX_PAGE } from '../../api/pages';
import type { ListPage } from './page';
import { idOf, isReadable } from './recordId';
import { leftOut } from './changingFields';
import type { Comparison, ListRules } from './rules';
import type { ListState, Part } from './state';
import { createdAt, withoutTimesAfter } from '../../records/times';
import type { SeenRecord, ReadSettings } from './progress';

export interface PageView extends View {
	/** Records that no page of this poll has shown before. */
	readonly found: readonly SeenRecord[];
	/** How many of them are not known, how many of the others have changed, and how many are wanted. */
	readonly unknown: number;
	readonly news: number;
	readonly wanted: number;
	/** Whether any record looks as if it existed before the trigger. */
	readonly hasExisting: boolean;
	readonly withoutId: number;
	readonly unreadable: number;
	/** How many of the readable ones do not say when they were created. */
	readonly undated: number;
	/** All records of the page that have an ID. */
	readonly shown: readonly SeenRecord[];
}

/**
 * Clocks differ. A time that is further in the future than this means something else, or is wrong.
 */
const CLOCK_TOLERANCE = 24 * 3_600_000;

interface Circumstances {
	readonly list: ListState;
	readonly settings: ReadSettings;
	readonly part: Part;
	readonly offset: number;
	/** The service's clock when it sent the first page, if it says so. */
	readonly servedAt: number | undefined;
	/** The records that this poll has read before. */
	readonly recordsRead: ReadonlyMap<number, SeenRecord>;
}

export function comparePage(page: ListPage, given: Circumstances): PageView {
	const { list, offset } = given;
	const shown = compareRecords(page.records, given);
	const withId = shown.filter((one) => one !== undefined);
	const found = withId.filter(({ kind }) => kind !== 'again').map(({ one }) => one);
	const count = (kind: Shown['kind']): number => withId.filter((one) => one.kind === kind).length;
	return {
		offset,
		entries: shown.map((one) => one && entryOf(one.one)),
		hasMore: page.hasMore,
		size: sizeOf(page, list),
		found,
		unknown: found.filter(({ known }) => known === undefined).length,
		news: found.filter((one) => entryOf(one).isNews).length,
		wanted: found.filter(({ wanted }) => wanted !== undefined).length,
		hasExisting: found.some(({ isExisting }) => isExisting),
		withoutId: shown.length - withId.length,
		unreadable: count('unreadable'),
		undated: count('undated'),
		shown: withId.map(({ one }) => one),
	};
}

/** A record of a page. `again`: this poll has read it before. */
interface Shown {
	readonly one: SeenRecord;
	readonly kind: 'again' | 'unreadable' | 'undated' | 'dated';
}

/** Undefined for a record without an ID. */
function compareRecords(
	records: readonly JsonRecord[],
	given: Circumstances,
): Array<Shown | undefined> {
	const { list, settings, offset, recordsRead, servedAt } = given;
	const latest = Math.max(settings.now, servedAt ?? 0) + CLOCK_TOLERANCE;
	const hashes = records.map(hashOf);
	const lastKnown = hashes.findLastIndex(
		(hash) => hash !== undefined && list.seen.get(hash) !== undefined,
	);
	const found = new Map<number, SeenRecord>();
	return records.map((record, index) => {
		const hash = hashes[index];
		if (hash === undefined) return undefined;
		const before = recordsRead.get(hash) ?? found.get(hash);
		if (before !== undefined) return { one: before, kind: 'again' };
		const foundAt: FoundAt = {
			position: offset + index,
			isAboveKnown: index < lastKnown,
			entersLate: settings.rules.entersLate,
		};
		const canBeRead = isReadable(record);
		const told = canBeRead ? withoutTimesAfter(record, latest) : record;
		const one = compareRecord(record, hash, { ...given, foundAt, canBeRead, told });
		found.set(hash, one);
		const isDated = one.createdAt !== undefined;
		return { one, kind: !canBeRead ? 'unreadable' : isDated ? 'dated' : 'undated' };
	});
}

function hashOf(record: JsonRecord): number | undefined {
	const id = idOf(record);
	return id === undefined ? undefined : hash53(id);
}

function entryOf({ hash, known, wanted }: SeenRecord): Entry {
	const isUnknown = known === undefined;
	return { hash, isUnknown, isNews: isUnknown || wanted !== undefined };
}

interface Comparing extends Circumstances {
	readonly foundAt: FoundAt;
	/** Whether the record is not nested too deeply. */
	readonly canBeRead: boolean;
	/** The record without times that are too far in the future. */
	readonly told: JsonRecord;
}

function compareRecord(
	record: JsonRecord,
	hash: number,
	{ list, settings, part, foundAt, canBeRead, told }: Comparing,
): SeenRecord {
	const before = list.seen.get(hash);
	const known = before?.value;
	const { rules } = settings;
	const {
		value,
		meaning,
		changed = [],
	} = canBeRead
		? rules.compare(told, known, leftOut(list.changingFields))
		: passedOver(rules, known);
	const isDone = before?.isDelivered === true && rules.kind === 'new';
	const mayBeNew = meaning.kind === 'unknown' && meaning.counts;
	const isNew = mayBeNew && isNewRecord(list.scan, told, foundAt);
	const isDue =
		isNew ||
		meaning.kind === 'news' ||
		(meaning.kind === 'unjudged' && meaning.counts && isNewlyMatching(list.scan, told)) ||
		(before?.isDelivered === false && canBeRead && isAsked(list, rules, told));
	const isExisting = mayBeNew && !isNew;
	const one: SeenRecord = {
		hash,
		value,
		known,
		part,
		position: foundAt.position,
		isExisting,
		createdAt: canBeRead ? createdAt(told) : undefined,
		changed,
		isLeftOut: meaning.kind === 'leftOut',
	};
	return isDue && !isDone ? { ...one, wanted: record } : one;
}

const isAsked = ({ scan }: ListState, rules: ListRules, record: JsonRecord): boolean =>
	isAskedFor(scan.emits, record) && rules.counts(record);

/** A record that cannot be read is skipped until it can be read. */
function passedOver(rules: ListRules, known: string | undefined): Comparison {
	if (known !== undefined) return { value: known, meaning: { kind: 'same' } };
	return { value: rules.unreadable, meaning: { kind: 'unknown', counts: false } };
}

/** The page size that the response names, at most the size that was requested. */
function sizeOf({ records, limit }: ListPage, list: ListState): number {
	if (records.length === 0) return list.size;
	const told = Number.isInteger(limit) && limit > 0 ? Math.min(limit, MAX_PAGE) : MAX_PAGE;
	return Math.max(records.length, told);
}
