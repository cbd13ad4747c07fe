/** All sentences of the product are plain English. `.ci/habits.json` lists the habits to avoid. */
import { writeFileSync } from 'node:fs';

import HABITS from '../../.ci/habits.json';
import { everySentence, habitsIn } from '../support/sentences';

const sentences = everySentence();

// SENTENCES=FILE writes them to a file, to be read one by one.
if (process.env.SENTENCES !== undefined) {
	const lines = sentences.map(({ place, text }) => `${place}: ${text}\n`);
	writeFileSync(process.env.SENTENCES, [...new Set(lines)].join(''));
}

it('panels, credential, announcements and examples have none of the habits', () => {
	const found = sentences.flatMap(({ place, text }) =>
		habitsIn(text).map((habit) => `${place}: ${habit} in "${text}"`),
	);
	expect(found).toEqual([]);
});

it('every part of the product is read', () => {
	const places = sentences.map(({ place }) => place.split(/[./]/)[0] ?? '');
	expect([...new Set(places)]).toEqual(
		expect.arrayContaining(['action', 'trigger', 'credential', 'examples', 'list-full']),
	);
	expect(sentences.length).toBeGreaterThan(800);
});

it.each([
	['The list begins anew.', 'anew'],
	['A hash beside the ID.', 'beside'],
	['It ends by itself.', 'by itself'],
	['It was carried out.', 'carried out'],
	['They carry it out.', 'carry it out'],
	['A kill loses and stops no other.', 'stops no other'],
	['The user is told.', 'is told'],
	['Look whether it opens.', 'Look whether'],
	['It mends the state.', 'mends'],
	['The record is passed over.', 'passed over'],
	['Wait so as not to lose it.', 'so as not to'],
	['A change is under way.', 'under way'],
	['Whoever has it can read it.', 'Whoever'],
	['It ends. What it\nhas counts.', '. What it has'],
])('"%s" has a habit', (text, habit) => {
	expect(habitsIn(text)).toEqual([expect.stringContaining(`"${habit}" →`)]);
});

it.each(['What is new?', 'It says what it has.', 'It has no ID.', 'A passed test is over.'])(
	'"%s" has none',
	(text) => {
		expect(habitsIn(text)).toEqual([]);
	},
);

it('the list is short, and says what to write instead', () => {
	expect(HABITS.length).toBeLessThan(20);
	expect(HABITS.filter(({ instead }) => instead === '')).toEqual([]);
});
