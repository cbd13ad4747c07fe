/** Where a list ends, and how far it goes on, when its pages are odd. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { walkPages, type Page, type PageRequest } from '../../nodes/LeadGenPublishing/api/pages';

const recordsFrom = (from: number, count: number): JsonRecord[] =>
	Array.from({ length: Math.max(0, count) }, (_, index) => ({ id: `r${from + index}` }));

/** A list of so many records, in pages of `cap`, each of which may be changed. */
function listOf(
	total: number,
	{
		cap = 100,
		change = (page) => page,
	}: { cap?: number; change?: (page: Page, offset: number) => Page } = {},
) {
	const offsets: number[] = [];
	const underWay: number[] = [];
	let running = 0;
	const fetch = async ({ offset, limit: asked }: PageRequest): Promise<Page> => {
		offsets.push(offset);
		underWay.push((running += 1));
		await new Promise(setImmediate);
		running -= 1;
		const limit = Math.min(cap, asked);
		const records = recordsFrom(offset, Math.min(limit, total - offset));
		return change({ records, limit, hasMore: offset + limit < total }, offset);
	};
	return { fetch, offsets, underWay };
}

const emptied = (page: Page): Page => ({ ...page, records: [], hasMore: true });
const ONE_BY_ONE = { atOnce: 1 };

describe('an empty page that promises more', () => {
	const emptyFor = (times: number, at: number) => {
		let left = times;
		return (page: Page, offset: number): Page => {
			if (offset !== at || left === 0) return page;
			left -= 1;
			return emptied(page);
		};
	};

	it.each([
		['of the two times', 2, [0, 100, 100, 100, 200], 250],
		['and no third time', 3, [0, 100, 100, 100, 200], 150],
	])('is asked for again twice: %s', async (_, times, offsets, count) => {
		const list = listOf(250, { change: emptyFor(times, 100) });
		expect((await walkPages(list.fetch, ONE_BY_ONE)).records).toHaveLength(count);
		expect(list.offsets).toEqual(offsets);
	});

	it('is asked for again when it is the first one', async () => {
		const list = listOf(50, { change: emptyFor(1, 0) });
		expect((await walkPages(list.fetch)).records).toHaveLength(50);
		expect(list.offsets).toEqual([0, 0]);
	});
});

describe('how far a page reaches', () => {
	const withoutLimit = (page: Page): Page => ({ ...page, limit: 0 });

	it.each([
		[40, [0, 40, 80, 120]],
		[1, [0, 1, 2, 3]],
	])('is told by its %i records, if it says 0 itself', async (cap, offsets) => {
		const list = listOf(cap * 4, { cap, change: withoutLimit });
		expect((await walkPages(list.fetch, ONE_BY_ONE)).records).toHaveLength(cap * 4);
		expect(list.offsets).toEqual(offsets);
	});

	it('is what was asked for, if there is nothing on it', async () => {
		const list = listOf(250, {
			change: (page, offset) => (offset === 100 ? withoutLimit(emptied(page)) : page),
		});
		expect((await walkPages(list.fetch, ONE_BY_ONE)).records).toHaveLength(150);
		expect(list.offsets).toEqual([0, 100, 100, 100, 200]);
	});

	it('is what it says, be that a single record which a filter took away', async () => {
		const list = listOf(5, {
			cap: 1,
			change: (page, offset) => (offset === 2 ? emptied(page) : page),
		});
		const { records } = await walkPages(list.fetch, ONE_BY_ONE);
		expect(records.map(({ id }) => id)).toEqual(['r0', 'r1', 'r3', 'r4']);
	});

	it('being smaller than asked for does not keep pages from being read side by side', async () => {
		const list = listOf(1_500, { cap: 50 });
		expect((await walkPages(list.fetch)).records).toHaveLength(1_500);
		expect(Math.max(...list.underWay)).toBe(8);
	});

	it('may change, and the pages asked for from there on are wanted', async () => {
		const list = listOf(600, { cap: 30 });
		const { records } = await walkPages(async (request, givenUp) => {
			givenUp?.throwIfAborted();
			return await list.fetch(request);
		});
		expect(records).toHaveLength(600);
	});
});

it('all pages that are still wanted of a few are read side by side', async () => {
	const list = listOf(1_000);
	expect((await walkPages(list.fetch, { wanted: 250 })).records).toHaveLength(250);
	expect(list.offsets).toEqual([0, 100, 200]);
	expect(list.underWay).toEqual([1, 1, 2]);
});

it('a record with a number as its ID is given once', async () => {
	const walk = await walkPages(async ({ limit }) => ({
		records: [{ id: 7 }, { id: 8 }, { id: 7 }],
		limit,
		hasMore: false,
	}));
	expect(walk.records).toEqual([{ id: 7 }, { id: 8 }]);
});

it('a list that is read alone does not wait for a page behind its end, unless told to', async () => {
	const list = listOf(250);
	let come = (): void => undefined;
	const hung = new Promise<void>((resolve) => (come = resolve));
	const { records } = await walkPages(async (request) => {
		if (request.offset === 300) await hung;
		return await list.fetch(request);
	});
	expect(records).toHaveLength(250);
	come();
});

describe('a list without an end', () => {
	const pagesOf = (count: number) => async (request: PageRequest) =>
		await Promise.resolve({
			records: [{ id: request.offset }],
			limit: 1,
			hasMore: request.offset + 1 < count,
		});

	it('is read for 50,000 pages', async () => {
		const { records } = await walkPages(pagesOf(50_000), { pageSize: 1 });
		expect(records).toHaveLength(50_000);
		const tooLong = walkPages(pagesOf(50_001), { pageSize: 1 });
		await expect(tooLong).rejects.toThrow('The list has not ended after 50000 pages');
	});

	it('is read for 1,000 pages that are empty', async () => {
		const list = listOf(100_000, { change: emptied });
		await expect(walkPages(list.fetch, ONE_BY_ONE)).rejects.toThrow(
			'its last 1000 pages were empty',
		);
		// The first of them was asked for twice more.
		expect(list.offsets).toHaveLength(1_002);
	});

	it('has ended after three pages with nothing new, be it a single record', async () => {
		const again = (page: Page, offset: number): Page =>
			offset >= 200 ? { ...page, records: recordsFrom(0, 1), hasMore: true } : page;
		const list = listOf(10_000, { change: again });
		const { records, notice, isComplete } = await walkPages(list.fetch, ONE_BY_ONE);
		expect(records).toHaveLength(200);
		expect(notice).toContain('its next 3 pages held nothing new');
		expect(isComplete).toBe(false);
		expect(list.offsets).toEqual([0, 100, 200, 200, 200, 300, 400]);
	});
});
