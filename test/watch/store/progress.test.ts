import {
	freshCheck,
	freshProgress,
	timesUpTo,
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
