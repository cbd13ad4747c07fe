/** Promise 14: n8n's own back-off, above all with durable cursors. */
import type { Play } from '../play';
import { refused, type Reply } from '../../../support/replies';
import { htmlPage, PlayedService, type Asked } from '../playedService';
import { HOUR, MINUTE } from '../virtualTime';
import type { World } from '../world';

const isLeads = ({ path }: Asked): boolean => path.endsWith('/leads');

/** This many requests get this response, or all until a time. */
function answerLike(
	play: Play,
	reply: Reply,
	given: { times?: number; forMs?: number; of?: (asked: Asked) => boolean },
): void {
	let left = given.times ?? Infinity;
	const until = play.time.now + (given.forMs ?? Infinity);
	play.service.instead.push((asked) => {
		if (left <= 0 || play.time.now >= until || !(given.of ?? isLeads)(asked)) return undefined;
		left--;
		return reply;
	});
}

const once = (name: string, reply: Reply): World => ({
	name: `one ${name}`,
	about: 'Promise 14: the next lead comes within two polls.',
	modes: ['L', 'D-', 'D+'],
	seeds: 1,
	service: { clients: 0 },
	story: async (play) => {
		play.existing(150);
		await play.baseline(10);
		for (let round = 0; round < 4; round++) {
			answerLike(play, reply, { times: round < 2 ? 1 : 2 });
			await play.polls(1);
			play.add(1, { within: 4 });
			await play.polls(20);
		}
		play.mustHold(
			'a lead comes within six minutes of a hiccup',
			Math.max(...play.ledger.minutesLate) <= 6,
		);
	},
	errors: [{ says: /./, atMost: 4 }],
});

const forHours = (name: string, reply: Reply, hours: number): World => ({
	name: `${name} for ${hours} h`,
	about: 'Promise 7 and 14: reported within an hour, and over soon after it has passed.',
	modes: ['L', 'D-', 'D+'],
	seeds: 1,
	story: async (play) => {
		play.existing(150);
		await play.baseline(10);
		answerLike(play, reply, { forMs: hours * HOUR });
		const since = play.time.now;
		await play.polls(hours * 60);
		const first = play.said[0]?.atMs ?? Infinity;
		play.mustHold('the failure is reported within an hour', first - since <= HOUR);
		play.add(2, { within: 12 });
		await play.polls(70);
	},
	errors: [{ says: /./, atMost: 3 * hours + 3 }],
});

const oneOfSeveral = (watch: 'clients' | 'allClients', reply: Reply, name: string): World => ({
	name: `${watch}: one client answers ${name}, durable cursors`,
	about: 'Promise 6 and 14: one client stops nobody else, neither here nor in n8n.',
	trigger: { event: 'newLead', watch },
	modes: ['D+', 'L'],
	seeds: 1,
	service: { clients: 4 },
	story: async (play) => {
		if (watch === 'clients') play.choose(0, 1, 2, 3);
		for (let at = 0; at < 4; at++) play.existing(30, { list: play.client(at) });
		await play.baseline(10);
		const account = play.clientId(1);
		answerLike(play, reply, { of: ({ path }) => PlayedService.accountIn(path) === account });
		await play.polls(180, (at) => {
			if (at % 9 === 4) play.add(1, { list: play.client([0, 2, 3][at % 3] ?? 0), within: 5 });
		});
		play.mustHold(
			'nobody waits for longer than ten minutes',
			Math.max(...play.ledger.minutesLate) <= 10,
		);
	},
	errors: [{ says: /Client Number2\b/, atLeast: 1, atMost: 8 }],
});

export const BACK_OFF: readonly World[] = [
	once('HTML 404', htmlPage(404)),
	once('HTML 403', htmlPage(403)),
	once('HTML 401', htmlPage(401)),
	once('HTML 502', htmlPage(502)),
	once('HTML 200', htmlPage(200)),
	once('400', refused(400, 'bad_request')),
	once('404', refused(404, 'not_found')),
	once('500', refused(500, 'internal_error')),
	forHours('HTML 404', htmlPage(404), 2),
	forHours('HTML 403', htmlPage(403), 2),
	forHours('500', refused(500, 'internal_error'), 3),
	oneOfSeveral('clients', refused(403, 'forbidden'), '403'),
	oneOfSeveral('clients', refused(401, 'unauthorized'), '401'),
	oneOfSeveral('clients', refused(404, 'not_found'), '404'),
	oneOfSeveral('clients', htmlPage(404), 'an HTML 404'),
	oneOfSeveral('allClients', refused(403, 'forbidden'), '403'),
	{
		name: 'a revoked key, and a new one after two hours',
		about: 'Promise 7 and 14: reported; n8n may pause for a certain and lasting reason.',
		modes: ['L', 'D-', 'D+'],
		seeds: 1,
		story: async (play) => {
			play.existing(150);
			await play.baseline(10);
			answerLike(play, refused(401, 'unauthorized'), { of: ({ key }) => !key.includes('new') });
			const since = play.time.now;
			await play.polls(120);
			const first = play.said[0]?.atMs ?? Infinity;
			play.mustHold('a revoked key is reported within an hour', first - since <= HOUR);
			play.node.key = 'x_live_new';
			play.add(2, { within: 12 });
			await play.polls(75);
		},
		bounds: { permanentErrors: Infinity },
		errors: [{ says: /./, atMost: 12 }],
	},
	{
		name: 'n8n starts while the service is down for ten minutes',
		about: 'Promise 10: n8n never gives the workflow up.',
		modes: ['L', 'D-', 'D+'],
		seeds: 1,
		story: async (play) => {
			play.existing(150);
			await play.baseline(10);
			for (const reply of [
				refused(500, 'internal_error'),
				htmlPage(404),
				refused(403, 'forbidden'),
			]) {
				answerLike(play, reply, { forMs: 10 * MINUTE, of: () => true });
				await play.restart();
				await play.polls(12);
				play.add(1, { within: 12 });
				await play.polls(20);
			}
		},
		bounds: { permanentErrors: Infinity },
		errors: [{ says: /./, atMost: 6 }],
	},
];
