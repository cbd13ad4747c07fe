/**
 * If the service asks to wait, that list is not read for this time, but at most a day, and no other
 * list waits with it. Whatever else has to wait, the records have their turn.
 */
import { refused, throttled } from '../support/replies';
import {
	ADA,
	advance,
	ALL,
	BOB,
	CAT,
	CHOSEN,
	clientOf,
	DAY,
	HOUR,
	leads,
	MINUTE,
	playedTrigger,
	watching,
	type Outcome,
} from './playedTrigger';

type Node = ReturnType<typeof playedTrigger>;

const OF_THREE = { ...CHOSEN, clientIds: [ADA, BOB, CAT] };
/** The results of the polls in this many minutes. */
async function minutes(node: Node, count: number) {
	const found = { errors: [] as string[], ids: [] as unknown[] };
	for (const one of await node.outcomes(count)) {
		if (typeof one === 'string') found.errors.push(one);
		else found.ids.push(...(one ?? []));
	}
	return found;
}
/** The accounts whose leads were requested since the last call. */
const readOf = (node: Node): Set<string> =>
	new Set(node.takeAsked().flatMap(({ path }) => (path.endsWith('/leads') ? [path] : [])));
const leadsOf = (client: string): string => `/clients/${client}/leads`;

it('nothing is sent while all lists wait, and the first poll after that continues', async () => {
	const node = await watching({ parameters: OF_THREE });
	node.service.instead = { '/leads': throttled(600) };
	expect(await node.outcomes(1)).toEqual([null]);
	node.service.instead = {};
	node.add('b');
	node.takeAsked();
	expect(await node.outcomes(9)).toEqual(Array<Outcome>(9).fill(null));
	expect(node.asked).toEqual([]);
	expect((await minutes(node, 3)).ids).toEqual(['b', 'b', 'b']);
});

it('a client that has to wait for a day does not delay the others, and is named once an hour', async () => {
	const node = await watching({ parameters: OF_THREE });
	node.service.instead = { [leadsOf(BOB)]: throttled(86_400) };
	const errors: string[] = [];
	const found: unknown[] = [];
	for (let minute = 0; minute < 180; minute++) {
		node.add(`${minute}`);
		const polled = await minutes(node, 1);
		errors.push(...polled.errors);
		found.push(...polled.ids);
	}
	// The last batch may come with the poll after it.
	found.push(...(await minutes(node, 1)).ids);
	for (const error of errors) expect(error).toMatch(`The leads of Bob (${BOB}) could not be read.`);
	expect(errors).toHaveLength(1);
	for (let minute = 0; minute < 180; minute++)
		expect(found.filter((id) => id === `${minute}`)).toHaveLength(2);
});

it('while a client waits, its leads are not requested, but those of the others are in each poll', async () => {
	const node = await watching({ parameters: OF_THREE });
	node.service.instead = { [leadsOf(BOB)]: throttled(600) };
	await node.outcomes(1);
	node.service.instead = {};
	for (let minute = 1; minute < 10; minute++) {
		node.takeAsked();
		await node.outcomes(1);
		expect(readOf(node)).toEqual(new Set([ADA, CAT].map(leadsOf)));
	}
	await node.outcomes(1);
	expect(readOf(node)).toEqual(new Set([ADA, BOB, CAT].map(leadsOf)));
});

it('a wait of a year is not believed: after a day, the lists are read again', async () => {
	const node = await watching();
	node.service.instead = { '/leads': throttled(366 * 24 * 3_600) };
	const error: unknown = await node.poll().catch((one: unknown) => one);
	expect(error).toMatchObject({ failure: { cause: 'rate-limited', retryAfterMs: DAY } });
	node.takeAsked();
	await node.outcomes(1, 23 * HOUR);
	expect(node.takeAsked()).toEqual([]);
	await node.outcomes(1, 2 * HOUR);
	expect(node.takeAsked().length).toBeGreaterThan(0);
});

it('the third poll that has to wait tells n8n for how long', async () => {
	const node = await watching();
	node.service.instead = { '/leads': throttled(120) };
	expect(await node.outcomes(2, 3 * MINUTE)).toEqual([null, null]);
	advance(3 * MINUTE);
	await expect(node.poll()).rejects.toMatchObject({
		failure: { cause: 'rate-limited', retryAfterMs: 120_000 },
	});
});

it.each([429, 503])('a client that always has to (%i) leaves the others a turn', async (status) => {
	const node = await watching({ parameters: OF_THREE });
	node.service.instead = {
		[`/clients/${BOB}/leads`]: throttled(600, refused(status, 'unavailable')),
	};
	await node.outcomes(1);
	node.service.lists = { [`/clients/${ADA}/leads`]: leads('b', 'a') };
	// The first turn after each wait is random, so that no client is always late.
	expect((await minutes(node, 181)).ids).toEqual(['b']);
});

it('a test by hand that has to wait does not stop the polls', async () => {
	const node = await watching();
	node.service.instead = { '/leads': throttled(86_400) };
	node.host.mode = 'manual';
	expect(await node.outcome()).toEqual(expect.any(String));
	node.host.mode = 'trigger';
	node.service.instead = {};
	node.add('b');
	expect(await node.outcome()).toEqual(['b']);
});

it('requests are sent at once when the workflow is switched on', async () => {
	const node = await watching();
	node.service.instead = { '/leads': throttled(86_400) };
	await node.outcomes(1);
	node.service.instead = {};
	node.add('b');
	expect(await node.outcomes(1)).toEqual([null]);
	expect(await node.publish()).toEqual([expect.objectContaining({ id: 'b' })]);
});

describe('always has to wait', () => {
	it.each([429, 503])('for the owner of the key (%i), it reads all the same', async (status) => {
		const node = playedTrigger({
			service: { instead: { '/me': throttled(7_200, refused(status, 'unavailable')) } },
		});
		expect(await node.outcome()).toBeNull();
		node.add('b');
		expect(await minutes(node, 1)).toEqual({ errors: [], ids: ['b'] });
		await minutes(node, 119);
		node.add('c');
		expect(await minutes(node, 1)).toEqual({ errors: [], ids: ['c'] });
	});

	it('for the owner of another key, the records decide, or the list starts over once it answers', async () => {
		for (const isKnown of [true, false]) {
			const node = await watching();
			node.service.instead = { '/me': throttled(3_600) };
			node.useKey('x_live_other');
			if (!isKnown) {
				[node.service.me, node.service.records] = [{ user_id: 'you' }, leads('x')];
				await minutes(node, 7 * 61);
				node.service.instead = {};
				await minutes(node, 65);
			}
			node.add('b');
			expect((await minutes(node, 65)).ids).toEqual(['b']);
		}
	});

	it.each([7_200, 86_400])('for names, %i s each time, it reads all the same', async (seconds) => {
		const node = playedTrigger({
			parameters: { ...CHOSEN, clientIds: [ADA] },
			service: { instead: { '/clients': throttled(seconds) } },
		});
		await node.poll();
		for (const id of ['b', 'c', 'd', 'e', 'f']) {
			node.add(id);
			expect(await minutes(node, 20)).toEqual({ errors: [], ids: [id] });
		}
	});

	it('for the clients, the known and the new ones are read, but none that have left', async () => {
		const node = await watching({ parameters: ALL });
		node.service.clients = [clientOf(ADA), clientOf(BOB, 'Bob', 'paused'), clientOf(CAT)];
		await node.outcomes(1);
		node.service.instead = { '/clients': throttled(3_600) };
		const [first, ...more] = (await minutes(node, 59)).errors;
		expect(first).toMatch(/^The list of clients could not be read\./);
		expect(more).toEqual([]);
		const read = () => new Set(node.takeAsked().flatMap(({ path }) => path.split('/')[2] ?? []));
		await minutes(node, 2);
		node.takeAsked();
		node.add('b');
		expect(await minutes(node, 50)).toEqual({ errors: [], ids: ['b', 'b'] });
		expect(read()).toEqual(new Set([ADA, CAT]));
		// Another process knows those that left from the stored state.
		node.restart();
		await node.outcomes(1);
		node.takeAsked();
		await node.outcomes(1, 61 * MINUTE);
		expect(read()).toEqual(new Set([ADA, CAT]));
	});
});

it('publishing the workflow again ends the wait for the list of clients', async () => {
	const node = await watching({ parameters: ALL });
	node.service.instead = { '/clients': throttled(3_600) };
	await node.outcomes(1);
	node.service.instead = {};
	node.takeAsked();
	await node.outcomes(1);
	expect(node.takeAsked().filter(({ path }) => path === '/clients')).toEqual([]);
	await node.publish();
	expect(node.takeAsked().filter(({ path }) => path === '/clients')).toHaveLength(1);
});

it('a wait of all lists is one of the list of clients too, until the workflow is published again', async () => {
	const node = await watching({ parameters: ALL });
	node.service.instead = { '/leads': throttled(3_600) };
	await node.outcomes(1);
	node.service.instead = {};
	node.takeAsked();
	await node.outcomes(1);
	expect(node.takeAsked()).toEqual([]);
	await node.publish();
	expect(node.takeAsked().map(({ path }) => path)).toContain('/clients');
});

it('a wait of a day while there is something to deliver is reported by the next poll', async () => {
	const node = await watching({ parameters: CHOSEN });
	node.add('b');
	node.service.instead = { [leadsOf(BOB)]: throttled(86_400) };
	expect(await node.outcomes(1)).toEqual([['b']]);
	node.add('c');
	expect(await node.outcomes(2)).toEqual([expect.stringContaining(BOB), ['c']]);
	expect((await minutes(node, 60)).errors).toEqual([]);
});

it('a page that fails for a moment is requested twice', async () => {
	const node = await watching();
	node.service.instead = { '/leads': refused(500, 'internal_error') };
	expect(await node.outcome()).toBeNull();
	expect(node.takeAsked()).toHaveLength(2);
});
