/** The first scan of a list, request by request: what it asks for, and when it has ended. */
import { continueFirstScan } from '../../../nodes/LeadGenPublishing/watch/list/firstScan';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import {
	freshCheck,
	freshPlace,
	type Scan,
} from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { serve, START, uuids } from '../pollHelpers';
import { blank, blankBetween, ids, sessionOf, type Reading } from '../readings';

const now = START + 1_000;

async function scanOf(
	list: readonly string[],
	{ scan, ...options }: Reading & { scan?: Partial<Scan> } = {},
) {
	const place: Scan = { ...freshPlace(), ...{ pages: 0, passes: 0, news: false }, ...scan };
	const { session, asked } = sessionOf(list, { known: [], now, baseline: place, ...options });
	const { baseline } = session.progress;
	if (baseline === undefined) throw new Error('no scan');
	const complete = await continueFirstScan(session, baseline);
	const { progress, findings } = session;
	const offsets = asked.map((one) => Number.parseInt(one));
	return { complete, offsets, progress, findings, place: baseline };
}

/** Another answer from the second request for this offset on. */
function changing(list: readonly string[], offset: number, then: FetchListPage): FetchListPage {
	let requests = 0;
	return async (request) =>
		await (request.offset === offset && requests++ > 0 ? then : serve(list))(request);
}

describe('a list', () => {
	it.each([
		[0, [0]],
		[50, [0]],
		[100, [0, 0]],
		[150, [0, 99, 99, 0]],
		[250, [0, 99, 198, 198, 0]],
	])('of %i: its end is looked at twice, and then its head again', async (count, expected) => {
		const { complete, offsets, progress, findings } = await scanOf(ids.slice(0, count));
		expect([complete, offsets, findings.unknown]).toEqual([true, expected, count]);
		expect(progress).not.toHaveProperty('baseline');
		expect(progress.check).toEqual(freshCheck(now));
	});

	it.each([
		['before its first request', 100, 0],
		['before the second look at its end', 100, 1],
		['before the last look at its head', 150, 3],
	])('is not scanned where the budget ends %s', async (_, count, maxRequests) => {
		const { complete, progress } = await scanOf(ids.slice(0, count), { maxRequests });
		expect(complete).toBe(false);
		expect(progress).toHaveProperty('baseline');
	});

	it.each([
		[99, [0]],
		[100, [0]],
		[101, [0, 99]],
	])('of which a poll may deliver %i is scanned that far', async (maxItems, expected) => {
		const { complete, offsets } = await scanOf(ids, { maxItems, emitExisting: true });
		expect([complete, offsets]).toEqual([false, expected]);
		expect((await scanOf(ids, { maxItems })).complete).toBe(true);
	});
});

describe('what the second look at the end shows', () => {
	const some = ids.slice(0, 150);

	it('is scanned with the rest', async () => {
		const fetchPage = changing(some, 99, serve([...some, 'more']));
		const { complete, findings } = await scanOf([], { emitExisting: true, fetchPage });
		expect([complete, findings.unknown]).toEqual([true, 151]);
		const last = findings.deliverables.at(-1);
		expect([last?.record.id, last?.phase]).toEqual(['more', 'baseline']);
	});

	it('may be that the list goes on, even after a single record', async () => {
		const fetchPage = changing(some, 99, async ({ limit }) => ({
			...{ records: [{ id: ids[99] }], limit, hasMore: true },
		}));
		let end = 150;
		const { complete, offsets, findings } = await scanOf([], {
			fetchPage: async (request) => {
				if (request.offset > 99) end = 260;
				return await (end === 150 ? fetchPage : serve(ids.slice(0, end)))(request);
			},
		});
		expect([complete, findings.unknown]).toEqual([true, 260]);
		expect(offsets).toEqual([0, 99, 99, 149, 248, 248, 0]);
	});

	it('may be nothing, which is no reason to go on', async () => {
		const fetchPage = changing(some, 99, async (request) => blank(request));
		const { complete, offsets } = await scanOf([], { fetchPage });
		expect([complete, offsets]).toEqual([true, [0, 99, 99, 99, 0]]);
	});
});

describe('a scan that goes on', () => {
	const known = ids.slice(0, 300);
	const scan = { next: 300, anchors: [hash53(ids[299] ?? '')], pages: 3 };

	it('looks at the head first, and goes on below what has moved down', async () => {
		const list = [...uuids(250, 9), ...ids];
		const { complete, offsets, findings } = await scanOf(list, { known, scan });
		expect(offsets).toEqual([0, 99, 198, 297, 549, 648, 747, 747, 0]);
		expect([complete, findings.unknown]).toEqual([true, 450]);
	});

	it('does so after a single record, too', async () => {
		const one = ids.slice(0, 1);
		const { complete, offsets } = await scanOf(one, { known: one, scan: { next: 1, pages: 1 } });
		expect([complete, offsets]).toEqual([true, [0, 1, 1, 0]]);
	});

	it('waits for the head', async () => {
		const { complete, offsets } = await scanOf(ids, { known, scan, maxRequests: 0 });
		expect([complete, offsets]).toEqual([false, []]);
	});

	it('does not notice what it has not seen yet: that the list is shorter than it was', async () => {
		const { complete } = await scanOf(ids.slice(0, 350), { known, scan, end: 500 });
		expect(complete).toBe(true);
	});
});

it('ends although its head is blank, where blank pages are accepted', async () => {
	let isBlank = false;
	const { complete, offsets } = await scanOf([], {
		believes: true,
		fetchPage: async (request) => {
			isBlank ||= request.offset === 198;
			return await (isBlank ? blankBetween(ids.slice(0, 250), 0, 198) : serve(ids))(request);
		},
	});
	expect([complete, offsets]).toEqual([true, [0, 99, 198, 198, 0, 0, 100]]);
});

it('what has come in at the head meanwhile is delivered with the rest, if that is', async () => {
	let list: readonly string[] = ids.slice(0, 150);
	const { complete, findings } = await scanOf([], {
		emitExisting: true,
		fetchPage: async (request) => {
			const page = await serve(list)(request);
			if (request.offset > 0) list = ['meanwhile', ...ids.slice(0, 150)];
			return page;
		},
	});
	expect([complete, findings.unknown]).toEqual([true, 151]);
	expect(findings.deliverables.at(-1)).toMatchObject({
		...{ record: { id: 'meanwhile' }, phase: 'baseline', position: 0 },
	});
});

describe('a list without order', () => {
	const scan = { restarts: 3 };

	it('is scanned until a pass has met nothing new', async () => {
		let requests = 0;
		const fetchPage: FetchListPage = async (request) =>
			await serve(ids.slice(0, requests++ < 2 ? 150 : 160))(request);
		const { complete, offsets, place, findings } = await scanOf([], { scan, fetchPage });
		expect([complete, offsets]).toEqual([true, [0, 100, 0, 100, 0, 100, 0]]);
		expect([place.passes, place.news, findings.unknown]).toEqual([3, false, 160]);
	});

	it('is not scanned for ever if each pass meets something new', async () => {
		let seed = 1_000;
		const fetchPage: FetchListPage = async ({ offset, limit }) => ({
			records: uuids(limit, seed++).map((id) => ({ id })),
			...{ limit, hasMore: offset < 100 },
		});
		const { complete, place } = await scanOf([], { scan, fetchPage });
		expect([complete, place.passes]).toEqual([true, 12]);
	});
});
