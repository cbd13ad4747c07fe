/** The head of a list, and the gaps further down where unknown records were left. */
import { check, knownList, newList, NOW, numbered, pageOf, pollList, MINUTE, HOUR } from './lists';

const KNOWN = numbered(450);
/** A list whose tail and check are not due in the next poll. */
const watched = (ids: readonly string[] = KNOWN) => knownList(ids);

it('is read no further if its first page is known', async () => {
	const { asked, ids } = await pollList(watched(), KNOWN);
	expect([asked, ids]).toEqual([[0], []]);
});

it.each([
	[1, 1],
	[89, 1],
	[90, 1],
	[91, 2],
	[180, 2],
	[181, 3],
])('with %i new records takes %i pages, and delivers them in their order', async (count, pages) => {
	const added = numbered(count, 1_000);
	const { asked, ids, list } = await pollList(watched(), [...added, ...KNOWN]);
	expect(ids).toEqual(added);
	expect(asked).toHaveLength(pages);
	expect(list.gaps).toEqual([]);
});

it('that is the whole list replaces a complete check', async () => {
	const few = numbered(50);
	const after = await pollList(watched(few), few);
	expect([after.asked, after.checkedSince]).toEqual([[0], NOW]);
	const more = await pollList(watched(), KNOWN);
	expect(more.checkedSince).toBeUndefined();
});

it('overlaps its pages, so a record that slips between two requests is found', async () => {
	const added = numbered(150, 1_000);
	let records = [...added, ...KNOWN];
	const { ids } = await pollList(watched(), (request) => {
		const page = pageOf(records, request);
		// Five records of the page are removed after it was sent.
		if (request.offset === 0) records = records.slice(5);
		return page;
	});
	expect(new Set(ids)).toEqual(new Set(added));
});

it('goes back to where the pages join if more records were removed than pages share', async () => {
	const added = numbered(150, 1_000);
	let records = [...added, ...KNOWN];
	const { ids, asked } = await pollList(watched(), (request) => {
		const page = pageOf(records, request);
		if (request.offset === 0 && records.length === 600) records = records.slice(40);
		return page;
	});
	expect(new Set(ids)).toEqual(new Set(added));
	expect(asked.length).toBeLessThanOrEqual(8);
});

describe('a complete check that has reached the 180th record moves down', () => {
	const scan = check({ at: 180 });
	const placeAfter = async (records: readonly string[], { newAtTop = 0, pages = 1 } = {}) => {
		const list = knownList(KNOWN, { newAtTop, scan });
		let read = 0;
		const polled = await pollList(list, records, { isSpent: () => (read += 1) >= pages });
		return polled.list.scan.reading.at;
	};
	const [first = '', ...others] = KNOWN;

	it('by the records added above it, but not by those left there before', async () => {
		const leftOver = numbered(3, 1_000);
		expect(await placeAfter([...leftOver, ...KNOWN], { newAtTop: 3 })).toBe(180);
		expect(await placeAfter(['new', 'newer', ...leftOver, ...KNOWN], { newAtTop: 3 })).toBe(182);
	});

	it('by the unknown records of all pages', async () => {
		const records = [...numbered(150, 1_000), ...KNOWN];
		expect(await placeAfter(records, { pages: 2 })).toBe(180 + 150);
	});

	it('but not by records after a known one, which may be below it', async () => {
		const records = ['new', 'newer', first, ...numbered(150, 1_000), ...others];
		expect(await placeAfter(records, { pages: 2 })).toBe(182);
	});
});

it('ends where the service shows the same new records at every offset', async () => {
	const added = numbered(100, 1_000);
	const { ids, asked, list } = await pollList(watched(), ({ offset, limit }) => ({
		...{ offset, limit, hasMore: true },
		records: added.map((id) => ({ id })),
	}));
	expect(ids).toEqual(added);
	expect(asked.length).toBeLessThanOrEqual(8);
	expect(list.gaps).toEqual([]);
});

it('moves the gaps below it down when it ends for lack of room, and keeps one for each page', async () => {
	const added = numbered(250, 1_000);
	const list = knownList(KNOWN, { gaps: [40, 400] });
	const { list: after } = await pollList(list, [...added, ...KNOWN], { quota: 100 });
	expect(after.gaps).toEqual([100, 190, 590]);
});

it('delivers one batch per poll, and each poll continues where the last one ended', async () => {
	const added = numbered(250, 1_000);
	const records = [...added, ...KNOWN];
	let list = watched();
	const found: unknown[] = [];
	const sizes: number[] = [];
	for (let poll = 0; poll < 11; poll++) {
		const polled = await pollList(list, records, { quota: 25, now: NOW + poll * MINUTE });
		({ list } = polled);
		found.push(...polled.ids);
		sizes.push(polled.ids.length);
		expect(polled.asked.length).toBeLessThanOrEqual(4);
	}
	expect(sizes).toEqual([...Array<number>(10).fill(25), 0]);
	expect(new Set(found)).toEqual(new Set(added));
	expect(list.gaps).toEqual([]);
});

it('continues in the next poll where time ran out', async () => {
	const added = numbered(250, 1_000);
	const records = [...added, ...KNOWN];
	let asked = 0;
	const first = await pollList(watched(), records, { isSpent: () => ++asked > 0 });
	expect(first.ids).toEqual(added.slice(0, 100));
	expect(first.list.gaps).toEqual([100]);
	const second = await pollList(first.list, records, { now: NOW + MINUTE });
	expect(new Set([...first.ids, ...second.ids])).toEqual(new Set(added));
	expect(second.ids).toHaveLength(150);
});

it('comes first again in the next poll if a page failed', async () => {
	const failing = () => {
		throw new Error('The service is not available');
	};
	const { list, reading } = await pollList(knownList(KNOWN, { gaps: [100] }), failing);
	expect([reading.failure !== undefined, list.first, list.gaps]).toEqual([true, 'head', [100]]);
});

it('looks for records left in a gap in the whole list if they are no longer in their place', async () => {
	const added = numbered(150, 1_000);
	const first = await pollList(watched(), [...added, ...KNOWN], { quota: 100 });
	expect(first.ids).toHaveLength(100);
	// The records left in the gap have moved to the middle of the list.
	const left = added.filter((id) => !first.ids.includes(id));
	const records = [...first.ids.map(String), ...KNOWN.slice(0, 300), ...left, ...KNOWN.slice(300)];
	const second = await pollList(first.list, records, { now: NOW + MINUTE });
	const third = await pollList(second.list, records, { now: NOW + 2 * MINUTE });
	expect(new Set([...second.ids, ...third.ids])).toEqual(new Set(left));
});

it('of a list that was never read is not read on its own, but by the first reading', async () => {
	const first = await pollList(newList(), KNOWN);
	expect(first.ids).toEqual([]);
	expect(first.asked).toEqual([0, 90, 180, 270, 360]);
	const { ids } = await pollList(first.list, ['new', ...KNOWN], { now: NOW + HOUR });
	expect(ids).toEqual(['new']);
});
