/** Promise 6: nobody blocks anybody. */
import type { Play } from '../play';
import { refused, throttled } from '../../../support/replies';
import { PlayedService, type Asked } from '../playedService';
import { HOUR, MINUTE } from '../virtualTime';
import type { World } from '../world';

const TEN_CLIENTS = { clients: 10 };
const ALL = { event: 'newLead', watch: 'allClients' };

/** Ten clients with forty leads each. */
async function begin(play: Play): Promise<void> {
	for (let at = 0; at < 10; at++) play.existing(40, { list: play.client(at) });
	await play.baseline(15);
}

/** One lead of another client in each poll. With `also`, the throttled clients get leads, too. */
async function leadsOfOthers(play: Play, polls: number, from: number): Promise<void> {
	await play.polls(polls, (at) => {
		if (at % 3 === 0) play.add(1, { list: play.client(from + (at % (10 - from))) });
	});
}

const isOf = (account: string) => (asked: Asked) => PlayedService.accountIn(asked.path) === account;

/** From now on, requests for these are rejected until the requested pause has passed. */
function throttle(
	play: Play,
	isMeant: (asked: Asked) => boolean,
	given: { seconds: number | undefined; status?: number; forMs: number },
): { asked: () => number } {
	const until = play.time.now + given.forMs;
	let asked = 0;
	play.service.instead.push((request) => {
		if (play.time.now >= until || !isMeant(request)) return undefined;
		asked++;
		const { seconds, status = 429 } = given;
		const reply = refused(status, status === 429 ? 'rate_limited' : 'unavailable');
		return seconds === undefined ? reply : throttled(seconds, reply);
	});
	return { asked: () => asked };
}

const oneClient = (
	name: string,
	given: { seconds: number | undefined; status?: number; forMs: number },
): World => ({
	name,
	about:
		'Promise 6: a 429 for one client pauses that client only. Promise 7: the message names it.',
	trigger: ALL,
	service: TEN_CLIENTS,
	modes: ['L', 'D-', 'D+'],
	seeds: 2,
	story: async (play) => {
		await begin(play);
		const { asked } = throttle(play, isOf(play.clientId(0)), given);
		const since = play.time.now;
		await leadsOfOthers(play, 150, 1);
		play.mustHold(
			`the client that asked to wait is asked ${asked()} times`,
			asked() <= (given.seconds === undefined ? 200 : 4),
		);
		const { atMs } = play.said[0] ?? { atMs: Infinity };
		play.mustHold('a pause of a day is reported within an hour', atMs - since <= HOUR);
	},
	errors: [{ says: /Client Number1\b/, atLeast: 1, atMost: 5 }],
});

export const THROTTLED: readonly World[] = [
	oneClient('one client 429 for a day', { seconds: 86_400, forMs: 86_400_000 }),
	oneClient('one client 503 for a day', { seconds: 86_400, status: 503, forMs: 86_400_000 }),
	oneClient('one client 429 for 90 min', { seconds: 5_400, forMs: 90 * MINUTE }),
	{
		name: 'one client 429 without a time',
		about: 'Promise 6: the others go on, and the client is tried again.',
		trigger: ALL,
		service: TEN_CLIENTS,
		seeds: 2,
		story: async (play) => {
			await begin(play);
			throttle(play, isOf(play.clientId(0)), { seconds: undefined, forMs: 30 * MINUTE });
			play.add(2, { list: play.client(0), within: 60 });
			await leadsOfOthers(play, 120, 1);
		},
		errors: [{ says: /Client Number1\b/, atMost: 8 }],
	},
	{
		name: 'one client 429 once, then its leads',
		about: 'Promise 6: a pause of two minutes delays that client by no more than that.',
		trigger: ALL,
		service: TEN_CLIENTS,
		seeds: 3,
		story: async (play) => {
			await begin(play);
			for (let round = 0; round < 12; round++) {
				throttle(play, isOf(play.clientId(0)), { seconds: 120, forMs: 2 * MINUTE });
				play.add(1, { list: play.client(0), within: 6 });
				await leadsOfOthers(play, 12, 1);
			}
		},
		errors: [{ says: /Client Number1\b/, atMost: 3 }],
	},
	{
		name: '/clients throttled for 3 h',
		about: 'Promise 6: while /clients is throttled, the clients known so far are watched.',
		trigger: ALL,
		service: TEN_CLIENTS,
		modes: ['L', 'D+'],
		seeds: 2,
		story: async (play) => {
			await begin(play);
			throttle(play, isOf('clients'), { seconds: 3 * 3600, forMs: 3 * HOUR });
			await leadsOfOthers(play, 240, 0);
		},
		errors: [{ says: /list of clients|clients could not|asked to wait/i, atLeast: 1, atMost: 4 }],
	},
	{
		name: '/me throttled, new key',
		about: 'Promise 6 and 11: a new key of the same account, while /me asks to wait for an hour.',
		seeds: 2,
		story: async (play) => {
			play.existing(150);
			await play.baseline(15);
			throttle(play, isOf('me'), { seconds: 3600, forMs: HOUR });
			play.node.key = 'x_live_of_the_same_account';
			await play.polls(100, (at) => {
				if (at % 7 === 0) play.add(1);
			});
		},
		errors: [{ says: /asked to wait|key/i, atMost: 2 }],
	},
	{
		name: 'all clients throttled for 30 min',
		about: 'Promise 6: the whole key pauses if no account has answered; then all go on.',
		trigger: ALL,
		service: TEN_CLIENTS,
		modes: ['L', 'D+'],
		seeds: 2,
		story: async (play) => {
			await begin(play);
			const isLeads = ({ path }: Asked): boolean => path.endsWith('/leads');
			const { asked } = throttle(play, isLeads, { seconds: 1800, forMs: 30 * MINUTE });
			for (let at = 0; at < 10; at++) play.add(1, { list: play.client(at), within: 65 });
			await play.polls(29);
			play.mustHold(`throttled lists are asked ${asked()} times`, asked() <= 40);
			await play.polls(40);
			await leadsOfOthers(play, 30, 0);
		},
		errors: [{ says: /./, atMost: 3 }],
	},
];
