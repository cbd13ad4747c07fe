/** A list is read completely, in its order, each record once, however the service cuts it into pages. */
import * as fc from 'fast-check';

import { walkPages, type FetchPage, type Page } from '../../nodes/LeadGenPublishing/api/pages';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';

const recordsFrom = (count: number): JsonRecord[] =>
	Array.from({ length: count }, (_, index) => ({ id: `r${index}`, index }));
const idsOf = (records: readonly JsonRecord[]): unknown[] => records.map(({ id }) => id);

/** A service that cuts its list into pages of this size, and counts what it was asked. */
function serviceOf(
	list: readonly JsonRecord[],
	{
		cap,
		isShown = () => true,
		change = (page) => page,
	}: {
		/** The most records of a page from this offset on. */
		cap: (offset: number) => number;
		/** Whether a record passes a filter that is applied after the pages are cut. */
		isShown?: (index: number) => boolean;
		change?: (page: Page, offset: number) => Page;
	},
) {
	const asked: number[] = [];
	let underWay = 0;
	let most = 0;
	const fetchPage: FetchPage = async ({ offset, limit }) => {
		asked.push(offset);
		most = Math.max(most, ++underWay);
		await Promise.resolve();
		underWay -= 1;
		const size = Math.min(limit, cap(offset));
		const cut = list.slice(offset, offset + size);
		const records = cut.filter((_, at) => isShown(offset + at));
		return change({ records, limit: size, hasMore: offset + size < list.length }, offset);
	};
	return { fetchPage, asked, most: () => most, underWay: () => underWay };
}

const count = fc.oneof(fc.nat(12), fc.nat(400), fc.integer({ min: 990, max: 1_300 }));
const atOnce = fc.integer({ min: 1, max: 8 });
const cap = fc.integer({ min: 1, max: 120 });
/** Runs of records that are shown, and of others that are not. */
const runs = fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 12 });

function shownBy(lengths: readonly number[], from: boolean): (index: number) => boolean {
	const ends = lengths.reduce<number[]>((all, length) => [...all, (all.at(-1) ?? 0) + length], []);
	return (index) => (ends.filter((end) => end <= index).length % 2 === 0) === from;
}

it('of any size', async () => {
	await fc.assert(
		fc.asyncProperty(count, cap, atOnce, async (total, size, width) => {
			const list = recordsFrom(total);
			const service = serviceOf(list, { cap: () => size });
			const walk = await walkPages(service.fetchPage, { atOnce: width });
			expect(walk).toEqual({ records: list, isComplete: true });
			expect(new Set(service.asked).size).toBe(service.asked.length);
			const needed = Math.max(1, Math.ceil(total / Math.min(size, 100)));
			expect(service.asked.length).toBeLessThanOrEqual(needed + (needed > 10 ? 7 : 1));
			expect([service.most() <= width, service.underWay()]).toEqual([true, 0]);
		}),
	);
});

it('of sizes that change from page to page', async () => {
	await fc.assert(
		fc.asyncProperty(
			count,
			fc.array(cap, { minLength: 1 }),
			atOnce,
			async (total, sizes, width) => {
				const list = recordsFrom(total);
				const service = serviceOf(list, { cap: (offset) => sizes[offset % sizes.length] ?? 1 });
				const walk = await walkPages(service.fetchPage, { atOnce: width });
				expect(walk).toEqual({ records: list, isComplete: true });
			},
		),
	);
});

it('of any size, even if they do not say how far they reach', async () => {
	await fc.assert(
		fc.asyncProperty(count, cap, atOnce, async (total, size, width) => {
			const list = recordsFrom(total);
			const service = serviceOf(list, {
				cap: () => size,
				change: (page) => ({ ...page, limit: 0 }),
			});
			const walk = await walkPages(service.fetchPage, { atOnce: width });
			expect(walk).toEqual({ records: list, isComplete: true });
		}),
	);
});

it('of which some are blank, since a filter is applied after they are cut', async () => {
	const sizes = fc.integer({ min: 5, max: 100 });
	await fc.assert(
		fc.asyncProperty(count, sizes, runs, fc.boolean(), atOnce, async (total, size, ...rest) => {
			const [lengths, from, width] = rest;
			const list = recordsFrom(total);
			const isShown = shownBy(lengths, from);
			const service = serviceOf(list, { cap: () => size, isShown });
			const walk = await walkPages(service.fetchPage, { atOnce: width });
			const shown = list.filter((_, index) => isShown(index));
			const starts = Array.from({ length: Math.ceil(total / size) }, (_, page) => page * size);
			const isBlank = (start: number): boolean =>
				list.slice(start, start + size).every((_, at) => !isShown(start + at));
			const isComplete = starts.slice(0, -1).every((start) => !isBlank(start));
			expect(walk).toEqual({ records: shown, isComplete });
		}),
	);
});

it('of which some are blank or another page for a moment', async () => {
	const faults = fc.dictionary(fc.nat(30).map(String), fc.integer({ min: 1, max: 2 }));
	await fc.assert(
		fc.asyncProperty(fc.nat(900), faults, fc.boolean(), async (total, given, repeats) => {
			const list = recordsFrom(total);
			const left = new Map(Object.entries(given));
			const service = serviceOf(list, {
				cap: () => 30,
				change: (page, offset) => {
					const times = left.get(String(offset / 30)) ?? 0;
					if (times === 0 || (repeats && offset === 0)) return page;
					left.set(String(offset / 30), times - 1);
					return { ...page, records: repeats ? list.slice(0, 30) : [], hasMore: true };
				},
			});
			const walk = await walkPages(service.fetchPage, { atOnce: 1 });
			expect(walk).toEqual({ records: list, isComplete: true });
		}),
	);
});

it('as many as wanted, which are the first ones', async () => {
	await fc.assert(
		fc.asyncProperty(count, cap, fc.nat(1_400), atOnce, async (total, size, wanted, width) => {
			const list = recordsFrom(total);
			const service = serviceOf(list, { cap: () => size });
			const { records, isComplete } = await walkPages(service.fetchPage, { wanted, atOnce: width });
			expect([records, isComplete]).toEqual([list.slice(0, wanted), true]);
			const needed = Math.ceil(Math.min(Math.max(total, 1), wanted) / Math.min(size, 100, wanted));
			// Never more than are wanted, even if the list goes on.
			if (wanted <= total && wanted > 0) expect(service.asked.length).toBeLessThanOrEqual(needed);
		}),
	);
});

it('while records come in at its head', async () => {
	const growth = fc.array(fc.boolean(), { minLength: 1 });
	await fc.assert(
		fc.asyncProperty(
			count,
			fc.integer({ min: 30, max: 100 }),
			growth,
			atOnce,
			async (total, size, grows, width) => {
				const list = recordsFrom(total);
				let news = 0;
				const fetchPage: FetchPage = async ({ offset, limit }) => {
					const cut = Math.min(limit, size);
					if (news < 200 && grows[news % grows.length] === true) list.unshift({ id: `new${news}` });
					news += 1;
					const page = list.slice(offset, offset + cut);
					return { records: page, limit: cut, hasMore: offset + cut < list.length };
				};
				const { records } = await walkPages(fetchPage, { atOnce: width });
				const ids = idsOf(records);
				expect(new Set(ids).size).toBe(ids.length);
				expect(ids.filter((id) => String(id).startsWith('r'))).toEqual(idsOf(recordsFrom(total)));
			},
		),
	);
});

it('up to an end, even if the service never gives one', async () => {
	const endless = fc.record({
		total: fc.nat(300),
		size: fc.integer({ min: 10, max: 100 }),
		limit: fc.constantFrom(0, 10, 100),
	});
	await fc.assert(
		fc.asyncProperty(endless, atOnce, async ({ total, size, limit }, width) => {
			const list = recordsFrom(total);
			let requests = 0;
			const fetchPage: FetchPage = async ({ offset }) => {
				requests += 1;
				const from = Math.min(offset, Math.max(0, total - size));
				return { records: list.slice(from, from + size), limit: limit || size, hasMore: true };
			};
			const outcome = await walkPages(fetchPage, { atOnce: width }).catch(String);
			expect(requests).toBeLessThan(1_100);
			if (total === 0) expect(outcome).toMatch(/were empty/);
			else
				expect(outcome).toMatchObject({ isComplete: false, notice: expect.any(String) as string });
		}),
		{ numRuns: 30 },
	);
});
