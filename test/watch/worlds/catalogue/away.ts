/** Promises 4, 5 and 7: clients that come and go, and grants that are revoked. */
import type { Play } from '../play';
import type { ServiceShape } from '../playedService';
import { DAY, HOUR } from '../virtualTime';
import { PRINTED_ONLY, type World } from '../world';

const ALL = { event: 'newLead', watch: 'allClients' };

async function begin(play: Play, count: number, each = 30): Promise<void> {
	for (let at = 0; at < count; at++) play.existing(each, { list: play.client(at) });
	await play.baseline(10);
}

const setStatus = (play: Play, at: number, status: string | undefined): void => {
	const client = play.service.clients[at];
	if (client !== undefined) client.status = status;
};

const leaveOut = (play: Play, at: number, isLeftOut: boolean): void => {
	const client = play.service.clients[at];
	if (client !== undefined) client.isLeftOut = isLeftOut;
};

const quietDays = (name: string, service: ServiceShape, isAtRestart: boolean): World => ({
	name,
	about: 'Promise 1: a client that one answer left out has not been away for a month.',
	trigger: ALL,
	modes: ['L', 'D-', 'D+'],
	every: 60,
	seeds: 1,
	service,
	story: async (play) => {
		await begin(play, 3);
		play.add(1, { list: play.client(0) });
		play.add(1, { list: play.client(1) });
		await play.polls(3);
		await play.polls(35 * 24);
		if (isAtRestart) leaveOut(play, 1, true);
		await play.restart();
		leaveOut(play, 1, true);
		await play.polls(1);
		leaveOut(play, 1, false);
		play.add(3, { list: play.client(1) });
		play.add(1, { list: play.client(2) });
		await play.polls(8);
		play.add(2, { list: play.client(1) });
		await play.polls(65);
	},
	errors: [{ says: /./, atMost: 1 }],
});

const comesBack = (name: string, given: { created: boolean; options?: object }): World => ({
	name,
	about: 'Promise 4: what was created while the client was away is new when it comes back.',
	trigger: ALL,
	options: { ...given.options },
	modes: ['L', 'D+'],
	every: 60,
	seeds: 1,
	service: { clients: 3, times: { created: given.created } },
	story: async (play) => {
		await begin(play, 3);
		// Emit Existing delivers what was there at first.
		const isEmitting = play.parameters.options !== undefined && given.options !== undefined;
		play.add(1, { list: play.client(1) });
		await play.polls(5);
		setStatus(play, 1, undefined);
		await play.polls(40 * 24, (at) => {
			if (at % 50 === 10) play.add(1, { list: play.client(0) });
			if (at === 480 && !isEmitting) {
				// No trigger can deliver them before the client is back.
				play.add(4, { list: play.client(1), within: 40 * 24 - 480 + 60 });
			}
		});
		setStatus(play, 1, 'active');
		await play.polls(70);
		play.add(2, { list: play.client(1) });
		await play.polls(10);
	},
	errors: [{ says: /Client Number2\b/, atMost: 45 }],
	...(given.created || given.options !== undefined ? {} : { bounds: PRINTED_ONLY }),
});

const emitExisting = (created: boolean): World => ({
	name: `Emit Existing, a client comes back after a month${created ? '' : ', no creation time'}`,
	about: 'Promise 2: what came once does not come again.',
	trigger: ALL,
	options: { emitExisting: true },
	modes: ['L', 'D+'],
	every: 60,
	seeds: 1,
	service: { clients: 2, times: { created } },
	story: async (play) => {
		for (let at = 0; at < 2; at++) play.add(30, { list: play.client(at), within: 10 });
		await play.publish();
		await play.polls(10);
		setStatus(play, 1, undefined);
		await play.polls(33 * 24);
		setStatus(play, 1, 'active');
		await play.polls(70);
		play.add(2, { list: play.client(1) });
		await play.polls(10);
	},
	errors: [{ says: /Client Number2\b/, atMost: 40 }],
});

type Revocation = 'missing from the list' | 'listed as revoked';

const revoked = (how: Revocation, given: { isBusy: boolean; back: boolean }): World => ({
	name: `a grant ${how}${given.isBusy ? ', every poll with items' : ''}${given.back ? ', and comes back' : ''}`,
	about: 'Promise 7: reported within an hour, then once a day; the message names the client.',
	trigger: ALL,
	modes: ['L', 'D-', 'D+'],
	every: 5,
	seeds: 1,
	service: { clients: 4, times: { created: true } },
	story: async (play) => {
		await begin(play, 4);
		setStatus(play, 2, how === 'listed as revoked' ? 'revoked' : undefined);
		const since = play.time.now;
		// An error replaces a batch, which comes with the following poll.
		const busy = (): void =>
			void (given.isBusy && play.add(1, { list: play.client(0), within: 6 }));
		await play.polls(12, busy);
		const first = play.said[0]?.atMs ?? Infinity;
		play.mustHold('a revoked grant is reported within an hour', first - since <= HOUR);
		await play.polls(25 * 12, busy);
		if (given.back) {
			play.add(3, { list: play.client(2), within: 80 });
			await play.polls(12, busy);
			setStatus(play, 2, 'active');
			await play.polls(20, busy);
			play.add(1, { list: play.client(2), within: 6 });
		}
		await play.polls(10);
	},
	errors: [{ says: /Client Number3\b/, atLeast: 2, atMost: 3 }],
});

export const AWAY: readonly World[] = [
	quietDays('35 quiet days, a restart, then a client is left out once', { clients: 3 }, false),
	quietDays('35 quiet days, a client is left out by the restart', { clients: 3 }, true),
	quietDays(
		'35 quiet days, a restart, a client is left out, created',
		{
			clients: 3,
			times: { created: true },
		},
		false,
	),
	comesBack('a client is away for 40 days', { created: true }),
	comesBack('a client is away for 40 days, no creation time', { created: false }),
	emitExisting(true),
	emitExisting(false),
	revoked('missing from the list', { isBusy: true, back: false }),
	revoked('missing from the list', { isBusy: false, back: false }),
	revoked('listed as revoked', { isBusy: true, back: false }),
	revoked('listed as revoked', { isBusy: false, back: true }),
	revoked('missing from the list', { isBusy: true, back: true }),
	{
		name: 'clients are left out of one list now and then',
		about: 'Promise 7: a client that one answer lacks has lost nothing, and nobody is told.',
		trigger: ALL,
		seeds: 3,
		service: { clients: 5 },
		story: async (play) => {
			await begin(play, 5);
			await play.polls(200, (at) => {
				for (let one = 0; one < 5; one++) leaveOut(play, one, at % 7 === one);
				if (at % 5 === 0) play.add(1, { list: play.client(at % 5), within: 6 });
			});
			await play.polls(10);
		},
	},
	{
		name: 'one chosen client is refused, every poll with items',
		about: 'Promise 7: reported within an hour, also when every poll has items.',
		modes: ['L', 'D+'],
		every: 5,
		seeds: 1,
		service: { clients: 3 },
		story: async (play) => {
			play.choose(0, 1, 2);
			await begin(play, 3);
			setStatus(play, 1, 'revoked');
			const since = play.time.now;
			const busy = (): void => void play.add(1, { list: play.client(0), within: 6 });
			await play.polls(12, busy);
			const first = play.said[0]?.atMs ?? Infinity;
			play.mustHold('a refused client is reported within an hour', first - since <= HOUR);
			await play.polls(DAY / (5 * 60_000), busy);
			await play.polls(5);
		},
		errors: [{ says: /Client Number2\b/, atLeast: 1, atMost: 60 }],
	},
];
