/** How far the head of a list is read, and what is noted where that was cut short. */
import { margin } from '../../../nodes/LeadGenPublishing/watch/list/head';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import { freshCheck } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { serve, START, uuids } from '../pollHelpers';
import { blankBetween, ids, inPagesOf, read } from '../readings';

const grows = 'head';
const news = uuids(350, 9);
const now = START + 1_000;

it.each([
	[1, 1],
	[4, 1],
	[5, 2],
	[20, 5],
	[41, 10],
	[100, 10],
])('of a page of %i, so many known records show that no new ones follow: %i', (limit, count) => {
	expect(margin(limit)).toBe(count);
});

describe('a short page is read on from', () => {
	it('if it ends with new records, even below the first record of before', async () => {
		const list = [...ids.slice(0, 15), ...news.slice(0, 20), ...ids.slice(15)];
		const { asked, findings } = await read(list, { grows });
		expect([asked, findings.unknown]).toEqual([['0+20', '19+100'], 20]);
	});

	it('if another record is the first, until a page ends with known ones', async () => {
		const { asked, findings, after } = await read([...news.slice(0, 50), ...ids], { grows });
		expect([asked, findings.unknown]).toEqual([['0+20', '19+100'], 50]);
		expect([after.first, after.limit]).toEqual([hash53(news[0] ?? ''), 100]);
		const moved = [...ids.slice(30, 60), ...ids.slice(0, 30), ...ids.slice(60)];
		expect((await read(moved, { grows })).asked).toEqual(['0+20', '19+100']);
	});
});

it('only the first page is a short one, even if the next does not begin with its last record', async () => {
	const fetchPage: FetchListPage = async (request) => {
		const page = await serve(['new', ...ids])(request);
		return { ...page, records: page.records.slice(0, 5) };
	};
	const { asked } = await read([], { grows, fetchPage });
	expect(asked).toEqual(['0+20', '20+100']);
});

describe('where reading the head is cut short', () => {
	it('the next poll goes on at the same place, if new records were met', async () => {
		const check = {
			...freshCheck(now),
			...{ kind: 'gap', next: 20, anchors: news.slice(12, 20).map((id) => hash53(id)) },
		};
		for (const isMarked of [false, true]) {
			const options = { grows, now, isMarked, maxRequests: 1 } as const;
			const { after, end } = await read([...news, ...ids], options);
			expect([after.check, end.kind]).toEqual([check, 'cutShort']);
		}
	});

	it('by an error, too', async () => {
		const failing: FetchListPage = async () => await Promise.reject(new Error('no'));
		const fetchPage: FetchListPage = async (request) =>
			await (request.offset === 0 ? serve([...news, ...ids]) : failing)(request);
		const { after, end } = await read([], { grows, fetchPage });
		expect([after.check.kind, after.check.next, end.kind]).toEqual(['gap', 20, 'failed']);
	});

	it('nothing is noted, if all were known', async () => {
		const moved = [...ids.slice(30, 60), ...ids.slice(0, 30), ...ids.slice(60)];
		for (const maxRequests of [0, 1]) {
			const { after, end } = await read(moved, { grows, maxRequests, now });
			expect([after.check, end.kind]).toEqual([freshCheck(START), 'cutShort']);
		}
	});
});

describe('a head that is blank, where blank pages are accepted', () => {
	const believes = true;

	it('counts as empty after two of them, and the tail is read', async () => {
		const fetchPage = blankBetween([...ids, 'new'], 0, 300);
		const { asked, findings, after, end } = await read([], { grows: 'both', believes, fetchPage });
		expect(asked).toEqual(['0+20', '0+20', '20+100', '490+100']);
		expect(findings.unknownByPhase).toMatchObject({ head: 0, tail: 1 });
		expect([after.grewLately, after.end, end.kind]).toEqual(['tail', 501, 'complete']);
	});

	it('is passed over if it is one page', async () => {
		const fetchPage = blankBetween(['new', ...ids], 0, 20);
		const { asked, after } = await read([], { grows, believes, fetchPage });
		expect([asked, after.doubts]).toEqual([['0+20', '0+20', '20+100'], undefined]);
	});

	it('is not passed over if the budget ends behind the first', async () => {
		const fetchPage = blankBetween(ids, 0, 300);
		const { asked, end } = await read([], { grows, believes, fetchPage, maxRequests: 2 });
		expect([asked, end.kind]).toEqual([['0+20', '0+20'], 'cutShort']);
	});

	it('is read on from by the next poll, if one new record was met before', async () => {
		const fetchPage = blankBetween(['new', ...ids], 1, 400);
		const { asked, after } = await read([], { grows: 'both', believes, fetchPage });
		expect(asked).toEqual(['0+20', '19+100', '19+100', '119+100']);
		expect([after.check.kind, after.check.next]).toEqual(['gap', 119]);
	});
});

it('a list is not taken for read whole if its order changes with each request', async () => {
	let seed = 100;
	const fetchPage: FetchListPage = async ({ offset, limit }) => ({
		records: uuids(limit, seed++).map((id) => ({ id })),
		...{ limit, hasMore: offset < 300 },
	});
	const { completedCheck, notices, end } = await read([], { grows, fetchPage });
	expect([completedCheck, [...notices], end.kind]).toEqual([undefined, ['noOrder'], 'complete']);
});

it('the first record of a list is noted, even if it is the only one', async () => {
	const { after } = await read(['new'], { known: [] });
	expect([after.first, after.last]).toEqual([hash53('new'), hash53('new')]);
});

it('a list that has become empty is known to be, and to have no last record', async () => {
	const known = ids.slice(0, 50);
	const { after, completedCheck } = await read([], { known });
	expect([after.end, after.last, completedCheck?.since]).toEqual([0, undefined, START]);
});

it('the size of the pages that the service gives is noted, but not that of a short page', async () => {
	const fetchPage = inPagesOf(ids, 50);
	expect((await read(ids, { grows: 'both', fetchPage })).after.limit).toBe(50);
	expect((await read(ids, { grows })).after.limit).toBe(100);
});
