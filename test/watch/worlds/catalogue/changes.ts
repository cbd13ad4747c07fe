/** Events of changes: Has Email, words about the change, keys, and the filters of changes. */
import type { Play } from '../play';
import type { Fields } from '../records';
import type { World } from '../world';

const emails = (submitted: string | null): Fields => ({
	emails: { submitted, work: null, personal: null },
});
const NOBODY = emails(null);

const hasEmail = (size: number, wanted: boolean): World => ({
	name: `Lead Changed, Has Email ${wanted ? 'on' : 'off'}: ${size} leads gain and lose their email`,
	about: 'Events: a lead that gains or loses its email is a change.',
	trigger: { event: 'leadChanged' },
	filters: { hasEmail: wanted },
	seeds: 2,
	service: { times: { updated: true } },
	story: async (play) => {
		const without = play.existing(size / 2, { fields: NOBODY });
		const having = play.existing(size / 2);
		await play.baseline(130);
		for (let round = 0; round < 6; round++) {
			const [gains, loses] = [without[7 * round + 3], having[5 * round + 2]];
			if (gains === undefined || loses === undefined) return;
			play.change(gains, emails('gained@example.com'));
			play.change(loses, NOBODY);
			const [far, near] = wanted
				? [without[7 * round + 5], having[5 * round + 4]]
				: [having[5 * round + 4], without[7 * round + 5]];
			// A lead that the filter rejects both before and after the change does not count.
			if (far !== undefined) play.change(far, { latest_keyword: `far ${round}` }, { isDue: false });
			if (near !== undefined) play.change(near, { latest_keyword: `near ${round}` });
			await play.polls(70);
			play.change(gains, NOBODY);
			await play.polls(70);
		}
	},
});

const toAndFro = (event: string, size: number, first: Fields, second: Fields): World => ({
	name: `${event} to and fro, ${size} records, no update time`,
	about: 'Promise 5: no two different changes share a dedupe_key. Words about the change are true.',
	trigger: { event },
	needs: [event],
	modes: ['L', 'D-', 'D+'],
	seeds: 2,
	story: async (play) => {
		const rows = play.existing(size);
		await play.baseline(130);
		const chosen = [rows[0], rows[Math.floor(size / 2)], rows.at(-1)];
		for (let round = 0; round < 10; round++) {
			for (const row of chosen)
				if (row !== undefined) play.change(row, round % 2 === 0 ? first : second);
			await play.polls(size > 100 ? 65 : 3);
			if (round === 5) await play.restart();
		}
	},
});

/** Each field changes alone; only the chosen ones are delivered. */
const chosenFields = (
	chosen: string[],
	changes: ReadonlyArray<readonly [string, Fields]>,
): World => ({
	name: `Lead Changed, only ${chosen.join(' and ')}`,
	about: 'Events: only when one of the chosen fields changed.',
	trigger: { event: 'leadChanged' },
	filters: { changedFields: chosen },
	needs: ['changedFields'],
	modes: ['L', 'D+'],
	seeds: 2,
	service: { times: { updated: true } },
	story: async (play) => {
		const rows = play.existing(90);
		await play.baseline(10);
		for (let round = 0; round < 4; round++) {
			for (const [at, [field, fields]] of changes.entries()) {
				const row = rows[10 * round + at];
				if (row === undefined) continue;
				play.change(row, fields, { isDue: chosen.includes(field) });
				await play.polls(2);
			}
			if (round === 2) await play.restart();
		}
		// First a field that was not chosen, later one that was: only the second is reported.
		const row = rows.at(-1);
		if (row === undefined) return;
		play.change(row, { qualification_status: 'lost' }, { isDue: chosen.includes('qualification') });
		await play.polls(3);
		play.change(row, emails('later@example.com'), { isDue: chosen.includes('email') });
		await play.polls(3);
	},
});

const FIELD_CHANGES = [
	['email', emails('changed@example.com')],
	['keyword', { latest_keyword: 'changed' }],
	['intent', { has_intent: 'unknown' }],
	['qualification', { qualification_status: 'changed' }],
	['profile', { name: 'Another Name' }],
	['profile', { network_profile_url: 'https://network.example/in/changed' }],
] as const;

const newStatuses = (event: 'postStatusChanged' | 'activityChanged', chosen: string[]): World => ({
	name: `${event}, only to ${chosen.join(' and ')}`,
	about: 'Events: only to the chosen statuses.',
	trigger: { event },
	filters: { newStatuses: chosen },
	needs: [event, 'newStatuses'],
	modes: ['L', 'D+'],
	seeds: 2,
	story: async (play) => {
		const rows = play.existing(60);
		await play.baseline(10);
		const path =
			event === 'postStatusChanged'
				? ['scheduled', 'publishing', 'published', 'draft', 'published']
				: ['matched', 'sent', 'failed', 'matched', 'sent'];
		for (const [at, row] of rows.slice(0, 20).entries()) {
			for (const status of path) {
				play.change(row, { status }, { isDue: chosen.includes(status) });
				await play.polls(2);
			}
			if (at === 10) await play.restart();
		}
	},
});

async function changesOfPosts(play: Play): Promise<void> {
	play.existing(250);
	await play.baseline(70);
	await play.polls(300, (at) => {
		if (at % 10 === 0)
			play.change(play.some(), { status: play.chance.pick(['scheduled', 'published', 'draft']) });
		if (at % 25 === 0) play.add(1);
	});
	await play.polls(70);
}

export const CHANGES: readonly World[] = [
	hasEmail(80, true),
	hasEmail(80, false),
	hasEmail(1_000, true),
	toAndFro('leadChanged', 80, { latest_keyword: 'a' }, { latest_keyword: 'b' }),
	toAndFro('leadChanged', 500, { has_intent: true }, { has_intent: false }),
	toAndFro('postStatusChanged', 80, { status: 'scheduled' }, { status: 'draft' }),
	toAndFro('postStatusChanged', 500, { status: 'published' }, { status: 'scheduled' }),
	toAndFro('activityChanged', 80, { status: 'matched' }, { status: 'sent' }),
	chosenFields(['email'], FIELD_CHANGES),
	chosenFields(['email', 'keyword'], FIELD_CHANGES),
	chosenFields(['intent'], FIELD_CHANGES),
	chosenFields(['qualification', 'profile'], FIELD_CHANGES),
	newStatuses('postStatusChanged', ['published']),
	newStatuses('postStatusChanged', ['published', 'scheduled']),
	newStatuses('activityChanged', ['matched']),
	{
		name: 'Post Status Changed, any of 250 posts',
		about: 'Promise 1 and 3: a change anywhere comes within an hour.',
		trigger: { event: 'postStatusChanged' },
		modes: ['L', 'D+'],
		seeds: 2,
		service: { times: { updated: true } },
		story: changesOfPosts,
	},
	{
		name: 'Post Status Changed, any of 250 posts, no update time',
		about: 'Promise 1 and 3: a change anywhere comes within an hour.',
		trigger: { event: 'postStatusChanged' },
		seeds: 2,
		story: changesOfPosts,
	},
	{
		name: 'Lead Changed, any of 1,500 leads',
		about: 'Promise 3 and 5: within an hour, and all that changed is named.',
		trigger: { event: 'leadChanged' },
		seeds: 3,
		service: { times: { updated: true } },
		story: async (play) => {
			play.existing(1_500);
			await play.baseline(130);
			await play.polls(200, (at) => {
				const [, fields] = play.chance.pick(FIELD_CHANGES);
				const own = Object.fromEntries(
					Object.entries(fields).map(([name, value]) => [
						name,
						typeof value === 'string' ? `${value} ${at}` : value,
					]),
				);
				if (at % 2 === 0) play.change(play.some(), own);
			});
			await play.polls(70);
		},
	},
];
