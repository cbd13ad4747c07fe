/** Lists are read to their end, in their order and each record once, whatever their pages say. */
import * as fc from 'fast-check';

import type { FetchPage, Page, PageRequest } from '../../nodes/LeadGenPublishing/api/pages';
import { MAX_WITHOUT_NEW, walkList } from '../../nodes/LeadGenPublishing/api/pageWalker';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';

const recordsFrom = (from: number, count: number): JsonRecord[] =>
	Array.from({ length: Math.max(0, count) }, (_, index) => ({ id: `r${from + index}` }));
const idsOf = (records: readonly JsonRecord[]): unknown[] => records.map(({ id }) => id);

interface Service {
	/** The most records of a page. */
	readonly cap?: number | ((offset: number) => number);
	/** Whether a record passes a filter that is applied after the pages are cut. */
	readonly isShown?: (index: number) => boolean;
	/** Changes a page; `times` counts how often it was requested. */
	readonly change?: (page: Page, offset: number, times: number) => Page;
}

/** A list of this many records, with the requests to it, and how many were in progress at a time. */
function listOf(total: number, { cap = 100, isShown, change = (page) => page }: Service = {}) {
	const asked: PageRequest[] = [];
	const underWay: number[] = [];
	const signals = new Map<number, AbortSignal | undefined>();
	let running = 0;
	const fetch: FetchPage = async (request, givenUp) => {
		const { offset } = request;
		asked.push(request);
		signals.set(offset, givenUp);
		underWay.push((running += 1));
		await new Promise(setImmediate);
		running -= 1;
		const limit = Math.min(request.limit, typeof cap === 'number' ? cap : cap(offset));
		const cut = recordsFrom(offset, Math.min(limit, total - offset));
		const records = isShown ? cut.filter((_, index) => isShown(offset + index)) : cut;
		const page = { records, limit, hasMore: offset + limit < total };
		return change(page, offset, asked.filter((one) => one.offset === offset).length);
	};
	return { fetch, asked, underWay, signals, offsets: () => asked.map(({ offset }) => offset) };
}

const emptied = (page: Page): Page => ({ ...page, records: [], hasMore: true });
/** Changes what the page at this offset gives for the first `times` times. */
const at =
	(place: number, change: (page: Page) => Page, most = Infinity) =>
	(page: Page, offset: number, times: number): Page =>
		offset === place && times <= most ? change(page) : page;
const ONE_BY_ONE = { atOnce: 1 };
const WHOLE = (total: number) => ({ records: recordsFrom(0, total), isComplete: true });

describe('a whole list', () => {
	it.each([
		[0, 1],
		[1, 1],
		[100, 1],
		[101, 3],
		[250, 4],
		[1_000, 11],
		[1_001, 18],
	])('of %i records is read with at most %i requests', async (total, most) => {
		const list = listOf(total);
		expect(await walkList(list.fetch)).toEqual(WHOLE(total));
		expect(list.asked.length).toBeLessThanOrEqual(most);
		expect(list.asked.every(({ limit }) => limit === 100)).toBe(true);
	});

	it('is read one page ahead while it may be short, and eight at a time once it is long', async () => {
		const list = listOf(3_000);
		expect(await walkList(list.fetch)).toEqual(WHOLE(3_000));
		expect(list.underWay.slice(0, 19)).toEqual([
			...[1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2],
			...[2, 3, 4, 5, 6, 7, 8, 8],
		]);
		expect(Math.max(...list.underWay)).toBe(8);
	});

	it.each<[string, (page: Page) => Page, number]>([
		['was not full', (page) => ({ ...page, records: page.records.slice(0, 90) }), 2_990],
		['came after the service had throttled', (page) => ({ ...page, throttled: true }), 3_000],
	])('is read page by page after one that %s', async (_, change, count) => {
		const list = listOf(3_000, { change: at(200, change) });
		expect((await walkList(list.fetch)).records).toHaveLength(count);
		// One was under way already behind that page; only when it has come do others go.
		expect(list.underWay.slice(0, 7)).toEqual([1, 1, 2, 2, 1, 2, 2]);
	});

	it('gives up what it has read ahead when it ends, and does not wait for it', async () => {
		const list = listOf(250);
		const hung = new Promise<Page>(() => undefined);
		const { records } = await walkList(async (request, givenUp) => {
			const page = list.fetch(request, givenUp);
			return request.offset === 300 ? await hung : await page;
		});
		expect(records).toHaveLength(250);
		expect(list.signals.get(300)?.aborted).toBe(true);
	});

	it('passes on the failure of a page, and gives up those behind it', async () => {
		const broken = at(300, () => {
			throw new Error('page 4 failed');
		});
		const list = listOf(3_000, { change: broken });
		await expect(walkList(list.fetch)).rejects.toThrow('page 4 failed');
		expect(list.signals.get(400)?.aborted).toBe(true);
	});

	it('takes pages of the size that it is told', async () => {
		const list = listOf(60);
		expect(await walkList(list.fetch, { pageSize: 25 })).toEqual(WHOLE(60));
		expect(new Set(list.asked.map(({ limit }) => limit))).toEqual(new Set([25]));
	});

	it('keeps records without an ID, and gives those with a number as their ID once', async () => {
		const nameless = (page: Page) => ({
			...page,
			records: page.records.map(({ id: name }) => ({ name })),
		});
		const list = listOf(250, { change: nameless });
		expect(await walkList(list.fetch, ONE_BY_ONE)).toMatchObject({
			records: { length: 250 },
			isComplete: true,
		});
		expect(list.asked).toHaveLength(3);
		const records = [{ name: 'same' }, { name: 'same' }, { id: 7 }, { user_id: 8 }, { id: 7 }];
		const walk = await walkList(async ({ limit }) => ({ records, limit, hasMore: false }));
		expect(walk.records).toEqual(records.slice(0, 4));
	});
});

it('a page of records without an ID that comes again and again ends the list', async () => {
	const records = [{ name: 'one' }, { deep: { name: 'two' } }];
	let asked = 0;
	const walk = await walkList(async ({ limit }) => {
		asked += 1;
		return await Promise.resolve({ records, limit, hasMore: true });
	}, ONE_BY_ONE);
	expect(walk).toMatchObject({ records, isComplete: false });
	// Each doubtful page is requested twice.
	expect(asked).toBe(1 + 2 * MAX_WITHOUT_NEW);
	// Pages that differ only in what they nest are different.
	const nested = (offset: number) => [{ of: { offset } }];
	const whole = await walkList(
		async ({ limit, offset }) =>
			await Promise.resolve({ records: nested(offset), limit, hasMore: offset < 500 }),
		ONE_BY_ONE,
	);
	expect(whole).toMatchObject({ records: { length: 6 }, isComplete: true });
});

describe('as many records as wanted', () => {
	it.each([1, 7, 99, 100, 101, 250, 999])('are the first %i', async (wanted) => {
		const list = listOf(1_000);
		expect(await walkList(list.fetch, { wanted })).toEqual(WHOLE(wanted));
		expect(list.asked).toHaveLength(Math.ceil(wanted / 100));
		expect(new Set(list.asked.map(({ limit }) => limit))).toEqual(new Set([Math.min(100, wanted)]));
	});

	it.each([0, -1])('need no request if they are %i', async (wanted) => {
		const list = listOf(10);
		expect(await walkList(list.fetch, { wanted })).toEqual(WHOLE(0));
		expect(list.asked).toEqual([]);
	});
});

describe('how far a page reaches', () => {
	const saying = (limit: number): Service => ({ change: (page) => ({ ...page, limit }) });

	it.each<[string, number, Service, number[]]>([
		['what it says, if it is less than was asked for', 120, { cap: 50 }, [0, 50, 100]],
		['no more than was asked for, whatever it says', 250, saying(500), [0, 100, 200]],
		['as far as its records, if there are more than it says', 250, saying(10), [0, 100, 200]],
		['as far as its records, if it says 0', 120, { cap: 40, ...saying(0) }, [0, 40, 80]],
	])('is %s', async (_, total, service, offsets) => {
		const list = listOf(total, service);
		expect(await walkList(list.fetch, ONE_BY_ONE)).toEqual(WHOLE(total));
		expect(list.offsets()).toEqual(offsets);
	});

	it('is what was asked for, if it holds nothing and says 0', async () => {
		const list = listOf(250, { change: at(100, (page) => ({ ...emptied(page), limit: 0 })) });
		expect((await walkList(list.fetch, ONE_BY_ONE)).records).toHaveLength(150);
		expect(list.offsets()).toEqual([0, 100, 100, 200]);
	});

	it('may change, and the pages asked for from there on are wanted', async () => {
		const list = listOf(600, { cap: (offset) => (offset < 300 ? 100 : 30) });
		const walk = await walkList(async (request, givenUp) => {
			givenUp?.throwIfAborted();
			return await list.fetch(request);
		});
		expect(walk).toEqual(WHOLE(600));
	});
});

describe('a page that may hide records', () => {
	const lastPage = { records: recordsFrom(200, 50), limit: 100, offset: 200, hasMore: false };
	const DOUBTS: Array<[string, (page: Page) => Page]> = [
		['is empty and announces more', emptied],
		['repeats the one before', (page) => ({ ...page, records: recordsFrom(0, 100) })],
		['gives another place', () => lastPage],
	];
	const placed =
		(change: NonNullable<Service['change']>): Service['change'] =>
		(page, offset, times) =>
			change({ ...page, offset }, offset, times);

	it.each(DOUBTS)('since it %s is asked for once more', async (_, change) => {
		const list = listOf(250, { change: placed(at(100, change, 1)) });
		expect(await walkList(list.fetch, ONE_BY_ONE)).toEqual(WHOLE(250));
		expect(list.offsets()).toEqual([0, 100, 100, 200]);
	});

	it.each(DOUBTS)('since it %s each time makes the list incomplete', async (_, change) => {
		const list = listOf(250, { change: placed(at(100, change)) });
		const { records, isComplete, shortfall } = await walkList(list.fetch, ONE_BY_ONE);
		expect(idsOf(records)).toEqual(expect.arrayContaining(idsOf(recordsFrom(0, 100))));
		expect(records.length).toBeLessThan(250);
		expect(isComplete).toBe(false);
		expect(shortfall).toEqual({ kind: 'doubtful' });
		expect(list.offsets().filter((offset) => offset === 100)).toHaveLength(2);
	});

	it('may be the first one', async () => {
		const list = listOf(250, { change: placed(at(0, () => lastPage, 1)) });
		expect(await walkList(list.fetch, ONE_BY_ONE)).toEqual(WHOLE(250));
		expect(list.offsets()).toEqual([0, 0, 100, 200]);
	});

	it('is asked for once more, though another one before it was as doubtful', async () => {
		const list = listOf(500, { change: (page, at) => (at % 200 === 100 ? emptied(page) : page) });
		expect((await walkList(list.fetch, ONE_BY_ONE)).records).toHaveLength(300);
		expect(list.offsets()).toEqual([0, 100, 100, 200, 300, 300, 400]);
	});

	it.each<[string, (offset: number) => number]>([
		['counts places in another way', (offset) => offset / 100 + 1],
		['calls every place 0', () => 0],
	])('is none for giving another place, if the service %s', async (_, place) => {
		const list = listOf(250, { change: (page, offset) => ({ ...page, offset: place(offset) }) });
		expect(await walkList(list.fetch, ONE_BY_ONE)).toEqual(WHOLE(250));
		expect(list.asked).toHaveLength(4);
	});

	it('is one that says 0, if pages behind the first one have said where they are', async () => {
		const first = (page: Page): Page => ({ ...page, records: recordsFrom(0, 100), offset: 0 });
		const list = listOf(350, { change: placed(at(200, first)) });
		expect((await walkList(list.fetch, ONE_BY_ONE)).isComplete).toBe(false);
	});
});

describe('a list that does not end', () => {
	it.each<[string, number, (page: Page) => Page]>([
		['with empty pages', 0, emptied],
		['with empty pages after its records', 100, emptied],
		['with records that it has given', 100, (page) => ({ ...page, records: recordsFrom(7, 9) })],
	])('%s ends after 20 pages, incomplete', async (_, count, change) => {
		const endless = (page: Page, offset: number): Page =>
			offset >= count ? { ...change(page), hasMore: true } : page;
		const list = listOf(100_000, { change: endless });
		const { records, isComplete, shortfall } = await walkList(list.fetch);
		expect([records.length, isComplete]).toEqual([count, false]);
		expect(shortfall).toEqual({ kind: 'endless', read: count });
		const places = new Set(list.offsets().filter((offset) => offset >= count));
		expect(places.size).toBe(MAX_WITHOUT_NEW);
		// Each was asked for once more, but for the first one that is only not new.
		expect(list.asked.length).toBeLessThanOrEqual(2 * MAX_WITHOUT_NEW + 1);
		expect(MAX_WITHOUT_NEW).toBe(20);
	});

	it.each([1, 2, 7])(
		'with %i pages of records without IDs, again and again, ends',
		async (cycle) => {
			let asked = 0;
			const { records, isComplete, shortfall } = await walkList(async ({ offset, limit }) => {
				asked += 1;
				const page = (offset / limit) % cycle;
				const named = Array.from({ length: limit }, (_, row) => ({ name: `${page} ${row}` }));
				return await Promise.resolve({ records: named, limit, hasMore: true });
			}, ONE_BY_ONE);
			expect([records.length, isComplete, shortfall?.kind]).toEqual([
				100 * cycle,
				false,
				'endless',
			]);
			expect(asked).toBeLessThanOrEqual(cycle + 2 * MAX_WITHOUT_NEW);
		},
	);

	it('though each of its pages is new ends after 50,000 of them', async () => {
		let asked = 0;
		const { records, isComplete, shortfall } = await walkList(
			async ({ offset }) => {
				asked += 1;
				return await Promise.resolve({ records: [{ id: offset }], limit: 1, hasMore: true });
			},
			{ pageSize: 1, atOnce: 1 },
		);
		expect([asked, records.length, isComplete]).toEqual([50_000, 50_000, false]);
		expect(shortfall).toEqual({ kind: 'tooLong', read: 50_000, pages: 50_000 });
	});
});

it('a page of 200,000 records is read like any other', async () => {
	const records = recordsFrom(0, 200_000);
	const walk = await walkList(
		async ({ limit }) => await Promise.resolve({ records, limit, hasMore: false }),
	);
	expect(walk).toEqual({ records, isComplete: true });
});

describe('of any shape', () => {
	const count = fc.oneof(fc.nat(12), fc.nat(400), fc.integer({ min: 990, max: 1_300 }));
	const atOnce = fc.integer({ min: 1, max: 8 });
	const cap = fc.integer({ min: 1, max: 120 });

	it('pages of any sizes give each record once', async () => {
		const sizes = fc.array(cap, { minLength: 1, maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(count, sizes, atOnce, fc.boolean(), async (total, caps, width, isTold) => {
				const list = listOf(total, {
					cap: (offset) => caps[offset % caps.length] ?? 1,
					change: (page) => (isTold ? page : { ...page, limit: 0 }),
				});
				expect(await walkList(list.fetch, { atOnce: width })).toEqual(WHOLE(total));
				expect(Math.max(...list.underWay)).toBeLessThanOrEqual(width);
			}),
			{ numRuns: 60 },
		);
	});

	it('a filter applied after the pages are cut hides nothing, and blank pages are told', async () => {
		const lengths = fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 12 });
		const sizes = fc.integer({ min: 5, max: 100 });
		await fc.assert(
			fc.asyncProperty(count, sizes, lengths, atOnce, async (total, size, runs, width) => {
				const ends = runs.reduce<number[]>((all, run) => [...all, (all.at(-1) ?? 0) + run], []);
				const isShown = (index: number) => ends.filter((end) => end <= index).length % 2 === 0;
				const list = listOf(total, { cap: size, isShown });
				const { records, isComplete } = await walkList(list.fetch, { atOnce: width });
				const pages = Array.from({ length: Math.ceil(total / size) }, (_, page) =>
					recordsFrom(page * size, size).some((_record, index) => isShown(page * size + index)),
				).slice(0, -1);
				const longestBlank = Math.max(
					0,
					...pages
						.join()
						.split('true')
						.map((run) => run.length / 6),
				);
				if (longestBlank < MAX_WITHOUT_NEW - 1)
					expect(idsOf(records)).toEqual(
						idsOf(recordsFrom(0, total).filter((_, index) => isShown(index))),
					);
				expect(isComplete).toBe(pages.every(Boolean));
			}),
			{ numRuns: 60 },
		);
	});
});

describe('records that are kept', () => {
	const everyTenth = ({ id }: JsonRecord): boolean => String(id).endsWith('0');

	it('are all that comes out, and each record is looked at once', async () => {
		const seen: unknown[] = [];
		const again = (page: Page): Page => ({
			...page,
			records: [...page.records.slice(0, -1), { id: 'r0' }],
		});
		const { fetch } = listOf(250, { change: at(100, again) });
		const shown = recordsFrom(0, 250).filter(({ id }) => id !== 'r199');
		const keeps = (record: JsonRecord): boolean => {
			seen.push(record.id);
			return everyTenth(record);
		};
		const { records } = await walkList(fetch, { keeps });
		expect(idsOf(records)).toEqual(idsOf(shown.filter(everyTenth)));
		expect(seen).toEqual(idsOf(shown));
	});

	it.each([
		[1, 1],
		[10, 1],
		[11, 2],
	])('end the reading: %d of them take %d pages', async (wanted, pages) => {
		const { fetch, offsets } = listOf(1_000);
		const { records } = await walkList(fetch, { ...ONE_BY_ONE, wanted, keeps: everyTenth });
		expect(records).toHaveLength(wanted);
		// One may have been asked for ahead.
		expect([pages, pages + 1]).toContain(offsets().length);
	});

	it('may be none of a long list, which is read to its end all the same', async () => {
		const { fetch } = listOf((MAX_WITHOUT_NEW + 5) * 100);
		expect(await walkList(fetch, { keeps: () => false })).toEqual({
			records: [],
			isComplete: true,
		});
	});
});
