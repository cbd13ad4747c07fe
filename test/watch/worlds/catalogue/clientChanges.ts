/** "Client Changed": clients join, change and leave, while the list of clients fails in many ways. */
import { throttled, refused } from '../../../support/replies';
import { GONE } from '../../../../nodes/LeadGenPublishing/watch/clientRows';
import { clientChange, type Play } from '../play';
import type { Client } from '../playedService';
import type { World } from '../world';

const trigger = { event: 'clientChanged', watch: 'own' };
const needs = ['clientChanged'];
/** A client is gone after two lists without it. Five grants are checked in a poll. */
const POLLS_TO_NOTICE = 8;

const statusOf = ({ status }: Client): string => status ?? GONE;

/** What must come: each change once, and nothing else. */
class Expected {
	private readonly changes: string[] = [];

	constructor(private readonly play: Play) {}

	/** The client has another status, or is no longer listed. */
	set(client: Client, status: string): void {
		this.changes.push(clientChange(client.user_id, statusOf(client), status));
		client.status = status === GONE ? undefined : status;
	}

	join(user_id: string, full_name: string): void {
		this.changes.push(clientChange(user_id, null, 'active'));
		this.play.service.clients.push({ user_id, full_name, status: 'active' });
	}

	close(): void {
		const count = (all: readonly string[], one: string): number =>
			all.filter((other) => other === one).length;
		for (const one of new Set([...this.changes, ...this.play.clientChanges])) {
			const [due, came] = [count(this.changes, one), count(this.play.clientChanges, one)];
			this.play.mustHold(`${one} came ${due} times (it came ${came} times)`, due === came);
		}
	}
}

/** A client that joins, changes, leaves or comes back, any of them. */
function somethingHappens(play: Play, expected: Expected): void {
	const { chance, service } = play;
	const client = chance.pick(service.clients);
	const others = ['active', 'paused', GONE].filter((one) => one !== statusOf(client));
	if (chance.happens(0.2)) expected.join(chance.uuid(), 'Late Joiner');
	else expected.set(client, chance.pick(others));
}

const lively: World = {
	name: 'clients join, change, leave and come back, with restarts',
	about: 'Each change of a client comes once, in every mode.',
	trigger,
	needs,
	modes: ['L', 'D-', 'D+'],
	seeds: 2,
	service: { clients: 30 },
	story: async (play) => {
		const expected = new Expected(play);
		await play.publish();
		await play.polls(3);
		for (let times = 0; times < 40; times++) {
			somethingHappens(play, expected);
			if (play.chance.happens(0.2)) await play.publish('update');
			await play.polls(POLLS_TO_NOTICE);
			if (play.chance.happens(0.2)) {
				await play.restart();
				await play.polls(POLLS_TO_NOTICE);
			}
		}
		expected.close();
	},
};

/** All that the list of clients can do wrong. None of it says that a client is gone. */
const FAULTS: Readonly<Record<string, (play: Play) => void>> = {
	'is throttled': ({ service }) => {
		service.instead.push(({ path }) => (path === '/clients' ? throttled(120) : undefined));
	},
	'is refused': ({ service }) => {
		service.instead.push(({ path }) =>
			path === '/clients' ? refused(503, 'unavailable') : undefined,
		);
	},
	'ends too early': ({ service, chance }) => {
		service.alter = (page, { path }) => {
			const left = chance.below(page.records.length);
			return path === '/clients' ? { records: page.records.slice(0, left), hasMore: true } : page;
		};
	},
	'lacks some clients': ({ service, chance }) => {
		service.before.push(() => {
			for (const client of service.clients) client.isLeftOut = chance.happens(0.3);
		});
	},
};

const faulty = ([name, begin]: [string, (play: Play) => void]): World => ({
	name: `a list of clients that ${name} for an hour`,
	about: 'Nobody is gone because the list of clients fails, and no change is lost.',
	trigger,
	needs,
	modes: ['L', 'D+'],
	seeds: 2,
	service: { clients: 30 },
	story: async (play) => {
		const expected = new Expected(play);
		const { service } = play;
		await play.publish();
		await play.polls(3);
		begin(play);
		await play.polls(60, (at) => {
			if (at === 20) expected.join(play.chance.uuid(), 'Joins Meanwhile');
			if (at === 40) expected.set(play.chance.pick(service.clients), GONE);
		});
		service.instead = [];
		service.before = [];
		service.alter = (page) => page;
		for (const client of service.clients) client.isLeftOut = false;
		// The longest pause of a list that failed for an hour.
		await play.polls(30);
		expected.close();
	},
	errors: [{ says: /list of clients|reports more clients/i }],
});

export const CLIENT_CHANGES: readonly World[] = [lively, ...Object.entries(FAULTS).map(faulty)];
