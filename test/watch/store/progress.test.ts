import {
	combineGrowth,
	freshCheck,
	freshPlace,
	freshProgress,
	timesUpTo,
	withoutEnds,
	type Growth,
	type Progress,
} from '../../../nodes/LeadGenPublishing/watch/store/progress';

const NOW = 1_000;

it.each([
	[NOW - 1, NOW - 1],
	[NOW, NOW],
	[NOW + 1, NOW],
	[NOW + 1e9, NOW],
])('a time of %i, read at 1,000, counts as %i', (at, expected) => {
	const progressAt = (time: number): Progress => ({
		...freshProgress(0),
		check: { ...freshCheck(time), next: 7 },
		searching: time,
		fullToldAt: time,
	});
	const progress = progressAt(at);
	expect(timesUpTo(NOW, progress)).toEqual(progressAt(expected));
	expect(progress).toEqual(progressAt(at));
});

it('gives no times that were not there', () => {
	expect(timesUpTo(NOW, freshProgress(0))).toStrictEqual(freshProgress(0));
});

it('a list that is new is read from its beginning, by a first scan and then by checks', () => {
	const place = { next: 0, anchors: [], restarts: 0 };
	const check = { ...place, kind: 'paced', since: NOW, pages: 0 };
	expect(freshPlace()).toEqual(place);
	expect(freshCheck(NOW)).toEqual(check);
	const baseline = { ...place, pages: 0, passes: 0, news: false };
	expect(freshProgress(NOW)).toEqual({ end: 0, limit: 100, baseline, check });
	expect(freshProgress(NOW, 25)).toEqual({ end: 0, limit: 25, baseline, check });
});

it('without its ends it knows neither, and all else as before', () => {
	const progress: Progress = { ...freshProgress(NOW), end: 7, waiting: 2 };
	expect(withoutEnds({ ...progress, first: 1, last: 2 })).toStrictEqual(progress);
	const given = { ...progress, first: 1, last: 2 };
	withoutEnds(given);
	expect(given).toEqual({ ...progress, first: 1, last: 2 });
});

it.each<[Growth | undefined, Growth | undefined, Growth | undefined]>([
	[undefined, undefined, undefined],
	['head', undefined, 'head'],
	['head', 'head', 'head'],
	['tail', 'tail', 'tail'],
	['head', 'tail', 'both'],
	['both', 'head', 'both'],
	['both', 'both', 'both'],
])('growth at %s and at %s is growth at %s', (one, other, expected) => {
	expect([combineGrowth(one, other), combineGrowth(other, one)]).toEqual([expected, expected]);
});
