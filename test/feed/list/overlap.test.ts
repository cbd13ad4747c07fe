/** How a page continues its reading: each arrow of the drawing. */
import { hash53, spell } from '../../../nodes/LeadGenPublishing/feed/list/hash';
import {
	follow,
	placeAfter,
	type Overlap,
	type View,
} from '../../../nodes/LeadGenPublishing/feed/list/overlap';
import { HASH_LENGTH } from '../../../nodes/LeadGenPublishing/feed/list/seen';

import { numbered } from './lists';

/** A page of records by their numbers. `unknown` lists those that were not remembered. */
const view = (
	offset: number,
	ids: readonly string[],
	{ hasMore = true, unknown = [] as readonly string[], size = 20 } = {},
): View => ({
	offset,
	entries: ids.map((id) => ({
		hash: hash53(id),
		isUnknown: unknown.includes(id),
		isNews: unknown.includes(id),
	})),
	hasMore,
	size,
});

const lastRecordsOf = (...ids: string[]): string =>
	ids.map((id) => spell(hash53(id), HASH_LENGTH)).join('');

const LAST_RECORDS = lastRecordsOf('16', '17', '18', '19', '20');

/** After the page of the records 1 to 20, of which the last five are looked for again. */
const JOINED: Overlap = {
	kind: 'joined',
	lastRecords: LAST_RECORDS,
	from: 0,
	repeats: 0,
};
type Search = Extract<Overlap, { kind: 'search' }>;
const searching = (given: Pick<Search, 'above' | 'below' | 'asked'>, pages = 1): Search => ({
	kind: 'search',
	lastRecords: LAST_RECORDS,
	...given,
	pages,
});
const between = (low: number, high: number): Overlap => ({
	kind: 'between',
	lastRecords: LAST_RECORDS,
	low,
	high,
});

const FIRST = view(0, numbered(20));
/** Records that nobody has seen before. */
const STRANGE = numbered(20, 500);

it('start ──▶ joined: the page at the start is accepted, and the next one overlaps it', () => {
	expect(follow({ kind: 'start' }, FIRST)).toEqual({
		kind: 'on',
		next: { at: 15, overlap: JOINED },
	});
});

it('known ──▶ joined: a page that begins with a known record', () => {
	const page = view(100, numbered(20), { unknown: ['20'] });
	expect(follow({ kind: 'known', back: 15 }, page)).toMatchObject({
		kind: 'on',
		next: { at: 115, overlap: { kind: 'joined', from: 100 } },
	});
});

it('known ──▶ known: before an unknown record it looks further back each time', () => {
	const page = view(100, numbered(20), { unknown: ['1'] });
	expect(follow({ kind: 'known', back: 15 }, page)).toEqual({
		kind: 'elsewhere',
		next: { at: 85, overlap: { kind: 'known', back: 30 } },
	});
	expect(follow({ kind: 'known', back: 240 }, page)).toMatchObject({ next: { at: 0 } });
	// There is nothing before the start.
	const first = view(0, numbered(20), { unknown: ['1'] });
	expect(follow({ kind: 'known', back: 15 }, first).kind).toBe('on');
});

it('known ──▶ known: records without an ID do not count as the first of a page', () => {
	const { entries, ...page } = view(100, numbered(20), { unknown: ['2'] });
	const withoutId = (count: number) => entries.map((entry, at) => (at < count ? undefined : entry));
	const kinds = [1, 2, 20].map(
		(count) => follow({ kind: 'known', back: 15 }, { ...page, entries: withoutId(count) }).kind,
	);
	expect(kinds).toEqual(['elsewhere', 'on', 'elsewhere']);
});

it('joined ──▶ joined: a page that shows a last record, and records after it', () => {
	expect(follow(JOINED, view(15, numbered(20, 16)))).toMatchObject({
		kind: 'on',
		next: { at: 30, overlap: { kind: 'joined', from: 15, repeats: 0 } },
	});
	// Four of them were removed.
	expect(follow(JOINED, view(15, numbered(20, 20)))).toMatchObject({ kind: 'on' });
});

it('joined ──▶ search: after a page that shows no last record, the page above comes first', () => {
	expect(follow(JOINED, view(15, STRANGE))).toEqual({
		kind: 'elsewhere',
		next: { at: 0, overlap: searching({ above: 0, below: 30, asked: 'above' }) },
	});
	// Nothing follows the last page.
	expect(follow(JOINED, view(15, STRANGE, { hasMore: false }))).toMatchObject({
		next: { at: 0, overlap: { below: 'bottom' } },
	});
});

it('joined ──▶ repeating: the third page in a row that shows nothing after the last records', () => {
	let overlap: Overlap = JOINED;
	for (const repeats of [1, 2]) {
		const followed = follow(overlap, view(15 * repeats, numbered(20)));
		expect(followed).toMatchObject({ kind: 'on', next: { overlap: { kind: 'joined', repeats } } });
		if (followed.kind === 'on') ({ overlap } = followed.next);
	}
	expect(follow(overlap, view(45, numbered(20)))).toEqual({ kind: 'repeating' });
	// At the end of the list, that is not a repetition.
	expect(follow(overlap, view(45, numbered(20), { hasMore: false })).kind).toBe('on');
});

it('joined ──▶ joined: after a page that is not full and ends with the last records, the reading goes past the whole page', () => {
	const short = view(15, numbered(5, 16));
	expect(follow(JOINED, short)).toMatchObject({ kind: 'on', next: { at: 20 } });
});

it.each<[string, Overlap]>([
	['search', searching({ above: 0, below: 30, asked: 'above' })],
	['between', between(0, 15)],
])('%s ──▶ joined: where the last records are found with records after them', (_, overlap) => {
	expect(follow(overlap, view(7, numbered(20, 8)))).toMatchObject({
		kind: 'on',
		next: { overlap: { kind: 'joined', from: 7 } },
	});
	// At the end of the list, nothing follows them.
	expect(follow(overlap, view(7, numbered(20), { hasMore: false })).kind).toBe('on');
});

it.each<[string, Overlap, View, { at: number; overlap: Overlap }]>([
	[
		'below after a page above',
		searching({ above: 60, below: 90, asked: 'above' }),
		view(60, STRANGE),
		{ at: 90, overlap: searching({ above: 45, below: 90, asked: 'below' }, 2) },
	],
	[
		'above after a page below',
		searching({ above: 45, below: 90, asked: 'below' }, 2),
		view(90, STRANGE),
		{ at: 45, overlap: searching({ above: 45, below: 105, asked: 'above' }, 3) },
	],
	[
		'below alone where nothing is above',
		searching({ above: 0, below: 90, asked: 'above' }),
		view(0, STRANGE),
		{ at: 90, overlap: searching({ above: 'top', below: 90, asked: 'below' }, 2) },
	],
	[
		'above alone where nothing is below',
		searching({ above: 45, below: 90, asked: 'below' }),
		view(90, STRANGE, { hasMore: false }),
		{ at: 45, overlap: searching({ above: 45, below: 'bottom', asked: 'above' }, 2) },
	],
	[
		'from the start after the last page of both sides',
		searching({ above: 'top', below: 90, asked: 'below' }),
		view(90, STRANGE, { hasMore: false }),
		{ at: 0, overlap: { kind: 'start' } },
	],
	[
		'from the start after twelve pages on each side',
		searching({ above: 600, below: 900, asked: 'below' }, 24),
		view(900, STRANGE),
		{ at: 0, overlap: { kind: 'start' } },
	],
	[
		'in the middle after a page that ends with the lastRecords',
		searching({ above: 0, below: 90, asked: 'above' }),
		view(40, numbered(20)),
		{ at: 50, overlap: between(40, 60) },
	],
])('search ──▶ it goes on %s', (_, overlap, page, next) => {
	expect(follow(overlap, page)).toEqual({ kind: 'elsewhere', next });
});

it.each<[string, Overlap, View, { at: number; overlap: Overlap }]>([
	[
		'above a page without them',
		between(0, 16),
		view(8, STRANGE),
		{ at: 4, overlap: between(0, 8) },
	],
	[
		'below a page that ends with them',
		between(0, 16),
		view(8, numbered(20)),
		{ at: 12, overlap: between(8, 16) },
	],
	[
		'with the next page where two neighbours cannot overlap',
		between(8, 10),
		view(9, numbered(20)),
		{ at: 10, overlap: { kind: 'unchecked', lastRecords: '', repeats: 0 } },
	],
])('between ──▶ it looks for the last records %s', (_, overlap, page, next) => {
	expect(follow(overlap, page)).toEqual({ kind: 'elsewhere', next });
});

it('unchecked ──▶ joined: the page is accepted as it is', () => {
	expect(
		follow({ kind: 'unchecked', lastRecords: '', repeats: 0 }, view(60, STRANGE)),
	).toMatchObject({
		kind: 'on',
		next: { at: 75, overlap: { kind: 'joined', from: 60 } },
	});
});

describe('the next page', () => {
	const placesOf = (shown: ReadonlyArray<string | undefined>, size = 20) =>
		placeAfter({
			offset: 40,
			entries: shown.map((id) =>
				id === undefined ? undefined : { hash: hash53(id), isUnknown: false, isNews: false },
			),
			hasMore: true,
			size,
		});

	it('cannot overlap a page that shows hardly any of its places', () => {
		const firstOnly = ['1', ...Array<undefined>(19).fill(undefined)];
		for (const shown of [numbered(4), firstOnly, firstOnly.map(() => undefined)])
			expect(placesOf(shown)).toMatchObject({
				at: 60,
				overlap: { kind: 'unchecked', repeats: 0 },
			});
	});

	it('begins with the last record that can be identified', () => {
		const shown = [...numbered(12), ...Array<undefined>(8).fill(undefined)];
		expect(placesOf(shown)).toMatchObject({
			at: 51,
			overlap: { lastRecords: lastRecordsOf('12') },
		});
	});
});
