/** Where a reading continues after records were added above it. */
import type { Joint } from '../../nodes/LeadGenPublishing/listdiff/joint';
import { beginReading, movedDown } from '../../nodes/LeadGenPublishing/listdiff/reading';

const SEARCH = { kind: 'search', anchors: 'a', asked: 'above', pages: 1 } as const;

it.each<[string, Joint, Joint]>([
	[
		'joined',
		{ kind: 'joined', anchors: 'a', from: 90, repeats: 1 },
		{ kind: 'joined', anchors: 'a', from: 97, repeats: 1 },
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
		{ kind: 'between', anchors: 'a', low: 90, high: 120 },
		{ kind: 'between', anchors: 'a', low: 97, high: 127 },
	],
	['looking for known records', { kind: 'known', back: 90 }, { kind: 'known', back: 90 }],
	['without an overlap', { kind: 'loose' }, { kind: 'loose' }],
])('it moves down with all that it looks for: %s', (_, joint, moved) => {
	const reading = { ...beginReading({ at: 180, joint }), reached: 190, unknown: 3, astray: 2 };
	expect(movedDown(reading, 7)).toEqual({ ...reading, at: 187, reached: 197, joint: moved });
	expect(movedDown(reading, 0)).toBe(reading);
});

it('it stays at the top', () => {
	const reading = beginReading({ at: 0, joint: { kind: 'start' } });
	expect(movedDown(reading, 7)).toBe(reading);
});
