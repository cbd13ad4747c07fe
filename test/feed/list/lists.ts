/** Arrays in place of lists, and readings of them. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { hash53 } from '../../../nodes/LeadGenPublishing/feed/list/hash';
import type { PageRequest } from '../../../nodes/LeadGenPublishing/api/pages';
import type { PageAnswer, ListPage } from '../../../nodes/LeadGenPublishing/feed/list/page';
import { readList, type ReadingOfList } from '../../../nodes/LeadGenPublishing/feed/list/readList';
import type { ListRules } from '../../../nodes/LeadGenPublishing/feed/list/rules';
import { Seen } from '../../../nodes/LeadGenPublishing/feed/list/seen';
import { settleList, type Settled } from '../../../nodes/LeadGenPublishing/feed/list/settle';
import {
	beginWholeReading,
	freshList,
	type ListState,
	type Scan,
	type WholeReading,
} from '../../../nodes/LeadGenPublishing/feed/list/state';
import type { ReadSettings } from '../../../nodes/LeadGenPublishing/feed/list/progress';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const NOW = 1_800_000_000_000;

/** All records that appear are wanted, and no changes are compared. */
export const newRecords: ListRules = {
	kind: 'new',
	width: 0,
	matches: () => true,
	counts: () => true,
	entersLate: false,
	revalued: (value) => value,
	unreadable: '',
	compare: (_, known) =>
		known === undefined
			? { value: '', meaning: { kind: 'unknown', counts: true } }
			: { value: known, meaning: { kind: 'same' } },
};

export const settingsAt = (now = NOW, more: Partial<ReadSettings> = {}): ReadSettings => ({
	rules: newRecords,
	maxItems: 1_000,
	now,
	checkEvery: undefined,
	sinceLast: MINUTE,
	isHeadOnly: false,
	...more,
});

/** From `1` to the count. */
export const numbered = (count: number, from = 1): string[] =>
	Array.from({ length: count }, (_, at) => `${from + at}`);

/** A complete check that begins now, unless told otherwise. */
export const check = (
	reading: Partial<WholeReading> = {},
	pace: 'usual' | 'fast' = 'usual',
): Scan => ({
	kind: 'check',
	reading: { ...beginWholeReading(NOW), ...reading },
	pace,
	existing: { kind: 'none' },
	emits: 'nothing',
});

/** A list in which these records are known and nothing is held back. */
export const knownList = (ids: readonly string[], more: Partial<ListState> = {}): ListState => ({
	...freshList({ width: 0, now: NOW }, { after: NOW, emits: 'nothing' }),
	seen: new Seen('', 0).with(
		new Map(ids.map((id) => [hash53(id), { value: '', day: 0, isDelivered: false }])),
	),
	end: ids.length,
	scan: check(),
	...more,
});

export const newList = (after: number | 'unset' = NOW): ListState =>
	freshList({ width: 0, now: NOW }, { after, emits: 'nothing' });

/** A page of the records that the list has at this moment. */
export const pageOf = (
	records: ReadonlyArray<string | JsonRecord>,
	{ offset, limit }: PageRequest,
	size = 100,
): ListPage => ({
	records: records
		.slice(offset, offset + Math.min(limit, size))
		.map((one) => (typeof one === 'string' ? { id: one } : one)),
	limit: size,
	hasMore: offset + Math.min(limit, size) < records.length,
	offset,
});

export interface Polled extends Settled {
	readonly reading: ReadingOfList;
	/** The offsets that were asked for, in order. */
	readonly asked: readonly number[];
	readonly ids: readonly unknown[];
}

type Serve = (request: PageRequest) => PageAnswer | ListPage;

/** One poll of one list: its requests, its deliveries, and what is remembered. */
export async function pollList(
	list: ListState,
	serve: readonly string[] | Serve,
	{
		quota = 1_000,
		room = 500_000,
		isSpent = () => false,
		...settings
	}: Partial<ReadSettings> & { quota?: number; room?: number; isSpent?: () => boolean } = {},
): Promise<Polled> {
	const asked: number[] = [];
	const answer: Serve = typeof serve === 'function' ? serve : (request) => pageOf(serve, request);
	const reading = await readList(list, settingsAt(settings.now, { maxItems: quota, ...settings }), {
		fetch: async (request) => {
			asked.push(request.offset);
			const given = await Promise.resolve(answer(request));
			return 'records' in given ? { kind: 'page', page: given } : given;
		},
		isSpent,
	});
	const { progress, recordsRead } = reading;
	const settled = settleList(
		{ before: list, progress, recordsRead: recordsRead.values() },
		{ quota, room },
	);
	return { ...settled, reading, asked, ids: settled.delivered.map(({ wanted }) => wanted?.id) };
}
