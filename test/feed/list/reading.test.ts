/** Where a reading continues after records were added above it. */
import type { Overlap } from '../../../nodes/LeadGenPublishing/feed/list/overlap';
import { hash53 } from '../../../nodes/LeadGenPublishing/feed/list/hash';
import {
	advance,
	beginReading,
	movedDown,
} from '../../../nodes/LeadGenPublishing/feed/list/reading';
import { numbered } from './lists';

const SEARCH = { kind: 'search', lastRecords: 'a', asked: 'above', pages: 1 } as const;

it.each<[string, Overlap, Overlap]>([
	[
		'joined',
		{ kind: 'joined', lastRecords: 'a', from: 90, repeats: 1 },
		{ kind: 'joined', lastRecords: 'a', from: 97, repeats: 1 },
	],
	['searching', { ...SEARCH, above: 90, below: 270 }, { ...SEARCH, above: 97, below: 277 }],
	[
		'searching up to the top',
		{ ...SEARCH, above: 0, below: 9 },
		{ ...SEARCH, above: 7, below: 16 },
	],
	[
		'searching, with nothing left above',
		{ ...SEARCH, above: 'top', below: 270 },
		{ ...SEARCH, above: 'top', below: 277 },
	],
	[
		'searching, with nothing left below',
		{ ...SEARCH, above: 90, below: 'bottom' },
		{ ...SEARCH, above: 97, below: 'bottom' },
	],
	[
		'between two places',
		{ kind: 'between', lastRecords: 'a', low: 90, high: 120 },
		{ kind: 'between', lastRecords: 'a', low: 97, high: 127 },
	],
	['looking for known records', { kind: 'known', back: 90 }, { kind: 'known', back: 90 }],
	[
		'without an overlap',
		{ kind: 'unchecked', lastRecords: '', repeats: 0 },
		{ kind: 'unchecked', lastRecords: '', repeats: 0 },
	],
])('it moves down with all that it looks for: %s', (_, overlap, moved) => {
	const reading = {
		...beginReading({ at: 180, overlap }),
		reached: 190,
		unknown: 3,
		pagesElsewhere: 2,
	};
	expect(movedDown(reading, 7)).toEqual({ ...reading, at: 187, reached: 197, overlap: moved });
	expect(movedDown(reading, 0)).toBe(reading);
});

it('it stays at the top', () => {
	const reading = beginReading({ at: 0, overlap: { kind: 'start' } });
	expect(movedDown(reading, 7)).toBe(reading);
});

describe('a page that does not continue the reading', () => {
	const view = {
		...{ offset: 90, hasMore: true, size: 20 },
		entries: numbered(20, 500).map((id) => ({ hash: hash53(id), isUnknown: true, isNews: true })),
	};
	const BETWEEN = { kind: 'between', lastRecords: 'x'.repeat(9), low: 88, high: 91 } as const;
	const LAST_RECORDS = { lastRecords: 'x'.repeat(9) };
	const searching = { ...SEARCH, ...LAST_RECORDS, asked: 'below', above: 60, below: 90 } as const;

	it.each<[string, Overlap, number]>([
		['is one step of a search', searching, 1],
		['is a whole search if that was its last page', { ...searching, pages: 24 }, 24],
		['is one step between two places', BETWEEN, 1],
		['is a whole search if the places are neighbors', { ...BETWEEN, low: 89 }, 24],
		['is one step where known records are looked for', { kind: 'known', back: 9 }, 1],
	])('%s', (_, overlap, steps) => {
		const reading = { ...beginReading({ at: 90, overlap }), pagesElsewhere: 5, unknown: 2 };
		expect(advance(reading, view, 3)).toMatchObject({
			...{
				kind: 'elsewhere',
				reading: { pagesElsewhere: 5 + steps, unknown: 5, isUnchecked: false },
			},
		});
	});

	it('is accepted after three searches, and a step for each page that was read', () => {
		const of = (pagesElsewhere: number) => {
			const reading = {
				...beginReading({ at: 90, overlap: searching }),
				reached: 150,
				pagesElsewhere,
			};
			return advance(reading, view, 3);
		};
		expect(of(81)).toMatchObject({ kind: 'elsewhere' });
		expect(of(82)).toMatchObject({
			...{ kind: 'on', reading: { isUnchecked: true, reached: 110, unknown: 3 } },
		});
	});
});
