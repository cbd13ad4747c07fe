import { sleep } from 'n8n-workflow';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { walkPages, type Page, type PageRequest } from '../../nodes/LeadGenPublishing/api/pages';

const record = (index: number) => ({ id: `record-${index}` });
const records = (from: number, count: number) =>
	Array.from({ length: Math.max(0, count) }, (_, index) => record(from + index));

/** A list of `total` records, which pages were asked of it, and how many were under way then. */
function listOf(total: number, { cap = 100 }: { cap?: number } = {}) {
	const asked: PageRequest[] = [];
	const underWay: number[] = [];
	let running = 0;
	let faults: Array<(page: Page, request: PageRequest) => Page | undefined> = [];
	return {
		asked,
		underWay,
		running: () => running,
		offsets: () => asked.map(({ offset }) => offset),
		/** Each fault may change the page, or leave it (undefined). */
		fault: (change: (page: Page, request: PageRequest) => Page | undefined) => {
			faults = [...faults, change];
		},
		fetch: async (request: PageRequest): Promise<Page> => {
			asked.push(request);
			running += 1;
			underWay.push(running);
			await new Promise(setImmediate);
			running -= 1;
			const { offset } = request;
			const limit = Math.min(cap, request.limit);
			const page = {
				records: records(offset, Math.min(limit, total - offset)),
				limit,
				hasMore: offset + limit < total,
			};
			return faults.reduce<Page>((seen, change) => change(seen, request) ?? seen, page);
		},
	};
}

/** Changes the first `times` pages at this offset. */
const at = (offset: number, change: (page: Page) => Page, times = 1) => {
	let left = times;
	return (page: Page, request: PageRequest) => {
		if (request.offset !== offset || left === 0) return undefined;
		left -= 1;
		return change(page);
	};
};

const emptied = (page: Page): Page => ({ ...page, records: [], hasMore: true });
const idsOf = (walk: { records: readonly unknown[] }) =>
	walk.records.map((one) => (one as { id: string }).id);
const allOf = (total: number) => records(0, total).map(({ id }) => id);

describe('reading a whole list', () => {
	it.each([0, 1, 99, 100, 101, 250, 1000, 1001])('gives each of %i records once', async (total) => {
		const list = listOf(total);
		const walk = await walkPages(list.fetch);
		expect(idsOf(walk)).toEqual(allOf(total));
		expect(walk.notice).toBeUndefined();
	});

	it('asks one page of a list that has only one', async () => {
		const list = listOf(100);
		await walkPages(list.fetch);
		expect(list.asked).toEqual([{ offset: 0, limit: 100 }]);
	});

	it('lets the offset grow by the limit that the service names', async () => {
		const list = listOf(120, { cap: 50 });
		const walk = await walkPages(list.fetch, { atOnce: 1 });
		expect(list.offsets()).toEqual([0, 50, 100]);
		expect(list.asked.every(({ limit }) => limit === 100)).toBe(true);
		expect(idsOf(walk)).toEqual(allOf(120));
	});

	it('gives each record once when the service gives smaller pages than asked, in parallel', async () => {
		const list = listOf(1_234, { cap: 37 });
		expect(idsOf(await walkPages(list.fetch))).toEqual(allOf(1_234));
		expect(new Set(list.offsets()).size).toBe(list.asked.length);
	});

	it('finds its way when the page size changes in the middle', async () => {
		const list = listOf(900);
		list.fault((page, { offset }) =>
			offset >= 300 && page.limit === 100
				? { records: page.records.slice(0, 30), limit: 30, hasMore: offset + 30 < 900 }
				: undefined,
		);
		expect(idsOf(await walkPages(list.fetch))).toEqual(allOf(900));
	});

	it('reads one page ahead while the list may be short, and eight at a time once it is long', async () => {
		const list = listOf(3_000);
		await walkPages(list.fetch);
		expect(list.underWay.slice(0, 19)).toEqual([
			...[1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2],
			...[2, 3, 4, 5, 6, 7, 8, 8],
		]);
		expect(Math.max(...list.underWay)).toBe(8);
	});

	it('reads eight at a time from its second page on if it was long', async () => {
		const list = listOf(3_000);
		expect(idsOf(await walkPages(list.fetch, { wasLong: true }))).toEqual(allOf(3_000));
		expect(list.underWay.slice(0, 10)).toEqual([1, 1, 2, 3, 4, 5, 6, 7, 8, 8]);
	});

	it.each([50, 100])('asks one page of %i records where it was long before', async (total) => {
		const list = listOf(total);
		await walkPages(list.fetch, { wasLong: true });
		expect(list.offsets()).toEqual([0]);
	});

	it('counts as short again, though it was long, after a page that was not full', async () => {
		const list = listOf(3_000);
		list.fault(at(0, (page) => ({ ...page, records: page.records.slice(0, 90) })));
		await walkPages(list.fetch, { wasLong: true });
		expect(list.underWay.slice(0, 11)).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]);
	});

	it.each([2, 5])('never has more than the %i pages under way that it may have', async (atOnce) => {
		const list = listOf(3_000);
		expect(idsOf(await walkPages(list.fetch, { atOnce }))).toEqual(allOf(3_000));
		expect(Math.max(...list.underWay)).toBe(atOnce);
	});

	it.each([true, false])(
		'ends when no page past the end is under way; one of many: %s',
		async (isOneOfMany) => {
			const list = listOf(1_150);
			await walkPages(list.fetch, { isOneOfMany });
			expect(list.asked.length).toBeGreaterThan(12);
			expect(list.running()).toBe(0);
		},
	);

	it('waits for a page past the end that hangs only if it is one of many', async () => {
		const list = listOf(250);
		let come = (): void => undefined;
		const hung = new Promise<void>((resolve) => {
			come = resolve;
		});
		const walk = async (isOneOfMany: boolean) =>
			await walkPages(
				async (request) => {
					if (request.offset === 300) await hung;
					return await list.fetch(request);
				},
				{ isOneOfMany },
			);
		expect(idsOf(await walk(false))).toEqual(allOf(250));
		const waiting = walk(true);
		const first = await Promise.race([waiting, sleep(1_500).then(() => 'still waiting')]);
		expect(first).toBe('still waiting');
		come();
		expect(idsOf(await waiting)).toEqual(allOf(250));
	});

	it('goes back to one page at a time after a page that was not full', async () => {
		const list = listOf(3_000);
		list.fault(at(200, (page) => ({ ...page, records: page.records.slice(0, 90) })));
		await walkPages(list.fetch);
		// One was under way already behind that page; only when it has come do others go.
		expect(list.underWay.slice(0, 7)).toEqual([1, 1, 2, 2, 1, 2, 2]);
	});

	it('does not mind what becomes of pages behind the end, and gives them up', async () => {
		const list = listOf(1_350);
		const behind: Array<AbortSignal | undefined> = [];
		const walk = await walkPages(async (request, givenUp) => {
			const page = await list.fetch(request);
			if (request.offset < 1_400) return page;
			behind.push(givenUp);
			throw new Error('nothing here');
		});
		await new Promise(setImmediate);
		expect(idsOf(walk)).toEqual(allOf(1_350));
		expect(behind.length).toBeGreaterThan(0);
		expect(behind.every((givenUp) => givenUp?.aborted)).toBe(true);
	});

	it('gives up what is under way when a page fails', async () => {
		const list = listOf(3_000);
		const signals = new Map<number, AbortSignal | undefined>();
		const walk = walkPages(async (request, givenUp) => {
			signals.set(request.offset, givenUp);
			const page = await list.fetch(request);
			if (request.offset === 300) throw new Error('broken');
			return page;
		});
		await expect(walk).rejects.toThrow('broken');
		expect(signals.get(400)?.aborted).toBe(true);
	});

	it.each([1, 99, 100, 101, 200, 250, 555, 999, 1_000])(
		'asks of %i records no more than one page too many',
		async (size) => {
			const list = listOf(size);
			await walkPages(list.fetch);
			const needed = Math.ceil(size / 100);
			expect(list.asked.length).toBeGreaterThanOrEqual(needed);
			expect(list.asked.length).toBeLessThanOrEqual(size <= 100 ? 1 : needed + 1);
		},
	);

	it.each([1_001, 2_345, 5_000])(
		'asks of %i records at most seven pages too many',
		async (size) => {
			const list = listOf(size);
			await walkPages(list.fetch);
			expect(list.asked.length).toBeLessThanOrEqual(Math.ceil(size / 100) + 7);
		},
	);
});

describe('pages that do not tell the truth', () => {
	it('gives a record that comes again on the next page once', async () => {
		const list = listOf(150);
		list.fault(at(100, (page) => ({ ...page, records: [record(99), ...page.records] })));
		expect(idsOf(await walkPages(list.fetch))).toEqual(allOf(150));
	});

	it('asks the same offset again after an empty page that promises more', async () => {
		const list = listOf(250);
		list.fault(at(100, emptied));
		const walk = await walkPages(list.fetch, { atOnce: 1 });
		expect(list.offsets()).toEqual([0, 100, 100, 200]);
		expect(idsOf(walk)).toEqual(allOf(250));
	});

	it('asks the same offset again after the page before was repeated', async () => {
		const list = listOf(250);
		list.fault(at(100, (page) => ({ ...page, records: records(0, 100) })));
		const walk = await walkPages(list.fetch, { atOnce: 1 });
		expect(list.offsets()).toEqual([0, 100, 100, 200]);
		expect(idsOf(walk)).toEqual(allOf(250));
	});

	it('asks again for a page that says it lies elsewhere, even for the first one', async () => {
		const list = listOf(250);
		const last = { records: records(200, 50), limit: 100, offset: 200, hasMore: false };
		list.fault(at(0, () => last, 2));
		const walk = await walkPages(list.fetch);
		expect(idsOf(walk)).toEqual(allOf(250));
		expect(walk.isComplete).toBe(true);
		expect(list.offsets().filter((offset) => offset === 0)).toHaveLength(3);
	});

	it('believes a service that counts places in another way', async () => {
		const list = listOf(250);
		list.fault((page, { offset }) => ({ ...page, offset: offset / 100 + 1 }));
		const walk = await walkPages(list.fetch);
		expect(idsOf(walk)).toEqual(allOf(250));
		expect(walk.isComplete).toBe(true);
		expect(list.offsets()).toEqual([0, 0, 0, 100, 200, 300].slice(0, list.asked.length));
	});

	it('is not complete if a page was for another place each time, of a service that counts as asked', async () => {
		const list = listOf(250);
		const last = { records: records(200, 50), limit: 100, offset: 200, hasMore: false };
		list.fault(({ records, limit, hasMore }, { offset }) => ({ records, limit, hasMore, offset }));
		list.fault(at(100, () => last, Infinity));
		const walk = await walkPages(list.fetch);
		expect(idsOf(walk)).toEqual([...allOf(250).slice(0, 100), ...allOf(250).slice(200)]);
		expect(walk.isComplete).toBe(false);
		expect(list.offsets().filter((offset) => offset === 100)).toHaveLength(3);
	});

	it('is complete if all pages have the place of the first one', async () => {
		const list = listOf(250);
		list.fault((page) => ({ ...page, offset: 0 }));
		const walk = await walkPages(list.fetch);
		expect(idsOf(walk)).toEqual(allOf(250));
		expect(walk.isComplete).toBe(true);
	});

	it('goes on behind a page that stays empty', async () => {
		const list = listOf(250);
		list.fault(at(100, emptied, 99));
		const walk = await walkPages(list.fetch, { atOnce: 1 });
		expect(walk.records).toHaveLength(150);
		expect(walk.notice).toBeUndefined();
	});

	it('finds records behind many pages from which a filter took everything', async () => {
		const list = listOf(1_500);
		list.fault((page, { offset }) => (offset >= 100 && offset < 1_400 ? emptied(page) : undefined));
		const walk = await walkPages(list.fetch);
		expect(walk.records).toHaveLength(200);
		expect(walk.notice).toBeUndefined();
	});

	it.each([
		['a list without blank pages', 0, true],
		['a page that was blank at first', 1, true],
		['a page that stays blank', 3, false],
	])('says of %s whether records may have been left out', async (_name, times, isComplete) => {
		const list = listOf(250);
		list.fault(at(100, emptied, times));
		expect((await walkPages(list.fetch)).isComplete).toBe(isComplete);
	});

	it('ends a list that never ends, and says so', async () => {
		const list = listOf(150);
		list.fault((page, { offset }) =>
			offset >= 100 ? { ...page, records: records(100, 50), hasMore: true } : undefined,
		);
		const walk = await walkPages(list.fetch);
		expect(idsOf(walk)).toEqual(allOf(150));
		expect(walk.notice).toContain('announced more records after 150');
		expect(list.asked.length).toBeLessThan(40);
	});

	it('does not take a list that is empty for ever for one that has ended', async () => {
		let asked = 0;
		const walk = walkPages(async ({ limit }) => {
			asked += 1;
			return { records: [], limit, hasMore: true };
		});
		await expect(walk).rejects.toThrow(/announces more.*were empty/);
		expect(asked).toBeLessThan(1_100);
	});

	it('finds records behind many empty pages, as of a service that filters after paging', async () => {
		const at = (offset: number): JsonRecord[] =>
			offset === 0 ? [{ id: 'first' }] : offset === 40_000 ? [{ id: 'last' }] : [];
		const walk = await walkPages(async ({ offset, limit }) => ({
			records: at(offset),
			limit,
			hasMore: offset < 40_000,
		}));
		expect(idsOf(walk)).toEqual(['first', 'last']);
	});

	it('asks page by page while the service throttles', async () => {
		const list = listOf(3_000);
		let running = 0;
		let most = 0;
		const walk = await walkPages(async (request) => {
			most = Math.max(most, ++running);
			const page = await list.fetch(request);
			running -= 1;
			return { ...page, throttled: true };
		});
		expect(idsOf(walk)).toEqual(allOf(3_000));
		expect(most).toBe(1);
	});

	it('takes pages of the size it is told', async () => {
		const list = listOf(60);
		expect(idsOf(await walkPages(list.fetch, { pageSize: 25 }))).toEqual(allOf(60));
		expect(new Set(list.asked.map(({ limit }) => limit))).toEqual(new Set([25]));
	});

	it('goes on by the records when the page says that its limit is 0', async () => {
		const list = listOf(250);
		list.fault((page) => ({ ...page, limit: 0 }));
		expect(idsOf(await walkPages(list.fetch, { atOnce: 1 }))).toEqual(allOf(250));
		expect(list.offsets()).toEqual([0, 100, 200]);
	});

	it('keeps records without an id, even when they are equal', async () => {
		const walk = await walkPages(async ({ limit }) => ({
			records: [{ name: 'same' }, { name: 'same' }],
			limit,
			hasMore: false,
		}));
		expect(walk.records).toHaveLength(2);
	});

	it('passes the error of a page on', async () => {
		const list = listOf(500);
		list.fault(
			at(200, () => {
				throw new Error('page 3 failed');
			}),
		);
		await expect(walkPages(list.fetch)).rejects.toThrow('page 3 failed');
	});
});

describe('reading as many as wanted', () => {
	it.each([1, 7, 99, 100, 101, 250, 999])('gives the first %i', async (wanted) => {
		const list = listOf(1_000);
		expect(idsOf(await walkPages(list.fetch, { wanted }))).toEqual(allOf(wanted));
	});

	it('asks for no more than it wants on one page', async () => {
		const list = listOf(1_000);
		await walkPages(list.fetch, { wanted: 7 });
		expect(list.asked).toEqual([{ offset: 0, limit: 7 }]);
	});

	it('keeps the limit the same on every page', async () => {
		const list = listOf(1_000);
		await walkPages(list.fetch, { wanted: 250 });
		expect(new Set(list.asked.map(({ limit }) => limit))).toEqual(new Set([100]));
		expect(list.asked).toHaveLength(3);
	});

	it.each([0, -1])('asks nothing for %i', async (wanted) => {
		const list = listOf(10);
		expect(await walkPages(list.fetch, { wanted })).toEqual({ records: [], isComplete: true });
		expect(list.asked).toEqual([]);
	});

	it('gives what there is when there is less', async () => {
		expect((await walkPages(listOf(30).fetch, { wanted: 200 })).records).toHaveLength(30);
	});
});
