/** Promises 4 and 5 with unusual times, and other oddities of a list. */
import type { Play } from '../play';
import { DAY, HOUR, MINUTE, START } from '../virtualTime';
import { PRINTED_ONLY, type World } from '../world';

/** By then, two complete checks of 250 leads have ended. */
const UNTIL_CHECKED = 130;
/** The report about records that are held back: after the first hours, and once more. */
const HELD_BACK = [{ says: /appeared after the list was first read/, atLeast: 1, atMost: 2 }];

/** `isOld`: until the first day is over, only its appearance tells that a lead is new. */
const newsAfterPublishing = async (play: Play, isOld = false): Promise<void> => {
	play.existing(250);
	await play.publish();
	const newness = isOld ? 'may' : 'must';
	await play.polls(150, (at) => {
		if (at % 9 === 4) play.add(1, { within: 6, newness });
	});
	await play.restart();
	await play.polls(70);
};

const writes = (name: string, write: (time: number) => unknown): World => ({
	name: `creation times are written as ${name}`,
	about: 'Promise 1 before promise 4: a time that tells little holds nothing back for ever.',
	modes: ['L', 'D+'],
	seeds: 2,
	service: { times: { created: true, write } },
	story: async (play) => await newsAfterPublishing(play),
});

const writesOneMoment: World = {
	...writes('the same moment for all', () => new Date(START - DAY).toISOString()),
	story: async (play) => {
		await newsAfterPublishing(play, true);
		await play.polls(1_440);
		play.add(2, { within: 10 });
		await play.polls(30);
	},
	errors: HELD_BACK,
};

const two = (value: number): string => String(value).padStart(2, '0');
function localText(time: number): string {
	const date = new Date(time);
	const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
	return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}

const visibleLater = (minutes: number): World => ({
	name: `leads become visible ${minutes} min after their creation`,
	about: 'Promise 1: what a service collects is older than when it shows it.',
	modes: ['L', 'D+'],
	seeds: 2,
	service: { times: { created: true } },
	story: async (play) => {
		play.existing(250);
		await play.publish();
		await play.polls(200, (at) => {
			// Records created before the trigger was published are held back at first.
			const newness = at < Math.min(minutes, UNTIL_CHECKED) ? 'may' : 'must';
			if (at % 9 === 4) play.add(1, { createdAgo: minutes * MINUTE, within: 6, newness });
		});
		await play.polls(20);
	},
	...(minutes > 4 ? { errors: HELD_BACK } : {}),
});

const strangeDate = (name: string, ahead: (play: Play) => number, isPrinted = false): World => ({
	name: `the Date of an answer is ${name}`,
	about: 'Promise 1 and 10: no clock keeps a lead back.',
	modes: ['L', 'D+'],
	seeds: 2,
	service: { times: { created: true } },
	story: async (play) => {
		play.service.dateIsAhead = () => ahead(play);
		await newsAfterPublishing(play);
		play.service.dateIsAhead = () => 0;
		await play.polls(100, (at) => {
			if (at % 9 === 4) play.add(1, { within: 6 });
		});
	},
	...(isPrinted ? { bounds: PRINTED_ONLY, errors: HELD_BACK } : {}),
});

const updateTimes = (
	name: string,
	event: 'leadChanged' | 'postStatusChanged',
	updatedAt: (version: number, at: number) => number | undefined,
	isPrinted = false,
): World => ({
	name: `${event}: ${name}`,
	about: 'Promise 1 before promise 5: a change is an event, whatever the update time says.',
	trigger: { event },
	modes: ['L', 'D+'],
	seeds: 2,
	service: {
		times: {
			created: true,
			updated: true,
			updatedAt: (_, { number, at }) => updatedAt(number, at),
		},
	},
	story: async (play) => {
		play.existing(90);
		await play.baseline(30);
		await play.polls(120, (at) => {
			if (at % 6 !== 0) return;
			const status = ['scheduled', 'published', 'draft'][(at / 6) % 3];
			const fields = event === 'leadChanged' ? { latest_keyword: `word ${at}` } : { status };
			play.change(play.list().rows[(at / 6) % 5] ?? play.some(), fields, { within: 5 });
		});
		await play.polls(20);
	},
	...(isPrinted ? { bounds: PRINTED_ONLY } : {}),
});

export const ODDITIES: readonly World[] = [
	writes('a day', (time) => new Date(time).toISOString().slice(0, 10)),
	writes('a minute', (time) => `${new Date(time).toISOString().slice(0, 16)}Z`),
	writes('seconds since 1970', (time) => Math.floor(time / 1_000)),
	writes('milliseconds since 1970', (time) => time),
	{
		...writes('a text without a zone', localText),
		errors: [{ says: /times without a time zone/, atLeast: 1, atMost: 2 }],
	},
	writes('another zone', (time) => new Date(time - 5 * HOUR).toISOString().replace('Z', '-05:00')),
	writes('nothing that is a time', () => 'recently'),
	writes('null', () => null),
	writesOneMoment,
	visibleLater(2),
	visibleLater(15),
	visibleLater(120),
	strangeDate('a year ahead once', (play) => (play.service.requests === 40 ? 365 * DAY : 0)),
	strangeDate(
		'a year ahead at first',
		(play) => (play.service.requests <= 3 ? 365 * DAY : 0),
		true,
	),
	strangeDate('a day ahead now and then', (play) => (play.service.requests % 10 === 0 ? DAY : 0)),
	strangeDate('a day behind, always', () => -DAY),
	strangeDate('a day ahead, always', () => DAY, true),
	updateTimes('the update time never changes', 'leadChanged', () => START - DAY),
	updateTimes('the update time never changes', 'postStatusChanged', () => START - DAY),
	updateTimes(
		'the update time is a second coarse',
		'leadChanged',
		(_, at) => Math.floor(at / 1e3) * 1e3,
	),
	updateTimes(
		'the update time is a day coarse',
		'postStatusChanged',
		(_, at) => Math.floor(at / DAY) * DAY,
	),
	updateTimes('only some versions have an update time', 'leadChanged', (version, at) =>
		version % 2 === 0 ? at : undefined,
	),
	updateTimes(
		'update times of two clocks',
		'leadChanged',
		(version, at) => at - (version % 2) * HOUR,
		true,
	),
	{
		name: 'update times that change without a change',
		about: 'Promise 5: no event.',
		trigger: { event: 'leadChanged' },
		seeds: 2,
		service: { times: { updated: true } },
		story: async (play) => {
			play.existing(90);
			await play.baseline(10);
			await play.polls(60, (at) => {
				// A new version with the same fields.
				play.change(play.some(), { headline: `seen ${at}` }, { isDue: false });
			});
		},
	},
	{
		name: 'offsets that are no whole pages are refused, 730 leads',
		about: 'Promise 1 and 3: the document adds the limit to the offset.',
		modes: ['L', 'D+'],
		seeds: 2,
		service: { paging: { refusesOdd: true } },
		story: async (play) => {
			play.existing(730);
			await play.baseline(120);
			await play.polls(100, (at) => {
				if (at % 9 === 4) play.add(1);
			});
			play.add(150);
			await play.polls(70);
		},
		errors: [{ says: /./, atMost: 0 }],
	},
	{
		name: 'offsets that are no whole pages are refused, news at the tail',
		about: 'Promise 1 and 3: the document adds the limit to the offset.',
		seeds: 2,
		service: { order: 'oldest', paging: { refusesOdd: true } },
		story: async (play) => {
			play.existing(730);
			await play.baseline(120);
			await play.polls(100, (at) => {
				if (at % 9 === 4) play.add(1);
			});
			play.add(150);
			await play.polls(70);
		},
		errors: [{ says: /./, atMost: 0 }],
	},
	...[100, 200].map((size): World => ({
		name: `exactly ${size} leads`,
		about: 'Promise 2 and 8: a last page that is full.',
		seeds: 1,
		story: async (play) => {
			play.existing(size);
			await play.baseline(70);
			await play.idlePolls(60);
			for (let round = 0; round < 10; round++) {
				play.add(1);
				await play.polls(6);
				play.remove(play.list().rows.at(-1) ?? play.some());
				await play.polls(6);
			}
		},
		bounds: { idleRequests: 3 },
	})),
	{
		name: 'leads that come and go every two hours, for 45 days',
		about: 'Promise 2: one that was delivered does not become new again.',
		every: 60,
		seeds: 1,
		service: { times: { created: true } },
		story: async (play) => {
			play.existing(150);
			await play.baseline(10);
			play.add(10);
			await play.polls(8);
			const flapping = new Set(
				play
					.list()
					.rows.slice(0, 30)
					.map(({ id }) => id),
			);
			let isHidden = false;
			play.service.alter = (page) =>
				isHidden
					? {
							records: page.records.filter(
								(text) => !flapping.has((JSON.parse(text) as { id: string }).id),
							),
							hasMore: page.hasMore,
						}
					: page;
			await play.polls(45 * 24, (at) => {
				isHidden = at % 4 < 2;
			});
		},
	},
];
