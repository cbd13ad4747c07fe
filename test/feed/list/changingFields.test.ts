import {
	leftOut,
	changingFieldsAfter,
	withPageOf,
	type ChangingField,
} from '../../../nodes/LeadGenPublishing/feed/list/changingFields';
import type { SeenRecord } from '../../../nodes/LeadGenPublishing/feed/list/progress';

const DAY = 24 * 3_600_000;

const met = (hash: number, changed: readonly string[], isKnown = true): SeenRecord => ({
	hash,
	value: 'b',
	known: isKnown ? 'a' : undefined,
	part: 'head',
	position: hash,
	isExisting: false,
	createdAt: undefined,
	changed,
	isLeftOut: false,
});

const pageOf = (first: number, count: number, changed: readonly string[]): SeenRecord[] =>
	Array.from({ length: count }, (_, at) => met(first + at, changed));

/** The fields after these polls, a day apart unless told, in which all records were learned. */
const after = (pages: readonly SeenRecord[][], every = DAY / 24): readonly ChangingField[] =>
	pages.reduce<readonly ChangingField[]>(
		(before, page, at) =>
			changingFieldsAfter(before, {
				together: withPageOf(new Map(), page),
				learned: new Map(page.map(({ hash }) => [hash, true])),
				now: at * every,
			}),
		[],
	);

describe('a field is left out', () => {
	it('when all records of a page have changed in three polls', () => {
		const page = pageOf(1, 10, ['name', 'emails']);
		expect(leftOut(after([page, page]))).toEqual([]);
		expect(leftOut(after([page, page, page]))).toEqual(['name', 'emails']);
	});

	it.each([
		['if there are only four records', pageOf(1, 4, ['name'])],
		['if one of them is the same', [...pageOf(1, 9, ['name']), met(10, [])]],
		[
			'if these are unknown records',
			pageOf(1, 10, ['name']).map(({ hash }) => met(hash, ['name'], false)),
		],
	])('but not %s', (_, page) => {
		expect(after([page, page, page])).toEqual([]);
	});

	it('but not if other records have changed each time', () => {
		const pages = [1, 11, 21, 31].map((first) => pageOf(first, 10, ['name']));
		expect(leftOut(after(pages))).toEqual([]);
	});

	it('but not if they wait for a batch, and differ because of the same change', () => {
		const together = withPageOf(new Map(), pageOf(1, 10, ['name']));
		const waiting = { together, learned: new Map<number, true>(), now: 0 };
		expect(changingFieldsAfter([], waiting)).toEqual([]);
		const before = { name: 'name', polls: 2, records: [1], at: 0 };
		expect(changingFieldsAfter([before], waiting)).toEqual([before]);
	});

	it('but not if two days pass between the polls', () => {
		const page = pageOf(1, 10, ['name']);
		expect(leftOut(after([page, page, page, page], 2 * DAY))).toEqual([]);
	});

	it('until it has been steady for two days', () => {
		const changing = pageOf(1, 10, ['name']);
		const steady = pageOf(1, 10, []);
		const before = [changing, changing, changing, changing];
		expect(leftOut(after([...before, steady], DAY))).toEqual(['name']);
		expect(leftOut(after([...before, steady, steady], DAY))).toEqual([]);
	});
});
