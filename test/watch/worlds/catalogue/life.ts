/** Promise 9: the state and the cap are bounded by the list, not by its history. */
import type { Play } from '../play';
import type { World } from '../world';

/** A list of constant length. Each poll, this many records are replaced. */
async function replaceInEachPoll(play: Play, polls: number, count: number): Promise<void> {
	await play.polls(polls, () => {
		const { rows } = play.list();
		play.add(count);
		for (const row of rows.slice(-count)) if (row.due.length === 0) play.remove(row);
	});
}

export const LIFE: readonly World[] = [
	{
		name: '576,000 comments through a list of 5,000',
		about: 'Promise 9: the cap counts the list, and what is remembered of it for a month.',
		trigger: { event: 'newActivity' },
		options: { maxItemsPerPoll: 5_000 },
		every: 240,
		seeds: 1,
		story: async (play) => {
			play.existing(5_000);
			await play.baseline(5);
			await replaceInEachPoll(play, 240, 2_400);
			await play.polls(5);
		},
	},
	{
		name: '2,000 comments a day for 260 days',
		about: 'Promise 9 and 10: nothing stops after 250 days.',
		trigger: { event: 'newActivity' },
		every: 30,
		seeds: 1,
		isLong: true,
		story: async (play) => {
			play.existing(900);
			await play.baseline(5);
			await replaceInEachPoll(play, 260 * 48, 42);
			await play.polls(5);
		},
	},
	{
		name: 'a year at one poll a minute, 1 % churn a day',
		about: 'Promise 9: the state does not grow. Promise 8: at most 1.6 requests on average.',
		seeds: 1,
		isLong: true,
		story: async (play) => {
			play.existing(2_000);
			await play.baseline(130);
			await play.metering(async () => {
				await play.polls(365 * 1_440, (at) => {
					if (at % 72 !== 0) return;
					const [oldest] = play.list().rows.slice(-1);
					if (oldest !== undefined && oldest.due.length === 0) play.remove(oldest);
					play.add(1);
				});
			});
			await play.polls(10);
		},
		bounds: { meanRequests: 1.6 },
	},
	{
		name: 'two days at one poll a minute, 1 % churn a day',
		about: 'Promise 8: at most 1.6 requests on average where news come at the head.',
		seeds: 1,
		story: async (play) => {
			play.existing(2_000);
			await play.baseline(130);
			await play.metering(async () => {
				await play.polls(2 * 1_440, (at) => {
					if (at % 72 !== 0) return;
					play.remove(play.some());
					play.add(1);
				});
			});
			await play.polls(10);
		},
		bounds: { meanRequests: 1.6 },
	},
	{
		name: 'two days at one poll a minute, news at the tail',
		about: 'Promise 8: at most 2.6 requests on average where news come at the tail.',
		seeds: 1,
		service: { order: 'oldest' },
		story: async (play) => {
			play.existing(2_000);
			await play.baseline(130);
			await play.metering(async () => {
				await play.polls(2 * 1_440, (at) => {
					if (at % 72 !== 0) return;
					play.remove(play.some());
					play.add(1);
				});
			});
			await play.polls(10);
		},
		bounds: { meanRequests: 2.6 },
	},
];
