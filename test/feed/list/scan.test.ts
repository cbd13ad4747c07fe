/**
 * The reading of the whole list: when one of its pages is due, how it ends, and what is held back.
 */
import type { PageRequest } from '../../../nodes/LeadGenPublishing/api/pages';
import { hash53, spell } from '../../../nodes/LeadGenPublishing/feed/list/hash';
import { MAX_SEARCHED, type Overlap } from '../../../nodes/LeadGenPublishing/feed/list/overlap';
import { inHurry, isPageDue } from '../../../nodes/LeadGenPublishing/feed/list/scan';
import { HASH_LENGTH } from '../../../nodes/LeadGenPublishing/feed/list/seen';
import {
	beginWholeReading,
	emitting,
	type ListState,
	type Scan,
	type ListProblem,
} from '../../../nodes/LeadGenPublishing/feed/list/state';

import { Chance } from '../../watch/random';
import {
	check,
	HOUR,
	knownList,
	MINUTE,
	newList,
	NOW,
	numbered,
	pageOf,
	pollList,
	settingsAt,
	type Polled,
} from './lists';

const KNOWN = numbered(450);

const checkAt = (at: number, { since = NOW, pace = 'usual' as 'usual' | 'fast' } = {}): Scan =>
	check({ at, since }, pace);
const BLANK: ListProblem = { kind: 'blank', at: 90, polls: 2, readingSince: 0 };

describe('a page is due', () => {
	it.each<[string, Partial<ListState>, { read?: number; after?: number; every?: number }, boolean]>(
		[
			['in a first reading', { scan: newList().scan }, { read: 99 }, true],
			['ten times in a fast check', { scan: checkAt(0, { pace: 'fast' }) }, { read: 9 }, true],
			['not eleven times', { scan: checkAt(0, { pace: 'fast' }) }, { read: 10 }, false],
			['not as a check begins', { scan: checkAt(0) }, {}, false],
			['as a part of the hour is over', { scan: checkAt(0) }, { after: 12 * MINUTE }, true],
			['not before the next part is', { scan: checkAt(90) }, { after: 12 * MINUTE }, false],
			['once in a poll a minute', { scan: checkAt(0) }, { after: HOUR, read: 1 }, false],
			['not before the time is over', { scan: checkAt(400) }, { after: 48 * MINUTE }, false],
			[
				'beyond the end then, as the list has grown',
				{ scan: checkAt(400) },
				{ after: 49 * MINUTE },
				true,
			],
			['in each poll with 0 hours', { scan: checkAt(0) }, { every: 0 }, true],
			['but one', { scan: checkAt(0) }, { every: 0, read: 1 }, false],
			[
				'as often as the hours that were chosen ask for',
				{ scan: checkAt(90) },
				{ every: HOUR, after: HOUR, read: 3 },
				true,
			],
			['while a problem may pass', { scan: checkAt(0), problem: BLANK }, {}, true],
			['once for that', { scan: checkAt(0), problem: BLANK }, { read: 1 }, false],
			['not for one that lasts', { scan: checkAt(0), problem: { ...BLANK, polls: 5 } }, {}, false],
		],
	)('%s', (_, state, { read = 0, after = 0, every }, expected) => {
		const list = knownList(KNOWN, state);
		expect(isPageDue(list, read, settingsAt(NOW + after, { checkEvery: every }))).toBe(expected);
	});

	it('more often if polls are rare', () => {
		const list = knownList(KNOWN, { scan: checkAt(0) });
		const settings = settingsAt(NOW + HOUR, { sinceLast: 3 * MINUTE });
		expect([2, 3].map((read) => isPageDue(list, read, settings))).toEqual([true, false]);
	});
});

/** Polls a minute apart. */
async function polls(
	count: number,
	list: ListState,
	serve: Parameters<typeof pollList>[1],
	from = 0,
): Promise<Polled[]> {
	const all: Polled[] = [];
	let state = list;
	for (let poll = 0; poll < count; poll++) {
		const polled = await pollList(state, serve, { now: NOW + (from + poll) * MINUTE });
		all.push(polled);
		state = polled.list;
	}
	return all;
}
const lastOf = (all: readonly Polled[]): Polled => all.at(-1) as Polled;
const endsOf = (all: readonly Polled[]) =>
	all.filter(({ checkedSince }) => checkedSince !== undefined).length;

describe('a first reading', () => {
	it.each([
		['ends if it meets no unknown record', 0, 0, { kind: 'check' }],
		['begins again if it has read one', 1, 0, { kind: 'first', tries: 1 }],
		['begins for the fifth time', 1, 3, { kind: 'first', tries: 4 }],
		['ends after the fifth time', 1, 4, { kind: 'check' }],
	])('that may have missed records %s', async (_, unknown, tries, expected) => {
		const reading = {
			...beginWholeReading(NOW),
			at: 380,
			overlap: { kind: 'unchecked', lastRecords: '', repeats: 0 },
			isUnchecked: true,
		} as const;
		const scan = { ...newList().scan, reading: { ...reading, unknown }, tries } as Scan;
		const { list } = await pollList(knownList(KNOWN, { scan, first: 'scan' }), KNOWN, {
			isSpent: () => true,
		});
		expect(list.scan).toMatchObject(expected);
	});

	it.each<[string, number | 'unset', number, readonly string[] | 'refused']>([
		['the moment it is told', NOW - HOUR, NOW - HOUR, KNOWN],
		['its beginning, if it is told none', 'unset', NOW, KNOWN],
		['its end, if it has never begun', 'unset', NOW + MINUTE, 'refused'],
	])('holds back what was created before %s', async (_, after, expected, list) => {
		const serve = list === 'refused' ? () => ({ kind: list }) as const : list;
		const { list: read } = await pollList(newList(after), serve, { now: NOW + MINUTE });
		expect(read.scan).toMatchObject({ existing: { after: expected } });
	});

	it('ends at the end, and holds back older records for a day, and until two checks have ended', async () => {
		const [first] = await polls(1, newList(), KNOWN);
		expect(first?.list.scan).toMatchObject({
			kind: 'check',
			existing: { kind: 'firstDay', after: NOW, since: NOW, isDoubtful: false, checks: 0 },
		});
		const records = [...KNOWN];
		const old = { id: 'old', created_at: NOW - HOUR };
		const shown = (request: { offset: number; limit: number }) =>
			pageOf([...records.slice(0, 200), old, ...records.slice(200)], request);
		const checked = await polls(130, first?.list ?? newList(), shown, 1);
		expect(checked.flatMap(({ ids }) => ids)).toEqual([]);
		// Two checks are no day.
		expect(lastOf(checked).list.scan).toMatchObject({ existing: { kind: 'firstDay', checks: 2 } });
		// The day and two checks are over. A record that was read meanwhile counts as known.
		const nextDay = await polls(1, lastOf(checked).list, shown, 24 * 60);
		expect(nextDay.flatMap(({ ids }) => ids)).toEqual([]);
		expect((await polls(70, lastOf(checked).list, shown, 131)).flatMap(({ ids }) => ids)).toEqual(
			[],
		);
	});

	it('is not trusted while checks still meet old records, as in a list without an order', async () => {
		for (let seed = 1; seed <= 30; seed++) {
			const chance = new Chance(seed);
			const old = numbered(250).map((id) => ({ id, created_at: NOW - HOUR }));
			const shuffled = (request: PageRequest) => pageOf(chance.shuffled(old), request);
			const all = await polls(20, newList(), shuffled);
			expect(all.flatMap(({ ids }) => ids)).toEqual([]);
		}
	});

	it('continues in the next poll where time ran out', async () => {
		let requests = 0;
		const first = await pollList(newList(), KNOWN, { isSpent: () => ++requests >= 2 });
		expect(first.list.scan).toMatchObject({ kind: 'first', reading: { at: 180 } });
		const second = await pollList(first.list, KNOWN, { now: NOW + MINUTE });
		expect(second.list.scan.kind).toBe('check');
		expect(second.asked.slice(1)).toEqual([180, 270, 360]);
	});

	it('delivers records created since then, although it meets them for the first time', async () => {
		const young = { id: 'young', created_at: NOW + 1 };
		const { ids } = await pollList(newList(), (request) => pageOf([...KNOWN, young], request));
		expect(ids).toEqual(['young']);
	});
});

describe('a check', () => {
	it('reaches the end within the hour, one page at a time', async () => {
		const records = [...KNOWN.slice(0, 225), 'between', ...KNOWN.slice(225)];
		const all = await polls(61, knownList(KNOWN), records);
		expect(all.flatMap(({ ids }) => ids)).toEqual(['between']);
		expect(endsOf(all)).toBe(1);
		expect(Math.max(...all.map(({ asked }) => asked.length))).toBeLessThanOrEqual(3);
	});

	it('finds its place again after many records were added above it', async () => {
		const more = [...KNOWN.slice(0, 110), ...numbered(250, 1_000), ...KNOWN.slice(110)];
		const before = await polls(30, knownList(KNOWN), KNOWN);
		const after = await polls(40, lastOf(before).list, more, 30);
		expect(endsOf(after)).toBe(1);
		expect(lastOf(after.slice(0, -10)).list.scan.reading.pagesElsewhere).toBeLessThan(MAX_SEARCHED);
	});

	it('ends even if the list has a new order for each request and a poll reads one page', async () => {
		const chance = new Chance(7);
		let list = knownList(KNOWN, { size: 20 });
		let ended = 0;
		for (let poll = 0; poll < 1_200; poll++) {
			const polled = await pollList(
				list,
				(request) => pageOf(chance.shuffled(KNOWN), request, 20),
				{ now: NOW + poll * HOUR, sinceLast: HOUR, isSpent: () => true },
			);
			({ list } = polled);
			if (polled.checkedSince !== undefined) ended++;
		}
		expect(ended).toBeGreaterThan(1);
	});

	it('that looks for its place continues above if the service rejects the offset below', async () => {
		const records = numbered(330);
		const overlap: Overlap = {
			...{ kind: 'search', above: 100, below: 400, asked: 'below', pages: 1 },
			lastRecords: spell(hash53('150'), HASH_LENGTH),
		};
		const scan = check({ at: 400, overlap }, 'fast');
		const { asked, list } = await pollList(knownList(records, { scan }), (request) =>
			request.offset > 330 ? { kind: 'refused' } : pageOf(records, request),
		);
		expect(asked).toEqual([0, 400, 100, 190, 280]);
		expect(list).toMatchObject({ problem: { kind: 'none' }, scan: { pace: 'usual' } });
	});

	it('that looks for its place does not answer for a gap that the service rejects', async () => {
		const overlap: Overlap = {
			...{ kind: 'search', above: 100, below: 400, asked: 'below', pages: 1 },
			lastRecords: spell(hash53('150'), HASH_LENGTH),
		};
		const scan = check({ at: 400, overlap }, 'usual');
		const { list, asked } = await pollList(
			knownList(KNOWN, { scan, gaps: [200] }),
			({ offset, limit }) =>
				offset === 190 ? { kind: 'refused' } : pageOf(KNOWN, { offset, limit }),
		);
		expect([asked, list.gaps]).toEqual([[0, 190], []]);
	});

	it('meets a record within the hour that has moved to the next page', async () => {
		const known = numbered(900);
		let before = await pollList(knownList(known), known);
		const late: number[] = [];
		for (let minutes = 1; minutes < 50; minutes++) {
			const { at } = before.list.scan.reading;
			before = await pollList(before.list, known, { now: NOW + minutes * MINUTE });
			const next = before.list.scan.reading.at;
			if (next === at || next <= 200) continue;
			// The page was just read, and a record moves to its end.
			const grown = [...known.slice(0, next - 1), 'moved', ...known.slice(next - 1, -1)];
			const waited = await polls(45, before.list, grown, minutes + 1);
			// Then others appear above it, and the length of the list stays the same.
			const shifted = [...grown.slice(0, 110), ...numbered(30, 1_000), ...grown.slice(110, -30)];
			const after = await polls(30, lastOf(waited).list, shifted, minutes + 46);
			late.push(46 + after.findIndex(({ ids }) => ids.includes('moved')));
		}
		expect(late.length).toBeGreaterThan(2);
		expect(Math.min(...late)).toBeGreaterThan(0);
		expect(Math.max(...late)).toBeLessThanOrEqual(60);
	});

	it('that is requested as fast reads ten pages in each poll', async () => {
		const long = numbered(2_000);
		const list = knownList(long, { scan: checkAt(0, { pace: 'fast' }) });
		const all = await polls(3, list, [...long.slice(0, 1_500), 'lost', ...long.slice(1_500)]);
		expect(all.flatMap(({ ids }) => ids)).toEqual(['lost']);
		expect(lastOf(all).list.scan).toMatchObject({ pace: 'usual' });
	});
});

describe('a dead end', () => {
	/** Shows this many records, and always announces more. */
	const blankAfter = (count: number) => (request: { offset: number; limit: number }) => ({
		...pageOf(KNOWN.slice(0, count), request),
		hasMore: true,
	});
	const sameForEver = (request: { offset: number; limit: number }) => ({
		...pageOf(KNOWN.slice(0, 100), { ...request, offset: 0 }),
		offset: undefined,
		hasMore: true,
	});
	const refusedFrom =
		(reach: number, records: readonly string[] = KNOWN) =>
		(request: { offset: number; limit: number }) =>
			request.offset > reach ? ({ kind: 'refused' } as const) : pageOf(records, request);

	it.each([
		['blank pages', blankAfter(300), 'endless', 9, 'end'],
		['repeated pages', sameForEver, 'repeating', 5, 0],
		['refused offsets', refusedFrom(200), 'refused', 1, 280],
	] as const)('%s end a first reading, with a problem', async (_, serve, kind, count, readTo) => {
		const all = await polls(count, newList(), serve);
		expect(lastOf(all).list.problem.kind).toBe(kind);
		expect(all.map(({ list }) => list.scan.kind).slice(0, -1)).toEqual(
			Array(count - 1).fill('first'),
		);
		expect(lastOf(all).list.scan).toMatchObject({ kind: 'check', existing: { checks: 0, readTo } });
		// Records that are held back stay so, because no check reaches the end.
		const later = await polls(180, lastOf(all).list, serve, count);
		expect(lastOf(later).list.scan).toMatchObject({
			existing: { kind: 'firstDay', checks: 0, readTo },
		});
	});

	it('after an outdated response ends a reading where the previous page ended', async () => {
		const [first] = await polls(1, newList(), ({ offset, limit }) =>
			offset > 200 ? { kind: 'refused' } : pageOf(KNOWN, { offset: Math.min(offset, 90), limit }),
		);
		expect((first as Polled).list.scan).toMatchObject({ existing: { readTo: 190 } });
		// Records that the service had not shown are as old as those that it had.
		const { ids } = await pollList((first as Polled).list, refusedFrom(200), { checkEvery: 0 });
		const next = await polls(10, (first as Polled).list, refusedFrom(200), 60);
		expect([...ids, ...next.flatMap((one) => one.ids)]).toEqual([]);
	});

	it('after a reading that reached the end leaves nothing to hold back', async () => {
		const short = KNOWN.slice(0, 190);
		const [first] = await polls(1, newList(), refusedFrom(100, short));
		expect(first?.list.problem).toEqual({ kind: 'none' });
		const more = numbered(60, 1_000);
		const grown = await polls(
			90,
			lastOf([first as Polled]).list,
			refusedFrom(100, [...short, ...more]),
			1,
		);
		expect(lastOf(grown).list.problem.kind).toBe('refused');
		const moved = await polls(
			70,
			lastOf(grown).list,
			refusedFrom(100, [...short.slice(60), ...more]),
			91,
		);
		expect([...grown, ...moved].flatMap(({ ids }) => ids).toSorted()).toEqual(more.toSorted());
	});

	it('that the service ends later leaves the rest of the list as old as it was', async () => {
		const [first] = await polls(1, newList(), refusedFrom(200));
		const later = await polls(130, (first as Polled).list, KNOWN, 1);
		expect(later.flatMap(({ ids }) => ids)).toEqual([]);
		expect(lastOf(later).list.scan).toMatchObject({ existing: { readTo: 'end' } });
		// Once a check has reached the end, every unknown record is new.
		const added = await polls(5, lastOf(later).list, [...KNOWN, 'new'], 131);
		expect(added.flatMap(({ ids }) => ids)).toEqual(['new']);
	});

	it('leaves the records that "Emit Existing" asks for to a later check', async () => {
		const asked = emitting(knownList(KNOWN), 'all', NOW);
		const all = await polls(3, asked, refusedFrom(200));
		expect(all.flatMap(({ ids }) => ids)).toHaveLength(280);
		const later = await polls(130, lastOf(all).list, KNOWN, 3);
		expect([...all, ...later].flatMap(({ ids }) => ids).toSorted()).toEqual(KNOWN.toSorted());
		expect(lastOf(later).list.scan.emits).toBe('nothing');
	});

	it('right after the head leaves the records of the head readable', async () => {
		const existing = {
			kind: 'firstDay',
			after: NOW,
			since: NOW,
			isDoubtful: false,
			checks: 0,
			readTo: 0,
		} as const;
		const scan: Scan = {
			kind: 'check',
			reading: beginWholeReading(NOW),
			pace: 'fast',
			existing,
			emits: 'nothing',
		};
		const { list } = await pollList(knownList(KNOWN, { scan }), refusedFrom(0));
		expect(list.problem).toEqual({ kind: 'refused', at: 90 });
		expect(list.scan).toMatchObject({ existing: { readTo: 100 } });
		const records = [...KNOWN.slice(0, 99), 'last of the page', ...KNOWN.slice(99)];
		const { ids } = await pollList(list, (request) =>
			request.offset > 0 ? { kind: 'refused' } : pageOf(records, request),
		);
		expect(ids).toEqual(['last of the page']);
	});

	it.each([
		['blank pages', blankAfter(300)],
		['repeated pages', sameForEver],
		['refused offsets', refusedFrom(200)],
	] as const)('%s hide nothing that comes at the head', async (_, serve) => {
		const all = await polls(12, newList(), serve);
		const added = await pollList(
			lastOf(all).list,
			(request) => {
				const answer = serve(request);
				if (!('records' in answer) || request.offset > 0) return answer;
				return { ...answer, records: [{ id: 'new' }, ...answer.records.slice(0, 99)] };
			},
			{ now: NOW + HOUR },
		);
		expect(added.ids).toEqual(['new']);
	});

	it.each([
		['blank pages', blankAfter(300)],
		['repeated pages', sameForEver],
	] as const)('%s are forgotten once the list can be read to its end', async (_, serve) => {
		const all = await polls(6, newList(), serve);
		const healed = await polls(70, lastOf(all).list, KNOWN, 6);
		expect(lastOf(healed).list.problem).toEqual({ kind: 'none' });
	});

	it('is not assumed after one blank response, because the page is requested once more', async () => {
		let blanks = 0;
		const { list, asked } = await pollList(newList(), (request) =>
			request.offset === 180 && blanks++ === 0
				? { records: [], limit: 100, hasMore: true }
				: pageOf(KNOWN, request),
		);
		expect(asked).toEqual([0, 90, 180, 180, 270, 360]);
		expect(list.problem.kind).toBe('none');
	});
});

it.each([
	['stays fast where the service refuses the rest', 180, 'fast'],
	['is as usual again after the end', Infinity, 'usual'],
])('a fast check %s', async (_, reach, pace) => {
	const list = knownList(KNOWN, { scan: checkAt(0, { pace: 'fast' }) });
	const polled = await pollList(list, (request) =>
		request.offset > reach ? { kind: 'refused' } : pageOf(KNOWN, request),
	);
	expect(polled.checkedSince).toBeDefined();
	expect(polled.list.scan).toMatchObject({ pace });
});

describe('to be in a hurry', () => {
	it('begins a fast check', () => {
		const list = knownList(KNOWN, { scan: checkAt(180, { since: NOW - HOUR }) });
		expect(inHurry(list, NOW).scan).toMatchObject({
			...{ kind: 'check', pace: 'fast', reading: { at: 0, since: NOW } },
		});
	});

	it('changes nothing in a first reading, nor in a fast check', () => {
		const first = newList();
		const fast = knownList(KNOWN, { scan: checkAt(180, { pace: 'fast' }) });
		expect([inHurry(first, NOW), inHurry(fast, NOW)]).toEqual([first, fast]);
	});
});
