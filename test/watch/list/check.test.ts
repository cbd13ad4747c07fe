/** What the complete check reads in one poll, what it makes of what it finds, and where it goes on. */
import { continueCheck } from '../../../nodes/LeadGenPublishing/watch/list/check';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import { freshCheck } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { START, uuids } from '../pollHelpers';
import { blankBetween, ids, sessionOf, type Reading } from '../readings';

const now = START + 1_000;

async function checkOf(list: readonly string[], pages: number, options: Reading = {}) {
	const { session, asked } = sessionOf(list, { now, ...options });
	const complete = await continueCheck(session, pages);
	session.finish();
	const { progress, completedCheck, notices } = session;
	const offsets = asked.map((one) => Number.parseInt(one));
	return { complete, offsets, progress, completedCheck, notices };
}

describe('a check goes on', () => {
	it('for so many pages, each from the last record of the one before', async () => {
		const { complete, offsets, progress } = await checkOf(ids, 3);
		expect([complete, offsets]).toEqual([true, [0, 99, 198]]);
		expect([progress.check.pages, progress.check.next]).toEqual([3, 298]);
		expect((await checkOf(ids, 0)).offsets).toEqual([]);
	});

	it('up to the end, and begins anew', async () => {
		const { complete, offsets, progress, completedCheck } = await checkOf(ids, Infinity);
		expect([complete, offsets]).toEqual([true, [0, 99, 198, 297, 396, 495]]);
		expect([progress.check, completedCheck?.since]).toEqual([freshCheck(now), START]);
	});

	it('until its requests are used up', async () => {
		const { complete, progress } = await checkOf(ids, 3, { maxRequests: 2 });
		expect([complete, progress.check.next]).toEqual([false, 199]);
	});

	it.each([
		[37, 0, 199],
		[38, 3, 200],
	])('after %i pages of a list of six, with %i restarts, at %i', async (pages, restarts, from) => {
		const check = { next: 200, pages, anchors: [hash53(ids[199] ?? '')] };
		const { offsets, progress } = await checkOf(ids, 1, { check });
		expect([offsets, progress.check.restarts]).toEqual([[from], restarts]);
	});
});

describe('records that a check finds', () => {
	const at = (place: number, ...news: string[]) => [
		...ids.slice(0, place),
		...news,
		...ids.slice(place),
	];

	it.each([
		['one at the end of the list', [...ids, 'a'], 450],
		['several at the end of the list', [...ids, 'a', 'b'], 450],
	])('%s show that it grows there', async (_, list, next) => {
		const { progress, completedCheck } = await checkOf(list, 1, { check: { next } });
		expect([progress.grows, progress.searching]).toEqual(['tail', undefined]);
		expect(completedCheck).toBeDefined();
	});

	it.each([
		['one before the end', at(480, 'a'), 450],
		['one before the end, and another at it', [...at(480, 'a'), 'b'], 450],
		['one at the end of a page', at(199, 'a'), 100],
	])('%s begin a search', async (_, list, next) => {
		const { progress } = await checkOf(list, 1, { check: { next } });
		expect([progress.grows, progress.searching]).toEqual(['both', now]);
	});

	it('elsewhere are noted for as long as it goes on', async () => {
		const { progress } = await checkOf(at(150, 'a'), 1, { check: { next: 100 } });
		expect(progress.check.foundElsewhere).toBe(true);
		const none = await checkOf(ids, 1, { check: { next: 100 } });
		expect(none.progress.check).not.toHaveProperty('foundElsewhere');
		expect([none.progress.grows, none.progress.searching]).toEqual([undefined, undefined]);
	});

	it('in a gap say nothing about where it grows', async () => {
		const check = { kind: 'gap', next: 100 } as const;
		const { progress } = await checkOf(at(150, 'a'), 1, { check });
		expect([progress.grows, progress.searching]).toEqual([undefined, undefined]);
	});
});

it('a gap has been read when a whole page is known', async () => {
	const check = { kind: 'gap', next: 100 } as const;
	const list = [...ids.slice(0, 150), ...uuids(20, 9), ...ids.slice(150)];
	const { complete, offsets, progress, completedCheck } = await checkOf(list, Infinity, { check });
	expect([complete, offsets]).toEqual([true, [100, 199]]);
	expect([progress.check, completedCheck]).toEqual([freshCheck(now), undefined]);
});

describe('an answer that ends the list before its known end', () => {
	const check = { next: 350, anchors: [hash53(ids[349] ?? '')], pages: 3 };

	it('by more than a page is not believed: the next poll asks again', async () => {
		const cut = await checkOf(ids.slice(0, 399), 1, { check });
		expect([cut.complete, cut.completedCheck]).toEqual([false, undefined]);
		expect(cut.progress).toMatchObject({
			...{ end: 500, doubts: 1 },
			check: { ...check, pages: 4, restarts: 0 },
		});
		const shorter = await checkOf(ids.slice(0, 400), 1, { check });
		expect([shorter.complete, shorter.progress.end]).toEqual([true, 400]);
	});

	it('is believed once five polls have met one', async () => {
		const list = ids.slice(0, 350);
		const fourth = await checkOf(list, 1, { check, doubts: 4 });
		expect([fourth.complete, fourth.progress.doubts]).toEqual([false, 5]);
		const fifth = await checkOf(list, 1, { check, doubts: 5 });
		expect([fifth.complete, fifth.progress.doubts]).toEqual([true, undefined]);
	});
});

describe('blank pages', () => {
	const believes = true;
	const blankTo = (to: number, from = 0): FetchListPage => blankBetween(ids, from, to);

	it('are doubted until five polls have met them, and accepted from then on, which is told', async () => {
		const options = { check: { next: 200 }, fetchPage: blankTo(300, 200) };
		const fourth = await checkOf([], 1, { ...options, doubts: 4 });
		expect([fourth.complete, fourth.progress.believes]).toEqual([false, undefined]);
		expect([fourth.progress.check.next, [...fourth.notices]]).toEqual([200, []]);
		const fifth = await checkOf([], 1, { ...options, doubts: 5 });
		expect([fifth.complete, fifth.progress.believes]).toEqual([true, true]);
		expect([fifth.progress.check.next, [...fifth.notices]]).toEqual([400, ['believesBlanks']]);
		const later = await checkOf([], 1, { ...options, believes });
		expect([later.complete, [...later.notices]]).toEqual([true, []]);
	});

	it('count as doubtful no more often than it takes to accept them', async () => {
		const fetchPage = blankTo(1_000);
		const { progress } = await checkOf([], 1, { fetchPage, doubts: 5 });
		expect(progress.doubts).toBe(5);
	});

	it('that are accepted are skipped, but only three in one poll', async () => {
		const three = await checkOf([], 1, { believes, fetchPage: blankTo(300) });
		expect([three.complete, three.offsets]).toEqual([true, [0, 0, 100, 200, 300]]);
		expect(three.progress.check).toMatchObject({ next: 400, doubtful: true });
		const four = await checkOf([], 1, { believes, fetchPage: blankTo(400) });
		expect([four.complete, four.offsets]).toEqual([false, [0, 0, 100, 200, 300]]);
		expect(four.progress).toMatchObject({ doubts: 1, check: { next: 300, blanks: 3 } });
	});

	it.each([
		[499, [499, 499, 599]],
		[500, [500, 500]],
	])('at %i in a list of 500 are its end, if they reach that', async (next, expected) => {
		const options = { believes, isMarked: true, check: { next, marks: true } } as const;
		const { complete, offsets, completedCheck } = await checkOf([], 1, {
			...options,
			fetchPage: blankTo(1_000),
		});
		expect([complete, offsets]).toEqual([true, expected]);
		// They may hide records.
		expect(completedCheck).toEqual({ since: START, sawEverything: false });
	});
});
