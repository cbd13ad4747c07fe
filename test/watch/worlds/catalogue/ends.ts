/** Promise 3: whatever happened before, new records are found at their end of the list. */
import { FIVE_POLLS, type Play } from '../play';
import type { World } from '../world';

const NO_EMAIL = { emails: { submitted: null, work: null, personal: null } };
const EMAIL = { emails: { submitted: 'somebody@example.com', work: null, personal: null } };

/** New leads at the head, one in three polls, each with another event. */
async function leadsAtHead(play: Play, count: number, also?: () => void): Promise<void> {
	await play.metering(async () => {
		await play.polls(3 * count, (at) => {
			if (at % 3 !== 0) return;
			also?.();
			play.add(1, { end: 'head' });
		});
	});
}

const removeOld = (play: Play) => (): void => {
	const { rows } = play.list();
	const row = rows[rows.length - 1 - play.chance.below(Math.floor(rows.length / 2))];
	if (row !== undefined && row.due.length === 0) play.remove(row);
};

/**
 * An old lead at the far end begins to match the filter, then new leads appear at the head again.
 */
const gainsEmail = (size: number, given: { deletes: boolean }): World => ({
	name: `an old lead gains its email, ${size} leads${given.deletes ? ', one deletion per new lead' : ''}`,
	about: 'Promise 3: one record at the far end does not make the head slow.',
	filters: { hasEmail: true },
	seeds: 2,
	story: async (play) => {
		const [old] = play.existing(1, { fields: NO_EMAIL, end: 'tail' });
		play.existing(size - 1);
		await play.baseline(400);
		if (old === undefined) return;
		play.change(old, EMAIL);
		old.newness = 'must';
		play.expectNew(old, FIVE_POLLS);
		await play.polls(30);
		await leadsAtHead(play, 40, given.deletes ? removeOld(play) : undefined);
	},
	// The complete check of more than 5,000 may take all that an idle poll may cost.
	bounds: { meanRequests: size > 5_000 ? 3.1 : 2.6 },
});

const replica = (name: string, misses: (request: number) => boolean): World => ({
	name,
	about: 'Promise 3: news that only a lucky request shows are found within ten polls.',
	seeds: 5,
	story: async (play) => {
		play.existing(400);
		await play.baseline(70);
		let request = 0;
		const isRandom = name.includes('half');
		play.service.view = () =>
			(isRandom ? play.chance.happens(0.5) : misses((request += 1))) ? { missesNewest: 5 } : {};
		await play.metering(async () => {
			await play.polls(18 * 11, (at) => {
				if (at % 11 === 0) play.add(1, { within: 10 });
			});
		});
	},
	bounds: { meanRequests: 5 },
});

export const ENDS: readonly World[] = [
	gainsEmail(2_000, { deletes: false }),
	gainsEmail(2_000, { deletes: true }),
	gainsEmail(10_000, { deletes: false }),
	gainsEmail(10_000, { deletes: true }),
	{
		name: 'an import of old leads as the first news',
		about: 'Promise 3: what came at the tail once does not make the head slow.',
		seeds: 3,
		story: async (play) => {
			play.existing(1_200);
			await play.baseline(130);
			play.add(30, { end: 'tail' });
			await play.polls(20);
			await leadsAtHead(play, 40);
		},
		bounds: { meanRequests: 2.6 },
	},
	{
		name: 'a list that turns its order around',
		about: 'Promise 3: the other end is learned within five polls, whatever was learned before.',
		seeds: 3,
		story: async (play) => {
			play.existing(900);
			await play.baseline(70);
			for (let turns = 0; turns < 4; turns++) {
				await play.polls(60, (at) => {
					if (at % 4 === 0) play.add(1);
				});
				await play.polls(10);
				play.list().turn();
				play.list().lastNews.clear();
			}
			await play.polls(70);
		},
	},
	{
		name: 'a list that turns its order around, a day apart',
		about: 'Promise 3 and 8: what was learned decays within a day.',
		seeds: 1,
		every: 10,
		story: async (play) => {
			play.existing(900);
			await play.baseline(150);
			for (let turns = 0; turns < 3; turns++) {
				await play.polls(150, (at) => {
					if (at % 9 === 0) play.add(2);
				});
				await play.polls(10);
				play.list().turn();
				play.list().lastNews.clear();
			}
			await play.polls(70);
			await play.idlePolls(150);
		},
		bounds: { idleRequests: 10 },
	},
	{
		name: 'news at both ends by turns',
		about: 'Promise 3: an end that had news within a day is read in each poll.',
		seeds: 3,
		story: async (play) => {
			play.existing(900);
			await play.baseline(70);
			await play.polls(240, (at) => {
				if (at % 4 === 0) play.add(1, { end: at % 8 === 0 ? 'head' : 'tail' });
			});
			await play.polls(10);
		},
	},
	{
		name: 'Lead Changed after news at the tail',
		about: 'Promise 3: a change anywhere comes within an hour, whatever was learned.',
		trigger: { event: 'leadChanged' },
		seeds: 2,
		story: async (play) => {
			play.existing(2_000);
			await play.baseline(130);
			play.add(20, { end: 'tail' });
			await play.polls(20);
			await play.polls(200, (at) => {
				if (at % 10 === 0) play.change(play.some(), { latest_keyword: `word ${at}` });
			});
			await play.polls(70);
		},
	},
	replica(
		'a replica misses the newest five on every other request',
		(request) => request % 2 === 0,
	),
	replica('a replica misses the newest five on half of the requests', () => false),
	replica(
		'a replica misses the newest five on two of three requests',
		(request) => request % 3 > 0,
	),
];
