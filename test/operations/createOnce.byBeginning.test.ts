/** Texts by which others may begin, found without a look at all of them. */
import * as fc from 'fast-check';

import { ByBeginning } from '../../nodes/LeadGenPublishing/operations/createOnce/byBeginning';

const texts = fc.array(
	fc.string({ unit: fc.constantFrom('a', 'b', '😀'), minLength: 0, maxLength: 22 }),
	{ maxLength: 60 },
);

function filing(entries: readonly string[]) {
	const filed = new ByBeginning<string>();
	for (const text of entries) filed.add(text, text);
	return (text: string) => [...filed.near(text)];
}

it('gives whatever a text begins with, as often as it was filed', () => {
	fc.assert(
		fc.property(
			texts,
			fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 30 }),
			(entries, text) => {
				const near = filing(entries)(text);
				const begun = (all: readonly string[]) => all.filter((one) => text.startsWith(one)).sort();
				expect(begun(near)).toEqual(begun(entries));
				expect(near.length).toBeLessThanOrEqual(entries.length);
			},
		),
	);
});

it('leaves out what begins in another way', () => {
	const near = filing([
		'',
		'a',
		'ab',
		'another text',
		'a post of the day, 1',
		'a post of the day, 2',
	]);
	expect(near('a post of the day, 1 of 3')).toEqual([
		...['', 'a'],
		...['a post of the day, 1', 'a post of the day, 2'],
	]);
	expect(near('ab')).toEqual(['', 'a', 'ab']);
});
