/** From page to page through a list that shifts: where the walk looks for the records that it has read. */
import { freshPlace, type Place } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { PageReader, type PageView } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import {
	assumeNoOrder,
	hasNoOrder,
	nextStep,
	readNext,
	type WalkOptions,
} from '../../../nodes/LeadGenPublishing/watch/list/walk';
import { serve, uuids } from '../pollHelpers';

const ids = uuids(2_200);
const others = uuids(400, 5);

/** A walk that has read seven pages, up to the record before this one, of a list that then changes. */
async function begun({ pages = 7 }: { pages?: number } = {}) {
	let list: readonly string[] = ids;
	const asked: number[] = [];
	const views: PageView[] = [];
	const readerOf = (maxRequests: number): PageReader =>
		new PageReader({
			fetchPage: async (request) => {
				asked.push(request.offset);
				return await serve(list)(request);
			},
			...{ maxRequests, deadline: 1, now: () => 0 },
		});
	let reader = readerOf(1_000);
	const place = freshPlace();
	const options = (): WalkOptions => ({
		...{ reader, onPage: (view) => views.push(view), decideOnBlank: () => undefined },
	});
	const step = async () => await readNext(place, options());
	for (let page = 0; page < pages; page++) await step();
	const from = place.next - 1;
	asked.length = 0;
	views.length = 0;
	return {
		...{ place, asked, views, step, from },
		change: (changed: readonly string[]) => void (list = changed),
		within: (maxRequests: number) => void (reader = readerOf(maxRequests)),
	};
}
const without = (count: number) => ids.slice(count);
const withNew = (count: number) => [...others.slice(0, count), ...ids];

it('begins each page with the last record of the page before', async () => {
	const { place, asked, step, from } = await begun();
	expect(from).toBe(7 * 99);
	await step();
	expect([asked, place.next, place.restarts]).toEqual([[from], from + 100, 0]);
});

it.each<[string, readonly string[], readonly number[], number]>([
	['50 were inserted', withNew(50), [0], 50],
	['98 were inserted', withNew(98), [0], 98],
	['150 were inserted', withNew(150), [0, -99, 99], 150],
	['250 were inserted', withNew(250), [0, -99, 99, -198, 198], 250],
	['one was deleted', without(1), [0, -99], -1],
	['50 were deleted', without(50), [0, -99], -50],
	['99 were deleted', without(99), [0, -99], -99],
	['100 were deleted', without(100), [0, -99, 99, -198], -100],
	['198 were deleted', without(198), [0, -99, 99, -198], -198],
	['260 were deleted', without(260), [0, -99, 99, -198, 198, -297], -260],
])('finds its place again after %s above it', async (_, list, offsets, shift) => {
	const { place, asked, views, step, from, change } = await begun();
	change(list);
	const last = ids[from];
	const result = await step();
	expect(asked).toEqual(offsets.map((offset) => from + offset));
	expect(views.map(({ offset }) => offset)).toEqual(asked);
	expect([result.kind, place.restarts]).toEqual(['page', 0]);
	// It goes on where that page ends, and has skipped nothing.
	expect(place.next).toBe((asked.at(-1) ?? 0) + 100);
	const page = (result as { view: PageView }).view.entries.map(({ record }) => record.id);
	const found = [7, 6, 5, 4, 3, 2, 1, 0].map((before) => ids[from - before]);
	expect(found.some((id) => page.includes(id))).toBe(true);
	expect(list.indexOf(last ?? '')).toBe(from + shift);
});

it('begins anew at the head where it finds nothing again, and after three times for good', async () => {
	const { place, asked, step, from, change } = await begun();
	change(uuids(1_500, 77));
	await step();
	expect(asked).toEqual([0, -99, 99, -198, 198, -297].map((by) => from + by).concat(0));
	expect([place.restarts, place.next, hasNoOrder(place)]).toEqual([1, 100, false]);
	for (const [restarts, seed] of [
		[2, 78],
		[3, 79],
	] as const) {
		for (let page = 0; page < 6; page++) await step();
		change(uuids(1_500, seed));
		await step();
		expect([place.restarts, hasNoOrder(place)]).toEqual([restarts, restarts === 3]);
	}
	asked.length = 0;
	await step();
	// Without order, page by page.
	expect(asked).toEqual([100]);
});

it('where the budget cuts its search short, begins further up the next time', async () => {
	for (const [requests, up] of [
		[0, 0],
		[1, 99],
		[2, 99],
	] as const) {
		const { place, step, from, change, within } = await begun();
		change(without(260));
		within(requests);
		expect(await step()).toEqual({ kind: 'spent' });
		expect([place.next, place.restarts]).toEqual([from + 1 - up, 0]);
	}
});

it.each<[string, Partial<Place>, readonly number[], number]>([
	['at the head is no restart', { next: 1 }, [0], 0],
	['after one record is one', { next: 2 }, [1, 0], 1],
])('a place %s', async (_, at, expected, restarts) => {
	const { place, asked, step, change } = await begun({ pages: 1 });
	Object.assign(place, at);
	change(others);
	await step();
	expect([asked, place.restarts]).toEqual([expected, restarts]);
});

it('where the budget cuts its search short near the head, begins there', async () => {
	const { place, step, change, within } = await begun({ pages: 1 });
	Object.assign(place, { next: 30 });
	change(others);
	within(1);
	expect(await step()).toEqual({ kind: 'spent' });
	expect(place.next).toBe(0);
});

it('looks for its place in steps of a record where a page has two', async () => {
	const asked: number[] = [];
	const place = { ...freshPlace(), next: 51, anchors: [1] };
	const reader = new PageReader({
		fetchPage: async ({ offset, ...request }) => {
			asked.push(offset);
			return await serve(ids)({ ...request, offset, limit: 2 });
		},
		...{ maxRequests: 6, deadline: 1, now: () => 0 },
	});
	await readNext(place, { reader, onPage: () => undefined, decideOnBlank: () => undefined });
	expect(asked).toEqual([50, 49, 51, 48, 52, 47]);
});

it('goes on where a page has a single record, which cannot be the first of the next one, too', async () => {
	const place = freshPlace();
	const reader = new PageReader({
		fetchPage: async (request) => await serve(ids)({ ...request, limit: 1 }),
		...{ maxRequests: 100, deadline: 1, now: () => 0 },
	});
	const options: WalkOptions = { reader, onPage: () => undefined, decideOnBlank: () => undefined };
	for (let page = 0; page < 5; page++) await readNext(place, options);
	expect([place.next, reader.requests]).toEqual([5, 5]);
});

it('begins anew at the head with nothing to look for, however few records are there', async () => {
	const place = { ...freshPlace(), next: 1_000, anchors: [1, 2, 3, 4, 5, 6, 7, 8] };
	const few = others.slice(0, 5);
	const reader = new PageReader({
		fetchPage: async (request) => await serve(request.offset === 0 ? few : ids)(request),
		...{ maxRequests: 100, deadline: 1, now: () => 0 },
	});
	await readNext(place, { reader, onPage: () => undefined, decideOnBlank: () => undefined });
	expect(place).toMatchObject({ next: 5, restarts: 1 });
	expect(place.anchors).toHaveLength(5);
});

it('near the head, looks there once, and counts a record that it does not find again', async () => {
	const { place, asked, step, change } = await begun({ pages: 1 });
	change(uuids(1_500, 77));
	const result = await step();
	expect(asked).toEqual([99, 0]);
	expect([result.kind, place.restarts, place.next]).toEqual(['page', 1, 100]);
});

describe('pages with less than the offset moves by', () => {
	const walk = async (sizes: readonly number[]): Promise<Place> => {
		const place = freshPlace();
		const reader = new PageReader({
			fetchPage: async ({ offset, limit }) => ({
				records: ids.slice(offset, offset + (sizes[asked++] ?? 100)).map((id) => ({ id })),
				limit,
				hasMore: true,
			}),
			...{ maxRequests: 100, deadline: 1, now: () => 0 },
		});
		let asked = 0;
		for (let page = 0; page < sizes.length; page++)
			await readNext(place, { reader, onPage: () => undefined, decideOnBlank: () => undefined });
		return place;
	};

	it('are followed by their last record, until they show that a filter is applied to them', async () => {
		expect(nextStep(await walk([60]))).toEqual({ kind: 'anchored', offset: 59 });
		expect(nextStep(await walk([10]))).toEqual({ kind: 'anchored', offset: 9 });
		// So few records show that at once.
		expect(nextStep(await walk([9]))).toEqual({ kind: 'unanchored', offset: 100 });
		expect((await walk([60, 50])).shortSizes).toEqual([60, 50]);
		expect(nextStep(await walk([60, 50]))).toMatchObject({ kind: 'anchored' });
		expect(nextStep(await walk([60, 60, 60]))).toMatchObject({ kind: 'anchored' });
		const filtered = await walk([60, 50, 40]);
		expect([filtered.anchors, filtered.shortSizes]).toEqual([[], [60, 50, 40]]);
		expect(nextStep(filtered)).toEqual({ kind: 'unanchored', offset: 59 + 49 + 100 });
		expect((await walk([60, 50, 40, 30])).shortSizes).toEqual([60, 50, 40]);
	});

	it('are not, where they are full', async () => {
		expect(await walk([100, 100])).not.toHaveProperty('shortSizes');
	});
});

describe('blank pages', () => {
	const walk = async (
		decideOnBlank: WalkOptions['decideOnBlank'],
		{
			blanks = 2,
			maxRequests = 100,
			anchors = [],
		}: { blanks?: number; maxRequests?: number; anchors?: number[] } = {},
	) => {
		const asked: number[] = [];
		const given: number[] = [];
		const place: Place = { ...freshPlace(), anchors };
		const reader = new PageReader({
			fetchPage: async ({ offset, limit }) => {
				asked.push(offset);
				const isBlank = offset < blanks * 100;
				return {
					records: isBlank ? [] : ids.slice(offset, offset + limit).map((id) => ({ id })),
					limit,
					hasMore: true,
				};
			},
			...{ maxRequests, deadline: 1, now: () => 0 },
		});
		const onPage = (view: PageView): void => void given.push(view.offset);
		const result = await readNext(place, { reader, onPage, decideOnBlank });
		return { place, result, given, asked: [...new Set(asked)] };
	};

	it('are skipped if they may be, without a record to look for', async () => {
		const { place, result, asked, given } = await walk(() => undefined);
		expect([result.kind, asked, given]).toEqual(['page', [0, 100, 200], [0, 100, 200]]);
		expect(place).toMatchObject({ next: 300 });
		expect(place.anchors).toHaveLength(8);
		expect(place).not.toHaveProperty('blanks');
	});

	it('end the reading if they are in doubt, or count as the end', async () => {
		const doubtful = await walk(() => 'doubt');
		expect([doubtful.result.kind, doubtful.place]).toEqual(['blank', freshPlace()]);
		const end = await walk((view) => (view.offset > 0 ? 'end' : undefined));
		expect([end.result.kind, end.place.blanks, end.place.next]).toEqual(['endOfBlanks', 2, 100]);
	});

	it('count as the end after twenty in a row', async () => {
		expect((await walk(() => undefined, { blanks: 19 })).result.kind).toBe('page');
		const { result, place, asked } = await walk(() => undefined, { blanks: 20 });
		expect([result.kind, place.blanks, asked.length]).toEqual(['endOfBlanks', 20, 20]);
	});

	it('at the end of the budget leave the place behind them', async () => {
		const options = { blanks: 9, maxRequests: 4, anchors: [1] };
		const { result, place, given } = await walk(() => undefined, options);
		expect([result.kind, given]).toEqual(['spent', [0, 100, 200]]);
		expect(place).toMatchObject({ next: 300, blanks: 3, anchors: [] });
	});

	it('where its place is looked for do not show whether it has moved', async () => {
		const place: Place = { ...freshPlace(), next: 1_000, anchors: [1] };
		const asked: number[] = [];
		const reader = new PageReader({
			fetchPage: async ({ offset, limit }) => {
				asked.push(offset);
				return { records: [], limit, hasMore: true };
			},
			...{ maxRequests: 100, deadline: 1, now: () => 0 },
		});
		const options: WalkOptions = { reader, onPage: () => undefined, decideOnBlank: () => 'doubt' };
		expect((await readNext(place, options)).kind).toBe('blank');
		expect([asked, place]).toEqual([[999, 999], { next: 1_000, anchors: [1], restarts: 0 }]);
	});
});

it('is told to take a list for one without order', () => {
	const place: Place = { next: 7, anchors: [1, 2], restarts: 0 };
	expect(nextStep(place)).toEqual({ kind: 'anchored', offset: 6 });
	expect(nextStep({ ...place, next: 0 })).toEqual({ kind: 'anchored', offset: 0 });
	expect(nextStep({ ...place, restarts: 2 })).toEqual({ kind: 'anchored', offset: 6 });
	assumeNoOrder(place);
	expect([place, nextStep(place)]).toEqual([
		{ next: 7, anchors: [], restarts: 3 },
		{ kind: 'orderless', offset: 7 },
	]);
});
