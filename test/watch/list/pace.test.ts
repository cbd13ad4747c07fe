/** How many pages of the complete check are due, from the settings and the length of the list. */
import {
	isOnePage,
	pagesDue,
	pagesOf,
	paceFor,
	type CheckPace,
} from '../../../nodes/LeadGenPublishing/watch/list/pace';
import { freshCheck, type Progress } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { START } from '../pollHelpers';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

it.each<[number | undefined, CheckPace]>([
	[undefined, { every: 6 * HOUR, maxPages: 1, maxPagesWhenSearching: 10 }],
	[0, { maxPages: 1, maxPagesWhenSearching: 10 }],
	[1, { every: HOUR, maxPages: Infinity, maxPagesWhenSearching: 10 }],
	[0.5, { every: 30 * MINUTE, maxPages: Infinity, maxPagesWhenSearching: 10 }],
])('Complete Check Every (Hours) of %s: %j', (hours, pace) => {
	expect(paceFor(hours)).toEqual(pace);
});

it.each([
	[0, 100, 1],
	[99, 100, 1],
	[100, 100, 2],
	[198, 100, 2],
	[199, 100, 3],
	[5, 2, 5],
	[5, 1, 5],
	[5, 3, 3],
])('%i records in pages of %i that overlap by one are %i pages', (end, limit, pages) => {
	expect(pagesOf({ end, limit, check: freshCheck(START) })).toBe(pages);
});

it.each([
	[100, true],
	[101, false],
])('%i records are one page of 100: %s', (end, expected) => {
	expect(isOnePage({ end, limit: 100, check: freshCheck(START) })).toBe(expected);
});

describe('pages are due', () => {
	const due = (end: number, ms: number, hours?: number, pages = 0): number => {
		const progress: Progress = { end, limit: 100, check: { ...freshCheck(START), pages } };
		return pagesDue(progress, paceFor(hours), START + ms);
	};

	it('once an hour of a list of one page, more often if that is asked for', () => {
		expect([due(50, HOUR - 1), due(50, HOUR)]).toEqual([0, 1]);
		expect([due(50, 30 * MINUTE - 1, 0.5), due(50, 30 * MINUTE, 0.5)]).toEqual([0, 1]);
		expect([due(50, HOUR - 1, 2), due(50, HOUR, 2)]).toEqual([0, 1]);
	});

	it('spread over the time of a check, one after the other', () => {
		// 600 records are seven pages.
		expect([due(600, 2 * HOUR - 1, 14), due(600, 2 * HOUR, 14)]).toEqual([0, 1]);
		expect([due(600, 4 * HOUR - 1, 14, 1), due(600, 4 * HOUR, 14, 1)]).toEqual([0, 1]);
		expect(due(600, 14 * HOUR, 14, 2)).toBe(5);
		expect(due(600, 14 * HOUR, 14, 9)).toBe(0);
	});

	it('not more than one at a time, as long as no hours are asked for', () => {
		expect([due(600, 100 * HOUR), due(600, 0, 0)]).toEqual([1, 1]);
	});
});
