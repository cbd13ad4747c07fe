/**
 * A list whose service asks to wait is left alone for that time, but never for longer than a day, and
 * no other list waits with it. Whatever else was asked to wait, the records have their turn.
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
/** What came of the polls of so many minutes. */
async function minutes(node: Node, count: number) {
	const found = { errors: [] as string[], ids: [] as unknown[] };
	for (const one of await node.outcomes(count)) {
		if (typeof one === 'string') found.errors.push(one);
		else found.ids.push(...(one ?? []));
	}
	return found;
}
/** Whose leads were asked for since the last time. */
const readOf = (node: Node): Set<string> =>
	new Set(node.takeAsked().flatMap(({ path }) => (path.endsWith('/leads') ? [path] : [])));
const leadsOf = (client: string): string => `/clients/${client}/leads`;

it('nothing is sent within the wait of all lists, and the first poll after it reads on', async () => {
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

it('one client that is to wait for a day keeps no other one from being read, and is named once an hour', async () => {
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

it('within its wait, a client is not asked for its leads, and others are in each poll', async () => {
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

it('a year is not believed: after a day the lists are read again', async () => {
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

it('the third poll that is asked to wait tells n8n for how long', async () => {
	const node = await watching();
	node.service.instead = { '/leads': throttled(120) };
	expect(await node.outcomes(2, 3 * MINUTE)).toEqual([null, null]);
	advance(3 * MINUTE);
	await expect(node.poll()).rejects.toMatchObject({
		failure: { cause: 'rate-limited', retryAfterMs: 120_000 },
	});
});

it.each([429, 503])(
	'one client that always asks to (%i) leaves the others a turn',
	async (status) => {
		const node = await watching({ parameters: OF_THREE });
		node.service.instead = {
			[`/clients/${BOB}/leads`]: throttled(600, refused(status, 'unavailable')),
		};
		await node.outcomes(1);
		node.service.lists = { [`/clients/${ADA}/leads`]: leads('b', 'a') };
		// Whose turn is first after each wait is a matter of chance, so that none is always late.
		expect((await minutes(node, 181)).ids).toEqual(['b']);
	},
);

it('a test by hand that is asked to wait keeps no poll from reading', async () => {
	const node = await watching();
	node.service.instead = { '/leads': throttled(86_400) };
	node.host.mode = 'manual';
	expect(await node.outcome()).toEqual(expect.any(String));
	node.host.mode = 'trigger';
	node.service.instead = {};
	node.add('b');
	expect(await node.outcome()).toEqual(['b']);
});

it('it is asked at once when the workflow is switched on', async () => {
	const node = await watching();
	node.service.instead = { '/leads': throttled(86_400) };
	await node.outcomes(1);
	node.service.instead = {};
	node.add('b');
	expect(await node.outcomes(1)).toEqual([null]);
	expect(await node.publish()).toEqual([expect.objectContaining({ id: 'b' })]);
});

describe('asked again and again', () => {
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

	it('for the owner of another key, the records decide, or it is asked up to five times', async () => {
		for (const isKnown of [true, false]) {
			const node = await watching();
			node.service.instead = { '/me': throttled(3_600) };
			node.useKey('x_live_other');
			if (!isKnown) node.service.records = leads('x');
			await minutes(node, isKnown ? 0 : 7 * 61);
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

	it('for the clients, those that are known are read, new ones too, and none that have left', async () => {
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
		// Another process knows of those that left by what was stored.
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

it('a wait of a day while there is something to deliver is told by the next poll', async () => {
	const node = await watching({ parameters: CHOSEN });
	node.add('b');
	node.service.instead = { [leadsOf(BOB)]: throttled(86_400) };
	expect(await node.outcomes(1)).toEqual([['b']]);
	node.add('c');
	expect(await node.outcomes(2)).toEqual([expect.stringContaining(BOB), ['c']]);
	expect((await minutes(node, 60)).errors).toEqual([]);
});

it('a page that fails for a moment is asked for twice', async () => {
	const node = await watching();
	node.service.instead = { '/leads': refused(500, 'internal_error') };
	expect(await node.outcome()).toBeNull();
	expect(node.takeAsked()).toHaveLength(2);
});
