/** How a page continues the reading that it belongs to: each row of the drawing. */
import { hash53, spell } from '../../nodes/LeadGenPublishing/listdiff/hash';
import {
	follow,
	placeAfter,
	type Joint,
	type View,
} from '../../nodes/LeadGenPublishing/listdiff/joint';
import { HASH_LENGTH } from '../../nodes/LeadGenPublishing/listdiff/seen';

import { numbered } from './lists';

/** A page of records by their numbers; `unknown` are those that were not remembered. */
const view = (
	offset: number,
	ids: readonly string[],
	{ hasMore = true, unknown = [] as readonly string[], size = 20 } = {},
): View => ({
	offset,
	entries: ids.map((id) => ({ hash: hash53(id), isUnknown: unknown.includes(id) })),
	hasMore,
	size,
});

const anchorsOf = (...ids: string[]): string =>
	ids.map((id) => spell(hash53(id), HASH_LENGTH)).join('');

/** After the page of the records 1 to 20, of which the last five are looked for again. */
const JOINED: Joint = {
	kind: 'joined',
	anchors: anchorsOf('16', '17', '18', '19', '20'),
	from: 0,
	repeats: 0,
};
const searching = (low: number, high: number, isLowSure = false): Joint => ({
	kind: 'search',
	anchors: anchorsOf('16', '17', '18', '19', '20'),
	low,
	high,
	isLowSure,
});

const FIRST = view(0, numbered(20));
/** Records that nobody has seen before. */
const STRANGE = numbered(20, 500);

it('start ──▶ joined: the page at the start is right as it is, and the next one overlaps it', () => {
	expect(follow({ kind: 'start' }, FIRST)).toEqual({
		kind: 'on',
		next: { at: 15, joint: JOINED },
	});
});

it('known ──▶ joined: a page that begins with a known record', () => {
	const page = view(100, numbered(20), { unknown: ['20'] });
	expect(follow({ kind: 'known', back: 15 }, page)).toMatchObject({
		kind: 'on',
		next: { at: 115, joint: { kind: 'joined', from: 100 } },
	});
});

it('known ──▶ known: before an unknown record it looks further back each time', () => {
	const page = view(100, numbered(20), { unknown: ['1'] });
	expect(follow({ kind: 'known', back: 15 }, page)).toEqual({
		kind: 'apart',
		next: { at: 85, joint: { kind: 'known', back: 30 } },
	});
	expect(follow({ kind: 'known', back: 240 }, page)).toMatchObject({ next: { at: 0 } });
	// There is nothing before the start.
	const first = view(0, numbered(20), { unknown: ['1'] });
	expect(follow({ kind: 'known', back: 15 }, first).kind).toBe('on');
});

it('joined ──▶ joined: a page that shows an anchor, and records after it', () => {
	expect(follow(JOINED, view(15, numbered(20, 16)))).toMatchObject({
		kind: 'on',
		next: { at: 30, joint: { kind: 'joined', from: 15, repeats: 0 } },
	});
	// Four of them have gone.
	expect(follow(JOINED, view(15, numbered(20, 20)))).toMatchObject({ kind: 'on' });
});

it('joined ──▶ search: a page that shows no anchor', () => {
	expect(follow(JOINED, view(15, STRANGE))).toEqual({
		kind: 'apart',
		next: { at: 7, joint: searching(0, 15) },
	});
});

it('joined ──▶ stuck: the third page in a row that shows nothing after the anchors', () => {
	let joint: Joint = JOINED;
	for (const repeats of [1, 2]) {
		const followed = follow(joint, view(15 * repeats, numbered(20)));
		expect(followed).toMatchObject({ kind: 'on', next: { joint: { kind: 'joined', repeats } } });
		if (followed.kind === 'on') ({ joint } = followed.next);
	}
	expect(follow(joint, view(45, numbered(20)))).toEqual({ kind: 'stuck' });
	// At the end of the list, it is no repetition.
	expect(follow(joint, view(45, numbered(20), { hasMore: false })).kind).toBe('on');
});

it('joined ──▶ joined: a page that is not full and ends with the anchors is left behind as a whole', () => {
	const short = view(15, numbered(5, 16));
	expect(follow(JOINED, short)).toMatchObject({ kind: 'on', next: { at: 20 } });
});

it('search ──▶ joined: where the anchors are found with records after them', () => {
	expect(follow(searching(0, 15), view(7, numbered(20, 8)))).toMatchObject({
		kind: 'on',
		next: { joint: { kind: 'joined', from: 7 } },
	});
});

it.each<[string, Joint, View, { at: number; joint: Joint }]>([
	[
		'below a page without the anchors',
		searching(0, 16),
		view(8, STRANGE),
		{ at: 4, joint: searching(0, 8) },
	],
	[
		'above a page that ends with the anchors',
		searching(0, 16),
		view(8, numbered(20)),
		{ at: 12, joint: searching(8, 16, true) },
	],
	[
		'four pages before one that has lost them, too',
		searching(200, 201),
		view(200, STRANGE),
		{ at: 160, joint: searching(120, 200) },
	],
	[
		'from the start where there are no four pages before it',
		searching(40, 41),
		view(40, STRANGE),
		{ at: 0, joint: { kind: 'start' } },
	],
])('search ──▶ search: it goes on %s', (_, joint, page, next) => {
	expect(follow(joint, page)).toEqual({ kind: 'apart', next });
});

it('search ──▶ loose: where two neighbours cannot overlap', () => {
	expect(follow(searching(8, 10, true), view(9, numbered(20)))).toEqual({
		kind: 'apart',
		next: { at: 10, joint: { kind: 'loose' } },
	});
});

it('loose ──▶ joined: the page is taken as it is', () => {
	expect(follow({ kind: 'loose' }, view(60, STRANGE))).toMatchObject({
		kind: 'on',
		next: { at: 75, joint: { kind: 'joined', from: 60 } },
	});
});

describe('the next page', () => {
	const placesOf = (shown: ReadonlyArray<string | undefined>, size = 20) =>
		placeAfter({
			offset: 40,
			entries: shown.map((id) =>
				id === undefined ? undefined : { hash: hash53(id), isUnknown: false },
			),
			hasMore: true,
			size,
		});

	it('of a page that shows hardly any of its places cannot overlap it', () => {
		expect(placesOf(numbered(4))).toEqual({ at: 60, joint: { kind: 'loose' } });
	});

	it('begins with the last record that can be told from others', () => {
		const shown = [...numbered(12), ...Array<undefined>(8).fill(undefined)];
		expect(placesOf(shown)).toMatchObject({ at: 51, joint: { anchors: anchorsOf('12') } });
	});
});
