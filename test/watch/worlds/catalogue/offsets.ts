/** Promises 1, 7 and 10 where the service pages in ways of its own. */
import type { Play } from '../play';
import type { Paging } from '../playedService';
import type { World } from '../world';

const SUBJECTS = [
	{ event: 'newLead', word: 'leads', count: 730 },
	{ event: 'newLead', word: 'leads', count: 3_000 },
	{ event: 'newActivity', word: 'comments', count: 400 },
	{ event: 'postStatusChanged', word: 'posts', count: 300 },
];

/** Something new at the head, or a change of any record. */
async function news(play: Play, rounds: number): Promise<void> {
	for (let round = 0; round < rounds; round++) {
		if (play.isOfChanges)
			play.change(play.some(), { status: round % 2 === 0 ? 'scheduled' : 'published' });
		else play.add(1 + (round % 3));
		await play.polls(12);
	}
	if (play.isOfChanges) await play.polls(60);
}

const rounded = (step: number, saysRounded: boolean): World[] =>
	SUBJECTS.map(({ event, word, count }) => ({
		name: `offsets rounded to ${step}${saysRounded ? ', and says so' : ''}: ${count} ${word}`,
		about: 'Promise 1: a first reading that cannot get on never counts as complete.',
		trigger: { event },
		seeds: 1,
		service: { paging: { roundsTo: step, saysRounded } },
		story: async (play) => {
			play.existing(count);
			await play.baseline(90);
			await news(play, 6);
		},
		errors: [{ says: /./, atMost: 3 }],
	}));

const wholePages = (mostOnPage: number): World[] =>
	SUBJECTS.map(({ event, word, count }) => ({
		name: `offsets within a page of ${mostOnPage} refused: ${count} ${word}`,
		about: 'Promise 1 and 10: a service that takes whole pages only is watched completely.',
		trigger: { event },
		seeds: 1,
		service: { paging: { mostOnPage, refusesOdd: true } },
		story: async (play) => {
			play.existing(count);
			await play.baseline(90);
			await news(play, 6);
			await play.idlePolls(60);
		},
		errors: [{ says: /./, atMost: 0 }],
	}));

const damagedAndRounded = (step: number): World => ({
	name: `offsets rounded to ${step}: damaged state`,
	about: 'Promise 2 and 10: after damage, known records do not come again.',
	seeds: 2,
	service: { paging: { roundsTo: step } },
	story: async (play) => {
		play.existing(730);
		await play.baseline(90);
		await play.damage('all');
		await play.polls(90);
		await news(play, 4);
	},
	errors: [
		{ says: /damage/i, atLeast: 1 },
		{ says: /./, atMost: 4 },
	],
});

const odd = (
	name: string,
	about: string,
	given: { paging: Paging; count: number; idle: number; errors: number },
): World => ({
	name,
	about,
	seeds: 2,
	service: { paging: given.paging, times: { created: true } },
	story: async (play) => {
		play.existing(given.count);
		await play.baseline(120);
		await news(play, 6);
		await play.idlePolls(60);
	},
	bounds: { meanIdleRequests: given.idle },
	errors: [{ says: /./, atLeast: given.errors, atMost: 4 }],
});

const blank = (name: string, count: number): World => ({
	name,
	about:
		'Promise 7: an empty list that announces more is reported within an hour. Promise 1 afterwards.',
	modes: ['L', 'D-', 'D+'],
	seeds: 1,
	story: async (play) => {
		play.existing(count);
		play.service.isBlank = count === 0;
		await play.baseline(30);
		play.service.isBlank = true;
		await play.polls(60);
		play.mustHold('a list that hides its records is reported within an hour', play.said.length > 0);
		await play.polls(120);
		play.service.isBlank = false;
		await play.polls(20);
		await news(play, 6);
	},
	errors: [{ says: /./, atMost: 6 }],
});

export const OFFSETS: readonly World[] = [
	...[20, 50, 100].flatMap((step) => [...rounded(step, false), ...rounded(step, true)]),
	...[20, 100].map(damagedAndRounded),
	...[20, 100].flatMap(wholePages),
	odd('offsets ignored', 'Promise 7: a list that shows its first page only is reported.', {
		paging: { ignoresOffset: true },
		count: 300,
		idle: 3,
		errors: 1,
	}),
	odd('offsets refused above 200', 'Promise 7: what is out of reach is reported.', {
		paging: { refusesAbove: 200 },
		count: 730,
		idle: 3,
		errors: 1,
	}),
	odd('offsets refused above 50', 'Promise 7: what is out of reach is reported.', {
		paging: { refusesAbove: 50 },
		count: 730,
		idle: 3,
		errors: 1,
	}),
	odd('more is always announced: 50 leads', 'Promise 8: an end that is not said is found.', {
		paging: { alwaysMore: true },
		count: 50,
		idle: 3,
		errors: 0,
	}),
	odd('more is always announced: 730 leads', 'Promise 8: an end that is not said is found.', {
		paging: { alwaysMore: true },
		count: 730,
		idle: 3,
		errors: 0,
	}),
	odd('pages of 20', 'Promise 1: fewer records than asked for.', {
		paging: { mostOnPage: 20 },
		count: 400,
		idle: 4,
		errors: 0,
	}),
	odd('pages of 20, offsets rounded to 20', 'Promise 1: fewer records than asked for.', {
		paging: { mostOnPage: 20, roundsTo: 20 },
		count: 400,
		idle: 4,
		errors: 0,
	}),
	odd('pages of 3', 'Promise 1: far fewer records than asked for.', {
		paging: { mostOnPage: 3 },
		count: 60,
		idle: 6,
		errors: 0,
	}),
	blank('blank for ever from the start', 0),
	blank('blank for ever: a known list', 120),
];
