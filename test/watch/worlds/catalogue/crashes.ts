/** Promises 2, 10 and 12: kills, restarts, overlapping polls, and old states that come back. */
import type { Play } from '../play';
import type { Ending } from '../playedN8n';
import type { World } from '../world';

const ENDINGS: readonly Ending[] = ['killed before', 'saved, not run', 'run, not saved'];

const kills = (
	name: string,
	options: { afterRestart?: string; maxItemsPerPoll?: number },
): World => ({
	name: `kills at all three points${name}`,
	about: 'Promise 2 and 12: no kill loses or repeats more than what n8n itself does.',
	options,
	modes: ['L', 'D-', 'D+'],
	seeds: 6,
	story: async (play) => {
		play.existing(250);
		await play.baseline(70);
		play.add(1);
		await play.polls(6);
		for (let round = 0; round < 25; round++) {
			play.add(1 + play.chance.below(4), { within: 12 });
			play.time.pass(play.every);
			await play.poll(play.chance.happens(0.5) ? play.chance.pick(ENDINGS) : 'fine');
			await play.polls(5);
		}
		await play.polls(70);
	},
});

/** While one poll waits for a page, n8n begins another one. */
const overlapping = (restarts: boolean): World => ({
	name: `overlapping polls${restarts ? ' and restarts' : ''}`,
	about: 'Promise 2: two polls at the same time deliver nothing twice.',
	modes: ['L', 'D-', 'D+'],
	seeds: 4,
	story: async (play) => {
		play.existing(350);
		await play.baseline(70);
		let isInner = false;
		let isOpen = true;
		play.service.before.push(async () => {
			if (!isOpen || isInner || !play.chance.happens(0.1)) return;
			isInner = true;
			await play.overlap();
			isInner = false;
		});
		for (let round = 0; round < 25; round++) {
			play.add(1 + play.chance.below(60), { within: 8 });
			await play.polls(6);
			if (restarts && play.chance.happens(0.3)) await play.restart();
		}
		isOpen = false;
		await play.polls(70);
	},
});

async function oldStates(play: Play): Promise<void> {
	play.existing(250);
	await play.baseline(70);
	play.add(1);
	await play.polls(6);
	const copies: string[] = [];
	for (let round = 0; round < 25; round++) {
		if (play.n8n.database !== undefined) copies.push(play.n8n.database);
		play.add(1 + play.chance.below(5), { within: 10 });
		await play.polls(6);
		const older = copies[play.chance.below(copies.length + 3)];
		if (older === undefined) continue;
		play.n8n.restoreOlder(older);
		await play.polls(3);
	}
	await play.polls(70);
}

export const CRASHES: readonly World[] = [
	kills('', {}),
	kills(', small batches', { maxItemsPerPoll: 2 }),
	kills(', the last batch comes again', { afterRestart: 'redeliverLast' }),
	overlapping(false),
	overlapping(true),
	{
		name: 'an older state comes back',
		about: 'Promise 2: the process knows more than what was put back.',
		modes: ['L', 'D-', 'D+'],
		seeds: 4,
		story: oldStates,
	},
	{
		name: 'a restart every 20 polls',
		about: 'Promise 1 and 2 across restarts; promise 3 right after them.',
		modes: ['L', 'D-', 'D+'],
		seeds: 3,
		story: async (play) => {
			play.existing(900);
			await play.baseline(70);
			for (let round = 0; round < 12; round++) {
				play.add(1 + play.chance.below(3), { within: 5 });
				await play.polls(10);
				play.time.pass(7 * play.every);
				play.add(1, { within: 5 });
				await play.restart();
				await play.polls(10);
			}
		},
	},
	{
		name: 'published again and again',
		about: 'Promise 11: publishing changes nothing.',
		modes: ['L', 'D-', 'D+'],
		seeds: 2,
		story: async (play) => {
			play.existing(300);
			await play.baseline(70);
			for (let round = 0; round < 20; round++) {
				play.add(1, { within: 5 });
				await play.polls(2);
				await play.publish('update');
				await play.polls(4);
			}
		},
	},
];
