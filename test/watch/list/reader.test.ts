/** Single pages: what is requested again before it is accepted, and how pages are interpreted. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import {
	FetchError,
	PageReader,
	type FetchListPage,
	type ListPage,
} from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';

import { serve, uuids } from '../pollHelpers';

const ids = uuids(500);
const blank: ListPage = { records: [], limit: 100, hasMore: true };

function readerOf(
	fetchPage: FetchListPage,
	{
		maxRequests = 100,
		deadline = 1_000,
		now = () => 0,
		acceptsElsewhere,
	}: {
		maxRequests?: number;
		deadline?: number;
		now?: () => number;
		acceptsElsewhere?: boolean;
	} = {},
): { reader: PageReader; asked: number[] } {
	const asked: number[] = [];
	const reader = new PageReader({
		fetchPage: async (request) => {
			asked.push(request.offset);
			return await fetchPage(request);
		},
		...{ maxRequests, deadline, now, acceptsElsewhere },
	});
	return { reader, asked };
}

const first = (page: { entries: Array<{ record: { id?: unknown } }> } | undefined): unknown =>
	page?.entries[0]?.record.id;

it('asks once for a page that is like no other', async () => {
	const { reader, asked } = readerOf(serve(ids));
	expect(first(await reader.read(0))).toBe(ids[0]);
	expect(first(await reader.read(100))).toBe(ids[100]);
	expect(asked).toEqual([0, 100]);
});

it('asks three times in all where it is given the page before, and then takes it', async () => {
	const { reader, asked } = readerOf(
		async (request) => await serve(ids)({ ...request, offset: 0 }),
	);
	await reader.read(0);
	const view = await reader.read(100);
	expect(asked).toEqual([0, 100, 100, 100]);
	expect(first(view)).toBe(ids[0]);
});

it('takes the page of another try where one was given for another place', async () => {
	let echoes = 2;
	const { reader } = readerOf(async (request) =>
		request.offset > 0 && echoes-- > 0
			? await serve(ids)({ ...request, offset: 0 })
			: await serve(ids)(request),
	);
	await reader.read(0);
	expect(first(await reader.read(100))).toBe(ids[100]);
});

it('doubts no page that is read again at its place, none of another length, and no empty end', async () => {
	const { reader, asked } = readerOf(serve(ids.slice(0, 100)));
	await reader.read(0);
	await reader.read(0);
	await reader.read(0, 20);
	await reader.read(100);
	await reader.read(200);
	expect(asked).toEqual([0, 0, 0, 100, 200]);
});

it('doubts no page that shares but some of its places with the one before', async () => {
	const { reader, asked } = readerOf(async (request) =>
		request.offset === 0
			? await serve(ids.slice(0, 100))(request)
			: {
					records: [...ids.slice(0, 99), 'other'].map((id) => ({ id })),
					limit: 100,
					hasMore: true,
				},
	);
	await reader.read(0);
	await reader.read(100);
	expect(asked).toEqual([0, 100]);
});

describe('a page that says it lies elsewhere', () => {
	const placed =
		(places: (offset: number) => number): FetchListPage =>
		async (request) => {
			const offset = places(request.offset);
			return { ...(await serve(ids)({ ...request, offset })), offset };
		};

	it('is not taken for the place that was asked for, even as the first of a poll', async () => {
		const given = [400, 300, 0];
		const { reader, asked } = readerOf(placed((offset) => given.shift() ?? offset));
		expect(first(await reader.read(0))).toBe(ids[0]);
		expect(first(await reader.read(100))).toBe(ids[100]);
		expect(asked).toEqual([0, 0, 0, 100]);
	});

	it('is taken after three tries, and then no other of the same poll is doubted', async () => {
		const { reader, asked } = readerOf(placed((offset) => offset + 1));
		expect(first(await reader.read(0))).toBe(ids[1]);
		expect(first(await reader.read(100))).toBe(ids[101]);
		expect(asked).toEqual([0, 0, 0, 100]);
	});

	it('is doubted where it was read ahead, too', async () => {
		const given = [250];
		const { reader, asked } = readerOf(
			placed((offset) => (offset === 100 ? (given.shift() ?? offset) : offset)),
		);
		await reader.prefetch([0, 100]);
		expect(first(await reader.read(0))).toBe(ids[0]);
		expect(first(await reader.read(100))).toBe(ids[100]);
		expect(asked).toEqual([0, 100, 100]);
	});

	it('is taken at once where that is known', async () => {
		const acceptsElsewhere = true;
		const { reader, asked } = readerOf(
			placed((offset) => offset + 1),
			{ acceptsElsewhere },
		);
		expect(first(await reader.read(0))).toBe(ids[1]);
		expect(asked).toEqual([0]);
	});

	it('is asked for no more often where it is empty, too', async () => {
		const { reader, asked } = readerOf(async () => ({ ...blank, offset: 7 }));
		await reader.read(0);
		await reader.read(100);
		expect(asked).toEqual([0, 0, 0, 100]);
	});
});

it('asks twice for an empty page that announces more, and once for the next one of the same poll', async () => {
	const { reader, asked } = readerOf(async () => blank);
	await reader.read(0);
	await reader.read(100);
	await reader.read(200);
	expect(asked).toEqual([0, 0, 100, 200]);
	const later = readerOf(async (request) =>
		request.offset === 0 ? await serve(ids)(request) : blank,
	);
	await later.reader.read(0);
	await later.reader.read(100);
	expect(later.asked).toEqual([0, 100, 100]);
});

it('gives nothing once its requests or its time are spent, not even a second try', async () => {
	const few = readerOf(async () => blank, { maxRequests: 1 });
	expect(await few.reader.read(0)).toBeUndefined();
	expect(few.asked).toEqual([0]);
	let now = 0;
	const late = readerOf(serve(ids), { deadline: 10, now: () => now });
	now = 9;
	expect(await late.reader.read(0)).toBeDefined();
	now = 10;
	expect(await late.reader.read(100)).toBeUndefined();
	expect(late.asked).toEqual([0]);
});

it('hands failures through as the service made them, those of pages read ahead too', async () => {
	const fault = new Error('no');
	let failures = 2;
	const { reader, asked } = readerOf(async ({ offset }) => {
		if (offset === 100 && failures-- > 0) throw fault;
		return await serve(ids)({ offset, limit: 100, deadline: 0 });
	});
	await expect(reader.read(100)).rejects.toEqual(new FetchError(fault));
	await reader.prefetch([100, 200]);
	expect(first(await reader.read(200))).toBe(ids[200]);
	await expect(reader.read(100)).rejects.toMatchObject({ cause: fault });
	expect(asked).toEqual([100, 100, 200]);
});

it('doubts a single record that is given for another place, too', async () => {
	const { reader, asked } = readerOf(
		async (request) => await serve(ids.slice(0, 1))({ ...request, offset: 0 }),
	);
	await reader.read(0);
	await reader.read(100);
	expect(asked).toEqual([0, 100, 100, 100]);
});

it('takes what was read ahead for the first of its attempts', async () => {
	const { reader, asked } = readerOf(async (request) =>
		request.offset === 100 ? blank : await serve(ids)(request),
	);
	await reader.prefetch([100, 300]);
	expect((await reader.read(100))?.entries).toEqual([]);
	expect(asked).toEqual([100, 300, 100]);
});

it('finds pages that were read ahead, each of them once', async () => {
	const { reader, asked } = readerOf(serve(ids));
	await reader.prefetch([100, 300]);
	expect(first(await reader.read(300))).toBe(ids[300]);
	expect(first(await reader.read(100))).toBe(ids[100]);
	expect(asked).toEqual([100, 300]);
	await reader.read(300);
	expect(asked).toEqual([100, 300, 300]);
	expect(reader.requests).toBe(3);
});

it('reads ahead only two places or more, and only what its requests allow', async () => {
	const { reader, asked } = readerOf(serve(ids), { maxRequests: 2 });
	await reader.prefetch([100]);
	await reader.prefetch([100, 100]);
	await reader.prefetch([0, 100, 200]);
	expect(asked).toEqual([]);
	await reader.prefetch([100, 200]);
	expect(asked).toEqual([100, 200]);
});

it('believes neither of two pages read ahead that are alike', async () => {
	let echo = true;
	const { reader, asked } = readerOf(async (request) => {
		const page = await serve(ids)({ ...request, offset: echo ? 100 : request.offset });
		return page;
	});
	await reader.prefetch([100, 300]);
	echo = false;
	expect(first(await reader.read(100))).toBe(ids[100]);
	expect(first(await reader.read(300))).toBe(ids[300]);
	expect(asked).toEqual([100, 300, 100, 300]);
});

it.each([
	[{ limit: 100 }, 100],
	[{ limit: 40 }, 40],
	[{ limit: 1_000 }, 100],
	[{ limit: 0 }, 100],
	[{ limit: Number.NaN }, 100],
	[{ limit: 2.5 }, 100],
	[{ limit: 5 }, 30],
	[{ limit: 1 }, 30],
])('takes a page of 30 that says %j to reach over %i', async ({ limit }, reach) => {
	const records = ids.slice(0, 30).map((id) => ({ id }));
	const { reader } = readerOf(async () => ({ records, limit, hasMore: true }));
	expect((await reader.read(0))?.limit).toBe(reach);
});

it('tells records without an ID apart from others by all that they hold, and counts them', async () => {
	const nothing = null as unknown as JsonRecord;
	const records = [
		...[{ id: 7 }, { id: '7' }, { id: '' }, { name: 'x' }, { name: 'x' }, { id: null }],
		nothing,
	];
	const { reader } = readerOf(async () => ({ records, limit: 100, hasMore: false }));
	const entries = (await reader.read(0))?.entries ?? [];
	expect(entries.map(({ withoutId }) => withoutId)).toEqual([
		undefined,
		undefined,
		...Array(5).fill(true),
	]);
	// Two are alike on one page, so they are two.
	expect(reader.withoutId).toBe(5);
	expect(entries[0]?.hash).toBe(entries[1]?.hash);
	expect(entries[3]?.hash).toBe(entries[4]?.hash);
	expect(new Set(entries.map(({ hash }) => hash)).size).toBe(5);
	// It is stored, as the last record of a list.
	expect(entries[3]?.hash).toBe(hash53('{"name":"x"}', 1));
});

it('counts a record without an ID once, however often its page is read, and several pages overlap', async () => {
	const all: JsonRecord[] = [...ids.slice(0, 20).map((id) => ({ id })), { name: 'x' }];
	const { reader } = readerOf(async ({ offset }) => ({
		records: all.slice(offset),
		limit: 100,
		hasMore: false,
	}));
	for (const offset of [0, 10, 0, 20]) await reader.read(offset);
	expect(reader.withoutId).toBe(1);
});
