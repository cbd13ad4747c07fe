/** Services that fail in part: truncated pages, deep pages that fail, hanging clients. */
import type { Play } from '../play';
import { refused, throttled } from '../../../support/replies';
import { PlayedService } from '../playedService';
import { HOUR, MINUTE } from '../virtualTime';
import { PRINTED_ONLY, type World } from '../world';

const ALL = { event: 'newLead', watch: 'allClients' };

async function leadsNowAndThen(play: Play, polls: number, within?: number): Promise<void> {
	await play.polls(polls, (at) => {
		if (at % 7 === 3) play.add(1 + play.chance.below(2), within === undefined ? {} : { within });
	});
}

const emptyFor = (days: number, created: boolean): World => ({
	name: `a list is empty for ${days} days and comes back${created ? '' : ', no creation time'}`,
	about: 'Promise 2 and 4: what was known does not come again.',
	every: 60,
	seeds: 1,
	service: { times: { created } },
	story: async (play) => {
		play.existing(250);
		await play.baseline(30);
		play.add(2);
		await play.polls(5);
		play.service.alter = () => ({ records: [], hasMore: false });
		await play.polls(days * 24);
		play.service.alter = (page) => page;
		await play.polls(70);
		play.add(2);
		await play.polls(10);
	},
	// A record that no check has seen for 30 days is forgotten.
	...(days < 30 ? {} : { bounds: PRINTED_ONLY }),
});

const truncated = (chance: number, days: number): World => ({
	name: `${chance * 100} % of the pages end too early, for ${days} days`,
	about: 'Promise 2: a page that says it is the last one does not make what follows forgotten.',
	every: 30,
	seeds: 2,
	story: async (play) => {
		play.existing(450);
		await play.baseline(20);
		play.service.alter = (page) =>
			play.chance.happens(chance)
				? { records: page.records.slice(0, page.records.length / 2), hasMore: false }
				: page;
		await leadsNowAndThen(play, days * 48, 12);
		play.service.alter = (page) => page;
		await play.polls(70);
		await leadsNowAndThen(play, 20);
	},
	errors: [{ says: /./, atMost: 0 }],
});

const deepFails = (name: string, status: number, code: string): World => ({
	name: `pages behind 300 answer ${name}`,
	about:
		'Promise 3 and 7: the head is watched, and what cannot be read is reported within an hour.',
	modes: ['L', 'D-', 'D+'],
	seeds: 1,
	story: async (play) => {
		play.existing(900);
		await play.baseline(130);
		const since = play.time.now;
		play.service.instead.push(({ offset, path }) =>
			offset >= 300 && path.endsWith('/leads') ? refused(status, code) : undefined,
		);
		await leadsNowAndThen(play, 150, 6);
		const first = play.said[0]?.atMs ?? Infinity;
		play.mustHold('a list that cannot be read completely is reported', first - since <= 1.2 * HOUR);
	},
	errors: [{ says: /./, atLeast: 1, atMost: 8 }],
});

const hangs = (who: 'one client' | '/clients' | '/me'): World => ({
	name: `${who} does not answer, ten clients`,
	about: 'Promise 6: who hangs does not hold up the others.',
	trigger: ALL,
	modes: ['L', 'D+'],
	every: 5,
	seeds: 1,
	service: { clients: 10 },
	story: async (play) => {
		for (let at = 0; at < 10; at++) play.existing(30, { list: play.client(at) });
		await play.baseline(10);
		const account = { 'one client': play.clientId(0), '/clients': 'clients', '/me': 'me' }[who];
		let isOpen = true;
		play.service.before.push(async ({ path }) => {
			if (isOpen && PlayedService.accountIn(path) === account) await play.time.wait(HOUR);
		});
		await play.polls(60, (at) => {
			if (at % 3 === 0) play.add(1, { list: play.client(1 + (at % 9)), within: 5 });
		});
		isOpen = false;
		play.add(1, { list: play.client(0), within: 12 });
		await play.polls(15);
	},
	errors: [{ says: /Client Number1\b|list of clients|clients could not/i, atMost: 30 }],
});

const retryAfter = (name: string, value: () => string): World => ({
	name: `Retry-After is ${name}`,
	about: 'Promise 6 and 10: whatever it says, the trigger goes on.',
	modes: ['L', 'D+'],
	seeds: 1,
	story: async (play) => {
		play.existing(150);
		await play.baseline(10);
		let left = 3;
		play.service.instead.push(() => (left-- > 0 ? throttled(value()) : undefined));
		play.add(2, { within: 20 });
		await play.polls(40);
		await leadsNowAndThen(play, 20);
	},
	errors: [{ says: /./, atMost: 3 }],
});

export const FAULTS: readonly World[] = [
	emptyFor(5, false),
	emptyFor(35, true),
	emptyFor(35, false),
	truncated(0.1, 3),
	truncated(0.5, 3),
	truncated(0.3, 40),
	deepFails('500', 500, 'internal_error'),
	deepFails('400', 400, 'bad_request'),
	deepFails('403', 403, 'forbidden'),
	hangs('one client'),
	hangs('/clients'),
	retryAfter('a date in five minutes', () => new Date(Date.now() + 5 * MINUTE).toUTCString()),
	retryAfter('0', () => '0'),
	retryAfter('negative', () => '-20'),
	retryAfter('no number', () => 'soon'),
	{
		name: 'throttled in the middle of a burst',
		about: 'Promise 3: an interrupted reading goes on where it was.',
		modes: ['L', 'D+'],
		seeds: 4,
		story: async (play) => {
			play.existing(400);
			await play.baseline(70);
			play.add(1);
			await play.polls(6);
			for (let round = 0; round < 5; round++) {
				let left = 1;
				play.service.instead.push(({ offset }) =>
					offset >= 150 && left-- > 0 ? throttled(60) : undefined,
				);
				play.add(450, { within: 5 });
				await play.polls(12);
			}
		},
		errors: [{ says: /./, atMost: 2 }],
	},
	{
		name: 'every third request fails',
		about: 'Promise 1 to 3: a service that hiccups all the time.',
		modes: ['L', 'D-', 'D+'],
		seeds: 3,
		story: async (play) => {
			play.existing(700);
			await play.baseline(70);
			play.service.instead.push(() =>
				play.chance.happens(0.33) ? refused(503, 'unavailable') : undefined,
			);
			await leadsNowAndThen(play, 200, 15);
			await play.polls(30);
		},
		errors: [{ says: /./, atMost: 40 }],
	},
	{
		name: 'ten clients, 30 new leads each, 10 a batch',
		about: 'Promise 3: one full batch per poll, whoever they belong to.',
		trigger: ALL,
		options: { maxItemsPerPoll: 10 },
		modes: ['L', 'D+'],
		seeds: 2,
		service: { clients: 10 },
		story: async (play) => {
			for (let at = 0; at < 10; at++) play.existing(30, { list: play.client(at) });
			await play.baseline(10);
			for (let at = 0; at < 10; at++) play.add(at === 0 ? 130 : 20, { list: play.client(at) });
			const { due } = play.ledger.counts;
			await play.polls(Math.ceil(due / 10) + 6);
			play.add(2, { list: play.client(3) });
			await play.polls(6);
		},
	},
	{
		name: 'a client joins with 130 leads',
		about: 'Promise 1 and 2: its leads of before are known, those that come afterwards are new.',
		trigger: ALL,
		modes: ['L', 'D-', 'D+'],
		seeds: 2,
		service: { clients: 3 },
		story: async (play) => {
			const [, , last] = play.service.clients;
			if (last === undefined) return;
			last.status = undefined;
			for (let at = 0; at < 3; at++) play.existing(130, { list: play.client(at) });
			await play.baseline(20);
			play.add(1, { list: play.client(0) });
			await play.polls(6);
			last.status = 'active';
			await play.polls(10);
			play.add(2, { list: play.client(2) });
			await play.polls(10);
			await play.restart();
			play.add(2, { list: play.client(2) });
			await play.polls(10);
		},
	},
	{
		name: 'leadership goes to and fro',
		about: 'Promise 2 and 10: a process that led before knows less than what is stored.',
		modes: ['L', 'D-', 'D+'],
		seeds: 4,
		story: async (play) => {
			play.existing(250);
			await play.baseline(70);
			for (let round = 0; round < 24; round++) {
				play.add(1 + play.chance.below(3), { within: 6 });
				await play.polls(1 + play.chance.below(9));
				await play.lead(round % 2);
			}
			await play.polls(70);
		},
	},
	{
		name: 'leftovers, kills and deletions at once',
		about: 'Promise 1 to 3: open places survive what may happen to them.',
		options: { maxItemsPerPoll: 7 },
		modes: ['L', 'D-', 'D+'],
		seeds: 4,
		story: async (play) => {
			play.existing(300);
			await play.baseline(70);
			for (let round = 0; round < 6; round++) {
				play.add(40 + play.chance.below(120), { within: 10 });
				await play.polls(30, () => {
					for (let left = play.chance.below(3); left > 0; left--) play.remove(play.some());
					if (play.chance.happens(0.3)) play.add(1, { within: 12 });
				});
				await play.restart();
			}
			await play.polls(120);
		},
	},
];
