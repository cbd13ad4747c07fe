/**
 * "Client Changed": who joins, who changes and who is gone, each once, whatever happens to the list
 * of clients, the state and the process. `everyEvent` has what is true of all events.
 */
import type { IDataObject } from 'n8n-workflow';

import { pageOf, refused, throttled } from '../support/replies';
import {
	ADA,
	advance,
	BOB,
	CAT,
	clientOf,
	DAY,
	hangs,
	HOUR,
	numbered,
	playedTrigger,
	watching,
	type Answering,
} from './playedTrigger';

const EVENT = { event: 'clientChanged', watch: 'own' };
const given = (options: IDataObject = {}, filters: IDataObject = {}) => ({
	parameters: { ...EVENT, options, filters },
});
type Node = ReturnType<typeof playedTrigger>;

/** `status before → status` of each item of the next polls, or the message of an error. */
async function changes(node: Node, polls = 1, every?: number): Promise<unknown[]> {
	const told: unknown[] = [];
	for (let count = 0; count < polls; count++) {
		advance(every ?? 60_000);
		const items = await node.poll().catch((error: Error) => error.message);
		if (typeof items === 'string') told.push(items);
		for (const { user_id, previous_status, status } of Array.isArray(items) ? items : [])
			told.push(`${nameOf(user_id)}: ${String(previous_status)} → ${String(status)}`);
	}
	return told;
}
const nameOf = (id: unknown): string =>
	({ [ADA]: 'Ada', [BOB]: 'Bob', [CAT]: 'Cat' })[String(id)] ?? String(id);

/** From now on, the service lists these clients and knows no others. */
const list = (node: Node, ...clients: IDataObject[]): void => void (node.service.clients = clients);
const [ada, bob, cat] = [clientOf(ADA, 'Ada'), clientOf(BOB, 'Bob'), clientOf(CAT, 'Cat')];

describe('a client', () => {
	it('that exists does not come, one that joins comes by the next poll, with its record', async () => {
		const node = await watching(given());
		list(node, ada, bob, {
			...cat,
			business_name: 'Cat Ltd',
			grant: { status: 'active', id: 'g' },
		});
		advance(60_000);
		expect(await node.poll()).toEqual([
			{
				user_id: CAT,
				status: 'active',
				previous_status: null,
				full_name: 'Cat',
				business_name: 'Cat Ltd',
				client_id: CAT,
				client_name: 'Cat',
				account: 'client',
				event: 'clientChanged',
				detected_at: expect.any(String) as string,
				dedupe_key: expect.any(String) as string,
				changed_fields: ['status'],
			},
		]);
		expect(await changes(node, 3)).toEqual([]);
		// The list of clients is all that a poll reads.
		expect(node.takeAsked().map(({ path }) => path)).toEqual(Array(4).fill('/clients'));
	});

	it('that is listed with another status comes once the service confirms it', async () => {
		const node = await watching(given());
		list(node, ada, clientOf(BOB, 'Bob', 'revoked'));
		expect(await changes(node, 3)).toEqual(['Bob: active → revoked']);
		list(node, ada, bob);
		expect(await changes(node, 3)).toEqual(['Bob: revoked → active']);
		const isWrong = { [`/clients/${BOB}`]: { body: { data: bob } } };
		node.service.instead = isWrong;
		list(node, ada, clientOf(BOB, 'Bob', 'paused'));
		expect(await changes(node, 3)).toEqual([]);
	});

	it('is gone if two complete lists do not have it and the service does not show it', async () => {
		const node = await watching(given());
		list(node, ada);
		expect(await changes(node, 1)).toEqual([]);
		expect(await changes(node, 5)).toEqual(['Bob: active → gone']);
		list(node, ada, bob);
		expect(await changes(node, 3)).toEqual(['Bob: gone → active']);
	});

	it.each<[string, Node['service']['instead']]>([
		['is shown as active', { [`/clients/${BOB}`]: { body: { data: bob } } }],
		['cannot be read', { [`/clients/${BOB}`]: refused(500) }],
	])('is not gone while it %s', async (_, instead) => {
		const node = await watching(given());
		node.service.instead = instead;
		list(node, ada);
		expect(await changes(node, 6)).toEqual([]);
	});

	it('that is missing and shown with another status has that status', async () => {
		const node = await watching(given());
		list(node, ada);
		const shown = clientOf(BOB, 'Bob', 'revoked');
		node.service.instead = { [`/clients/${BOB}`]: { body: { data: shown } } };
		expect(await changes(node, 4)).toEqual(['Bob: active → revoked']);
	});

	it('that is listed twice has the status of its best grant, in any order', async () => {
		const old = { ...clientOf(BOB, 'Bob', 'revoked'), grant: { id: 'old', status: 'revoked' } };
		const now = { ...bob, grant: { id: 'new', status: 'active' } };
		const node = await watching({ ...given(), service: { clients: [ada, old, now] } });
		list(node, now, ada, old);
		expect(await changes(node, 2)).toEqual([]);
		list(node, ada, old);
		expect(await changes(node, 2)).toEqual(['Bob: active → revoked']);
	});

	it('whose grant shows no status is active', async () => {
		const node = await watching({ ...given(), service: { clients: [ada, { user_id: BOB }] } });
		list(node, ada, bob, { user_id: CAT });
		expect(await changes(node, 2)).toEqual(['Cat: null → active']);
	});

	it('comes and goes 48 times, and no two changes have the same key', async () => {
		const at = '2027-01-01T00:00:00.000Z';
		const withTimes = { ...bob, grant: { status: 'active', created_at: at, updated_at: at } };
		const node = await watching({ ...given(), service: { clients: [ada, withTimes] } });
		const keys: unknown[] = [];
		for (let times = 0; times < 96; times++) {
			list(node, ...(times % 2 === 0 ? [ada] : [ada, withTimes]));
			for (let polls = 0; polls < 3; polls++) {
				advance(60_000);
				keys.push(...((await node.poll()) ?? []).map(({ dedupe_key }) => dedupe_key));
			}
		}
		expect(keys).toHaveLength(96);
		expect(new Set(keys.slice(0, 60)).size).toBe(60);
	});

	it('shown by a lagging replica as it was earlier does not come', async () => {
		const since = (status: string, updated_at: string) => ({
			...bob,
			grant: { status, updated_at },
		});
		const old = since('pending', '2027-01-01T00:00:00Z');
		const now = since('active', '2027-01-02T00:00:00Z');
		const node = await watching({ ...given(), service: { clients: [old] } });
		list(node, now);
		expect(await changes(node)).toEqual(['Bob: pending → active']);
		for (const shown of [old, now, old, now]) {
			list(node, shown);
			expect(await changes(node)).toEqual([]);
		}
	});
});

describe('nobody is gone', () => {
	const endless: Answering = ({ offset }) => pageOf([ada], { offset, hasMore: true });
	it.each<[string, Node['service']['instead'][string], unknown]>([
		['while the list may be incomplete', endless, /reports more clients than it lists/],
		['while the service asks to wait', throttled(60), /list of clients could not be read/],
		['while the list fails', refused(503, 'unavailable'), /list of clients could not be read/],
		['while the list hangs', hangs, /list of clients could not be read|no response/],
	])('%s, and that is reported within the hour', async (_, reply, words) => {
		const node = await watching(given());
		node.service.instead = { '/clients': reply };
		const told = await changes(node, 60);
		expect(told.every((one) => !String(one).includes('→'))).toBe(true);
		expect([1, 2]).toContain(told.length);
		expect(told[0]).toMatch(words as RegExp);
		node.service.instead = {};
		list(node, ada);
		expect(await changes(node, 20)).toEqual(['Bob: active → gone']);
	});

	it('and nobody is new, if the list was never complete', async () => {
		const more: Answering = ({ offset }) => pageOf([ada, bob], { offset, hasMore: true });
		const node = playedTrigger({ ...given(), service: { instead: { '/clients': more } } });
		await changes(node, 3);
		node.service.instead = {};
		list(node, ada, bob, cat);
		expect(await changes(node, 3)).toEqual([]);
		list(node, ada, bob, cat, clientOf(ADA.replace(/..$/, '99'), 'Dan'));
		expect(await changes(node, 3)).toHaveLength(1);
	});
});

describe('the state', () => {
	it.each([
		['a restart', (node: Node) => node.restart()],
		['publishing again', async (node: Node) => await node.publish()],
		['two days without a poll', () => advance(2 * DAY)],
	])('outlasts %s', async (_, happens) => {
		const node = await watching(given());
		list(node, ada, cat);
		await happens(node);
		expect((await changes(node, 6)).sort()).toEqual(
			expect.arrayContaining([expect.stringContaining('Bob: active → gone')]),
		);
		await happens(node);
		expect(await changes(node, 6)).toEqual([]);
	});

	it('that was damaged: who joined since the last poll comes, nobody else does', async () => {
		const now = new Date().toISOString();
		const node = await watching(given());
		node.add('x');
		const joins = (created_at: string) => ({ ...cat, grant: { status: 'active', created_at } });
		(node.host.data.watch as IDataObject).sum = 'damaged';
		list(node, ada, bob, joins(new Date(Date.parse(now) + HOUR).toISOString()));
		node.restart();
		const told = await changes(node, 3, HOUR);
		expect(told.filter((one) => String(one).includes('→'))).toEqual(['Cat: null → active']);
		expect(told.filter((one) => /damaged/.test(String(one)))).toHaveLength(1);
	});

	it('without clients: the first one comes', async () => {
		const node = await watching({ ...given(), service: { clients: [] } });
		node.restart();
		list(node, ada);
		expect(await changes(node, 2)).toEqual(['Ada: null → active']);
	});

	it('of another event: nobody comes when the event is chosen', async () => {
		const node = await watching({ parameters: { event: 'newLead', watch: 'allClients' } });
		node.host.parameters = node.host.stored = given().parameters;
		expect(await changes(node, 3)).toEqual([]);
		list(node, ada, bob, cat);
		expect(await changes(node, 3)).toEqual(['Cat: null → active']);
	});

	it('forgets a client a month after it is gone, who then joins again', async () => {
		const node = await watching(given());
		list(node, ada);
		expect(await changes(node, 3)).toEqual(['Bob: active → gone']);
		expect(await changes(node, 5, 7 * DAY)).toEqual([]);
		expect(JSON.stringify(node.host.data)).not.toContain(BOB);
		list(node, ada, bob);
		expect(await changes(node, 2)).toEqual(['Bob: null → active']);
	});

	it('stays below 400 characters for each client', async () => {
		const clients = numbered(300, 100).map((end) => clientOf(ADA.replace(/...$/, end), end));
		const node = await watching({ ...given(), service: { clients } });
		await changes(node, 3);
		expect(JSON.stringify(node.host.data).length).toBeLessThan(1_500 + 400 * clients.length);
	});
});

describe('another key', () => {
	it('of another agency: nobody is gone, nobody is new, and that is reported', async () => {
		const node = await watching(given());
		node.useKey('x_live_other');
		list(node, cat);
		expect(await changes(node, 4)).toEqual([
			expect.stringMatching(/belongs to a different account/),
		]);
		list(node, cat, ada);
		expect(await changes(node, 4)).toEqual(['Ada: null → active']);
	});

	it('of the same agency: who was gone is gone', async () => {
		const node = await watching(given());
		node.useKey('x_live_other');
		list(node, ada);
		expect(await changes(node, 4)).toEqual(['Bob: active → gone']);
	});

	it.each<[string, Partial<Node['service']>]>([
		['is refused', { instead: { '/clients': refused(403, 'forbidden') } }],
		['belongs to a direct user', { clients: [], me: { actor_type: 'direct_user' } }],
	])('that %s is an error that says so, also in a test', async (_, service) => {
		for (const mode of ['trigger', 'manual'] as const) {
			const node = playedTrigger({ ...given(), mode, service });
			await node.outcome();
			await node.outcome();
			advance(2 * HOUR);
			expect(await node.outcome()).toMatch(
				/^"Client Changed" watches the clients of an agency, but/,
			);
		}
	});
});

describe('options and filters', () => {
	it('Emit Existing brings the existing clients once, also if it is turned on later', async () => {
		const node = playedTrigger(given({ emitExisting: true }));
		expect((await changes(node, 3)).sort()).toEqual(['Ada: null → active', 'Bob: null → active']);
		const later = await watching(given());
		later.host.parameters = later.host.stored = given({ emitExisting: true }).parameters;
		expect((await changes(later, 3)).sort()).toEqual(['Ada: null → active', 'Bob: null → active']);
	});

	it('New Statuses lets only these through', async () => {
		const node = await watching(given({}, { newStatuses: 'gone, paused' }));
		list(node, ada, cat);
		expect(await changes(node, 4)).toEqual(['Bob: active → gone']);
		list(node, clientOf(ADA, 'Ada', 'paused'), bob, cat);
		expect(await changes(node, 4)).toEqual(['Ada: active → paused']);
	});

	it('Max Items per Poll delivers the rest in the next polls', async () => {
		const clients = numbered(25, 10).map((end) => clientOf(ADA.replace(/..$/, end), end));
		const node = await watching({ ...given({ maxItemsPerPoll: 10 }), service: { clients: [] } });
		list(node, ...clients);
		const counts: number[] = [];
		for (let polls = 0; polls < 4; polls++) counts.push((await changes(node)).length);
		expect(counts).toEqual([10, 10, 5, 0]);
	});

	it('options for reading lists have no effect, and that is reported once', async () => {
		const node = playedTrigger(given({ share: '1 of 2', completeCheckEvery: 2 }));
		expect(await changes(node, 3)).toEqual([
			'"Complete Check Every (Hours)" and "Share of Clients" have no effect on this event. Remove these options.',
		]);
		list(node, ada, bob, cat);
		expect(await changes(node, 3)).toEqual(['Cat: null → active']);
	});

	it('a test shows existing clients, as they would come, or says that there is none', async () => {
		const node = playedTrigger({ ...given(), mode: 'manual' });
		expect(await node.poll()).toMatchObject([
			{ user_id: ADA, status: 'active', previous_status: null, event: 'clientChanged' },
			{ user_id: BOB, status: 'active' },
		]);
		expect(node.host.data).toEqual({});
		node.host.parameters = node.host.stored = given({}, { newStatuses: 'gone' }).parameters;
		expect(await node.outcome()).toBe('No client matches these filters yet.');
		list(node);
		expect(await node.outcome()).toMatch(/^No client/);
	});
});
