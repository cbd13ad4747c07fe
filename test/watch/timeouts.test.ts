/**
 * How long the requests of a poll may take: enough time is left for the records, and no request
 * outlives the poll.
 */
import type { IDataObject } from 'n8n-workflow';

import { OWN } from '../support/kit/index';
import { inTime } from '../../nodes/LeadGenPublishing/watch/session';
import { pageFrom, pageOf, refused } from '../support/replies';
import {
	ADA,
	ALL,
	advance,
	CHOSEN,
	clientOf,
	hangs,
	HOUR,
	MINUTE,
	numbered,
	playedTrigger,
	watching,
	type Answering,
} from './playedTrigger';

type Node = ReturnType<typeof playedTrigger>;

const ONE = { ...CHOSEN, clientIds: [ADA] };
/** The requests, and their time limit in ms: `/clients 20000`. */
const timesOf = (node: Node): string[] =>
	node
		.takeAsked()
		.map(({ path, timeout = 0 }) =>
			[path.replace(`/clients/${ADA}`, '/ada'), Math.round(timeout)].join(' '),
		);

it.each([
	[ALL, '/clients 4667'],
	[OWN, '/me 5000'],
])(
	'of the poll that publishes, a third of its twenty seconds: %j',
	async (parameters, expected) => {
		const node = playedTrigger({ parameters });
		await node.poll();
		expect(timesOf(node)[0]).toBe(expected);
	},
);

const asBefore = () => undefined;
const withNews = (node: Node) => node.add('new');
const withAnotherKey = (node: Node) => {
	node.service.instead = { '/me': refused(404, 'internal_error') };
	node.useKey('x_live_other');
};
it.each<[number, IDataObject, (node: Node) => void, string]>([
	// Half a minute for a page, or the rest of the poll, but at least a second.
	[300_000, OWN, asBefore, '/leads 30000'],
	[36_000, OWN, asBefore, '/leads 30000'],
	[10_000, OWN, asBefore, '/leads 8500'],
	[1_000, OWN, asBefore, '/leads 1000'],
	// For the clients, a third of the time for reading, which is seven tenths of the whole.
	[300_000, ALL, asBefore, '/clients 20000, /ada/leads 30000'],
	[36_000, ALL, asBefore, '/clients 8400, /ada/leads 30000'],
	[6_000, ALL, asBefore, '/clients 1400, /ada/leads 5100'],
	// For names, the time until the lists are given up.
	[299_999, ONE, withNews, '/ada/leads 30000, /clients 5000'],
	[5_000, ONE, withNews, '/ada/leads 4250, /clients 4250'],
	// For the records that identify the owner of a key, ten seconds, or the rest of the time for
	// reading.
	[300_000, OWN, withAnotherKey, '/me 5000, /leads 10000, /leads 30000'],
	[6_000, OWN, withAnotherKey, '/me 5000, /leads 4200, /leads 5100'],
])('of a poll within %i ms: %j', async (budgetMs, parameters, change, expected) => {
	const clients = [{ user_id: ADA }];
	const node = playedTrigger({ parameters, budgetMs, service: { clients } });
	await node.outcomes(parameters === ONE ? 1 : 2);
	node.takeAsked();
	change(node);
	await node.poll();
	expect(timesOf(node).join(', ')).toBe(expected);
});

it.each([
	[10, 30_000],
	[11, 10_000],
])('of %i lists, each page may take %i ms', async (count, ms) => {
	const clientIds = numbered(count, 10).map((end) => ADA.replace(/..$/, end));
	const node = await watching({ parameters: { ...CHOSEN, clientIds } });
	await node.outcomes(1);
	const asked = node.takeAsked();
	expect(asked.map(({ timeout }) => timeout)).toEqual(Array(count).fill(ms));
});

it('a page that has not arrived by then is given up, and its request is aborted', async () => {
	const node = playedTrigger({ parameters: ONE, budgetMs: 36_000 });
	await node.outcomes(2);
	node.service.instead = { '/leads': hangs };
	node.takeAsked();
	expect(await node.outcomes(3)).toEqual([null, null, expect.stringMatching(/no response within/)]);
	const asked = node.takeAsked();
	expect(asked.length).toBeGreaterThanOrEqual(3);
	for (const { signal } of asked) expect(signal?.aborted).toBe(true);
});

it.each([
	[15_000, 2],
	[16_000, 1],
])('after a page that took %i ms, %i in total are asked for in 30.6 s', async (ms, pages) => {
	const node = await watching({ budgetMs: 36_000 });
	node.add(...numbered(250, 5_001));
	node.service.instead = {
		'/leads': (asked) => {
			advance(ms);
			return pageFrom(node.service.records, asked);
		},
	};
	await node.outcomes(1);
	expect(timesOf(node)).toHaveLength(pages);
});

it('a client that hangs does not delay the others', async () => {
	// Then the one that hangs is the first to be read.
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	const node = await watching({ parameters: CHOSEN, budgetMs: 36_000 });
	node.service.instead = { [`${ADA}/leads`]: hangs };
	for (const id of ['b', 'c']) {
		node.add(id);
		node.takeAsked();
		expect(await node.outcomes(1, 11 * MINUTE)).toEqual([[id]]);
		expect(timesOf(node)[0]).toMatch(/^\/ada/);
	}
});

describe('of a test event', () => {
	const slow =
		(ms: number): Answering =>
		({ offset }) => {
			advance(ms);
			return pageOf([], { offset, hasMore: true });
		};
	const of = (parameters: IDataObject, instead: Record<string, Answering>) =>
		playedTrigger({ mode: 'manual', parameters, service: { instead } });

	it('ten seconds for a page, half a minute in total, and at least a second', async () => {
		const clients = numbered(5, 10).map((end) => clientOf(ADA.replace(/..$/, end)));
		for (const [ms, times] of [
			[9_500, [10_000, 10_000, 10_000, 1_500]],
			[29_500, [10_000, 1_000]],
		] as const) {
			const parameters = { ...CHOSEN, clientIds: clients.map(({ user_id }) => user_id) };
			const node = of(parameters as IDataObject, { '/leads': slow(ms) });
			await expect(node.poll()).rejects.toThrow(/^No lead|^There are no leads/);
			expect(timesOf(node).map((time) => time.split(' ')[1])).toEqual(times.map(String));
		}
	});

	it('the same for the clients, and then at least one page is read', async () => {
		const late = of(ALL, {});
		late.service.instead['/clients'] = (asked) => {
			advance(31_000);
			return pageFrom(late.service.clients, asked);
		};
		expect(await late.poll()).toHaveLength(1);
		expect(timesOf(late)[0]).toBe('/clients 10000');
	});
});

it.each([250, 450, 900])(
	'of %i leads, those that a poll had no time for come with the next',
	async (count) => {
		const node = await watching({ ids: numbered(2_000), budgetMs: 36_000 });
		// The check has reached the middle of the list.
		await node.outcomes(3, HOUR);
		node.add(...numbered(count, 5_001));
		node.service.instead = {
			'/leads': (asked) => {
				advance(14_000);
				return pageFrom(node.service.records, asked);
			},
		};
		const [first] = await node.outcomes(1);
		node.service.instead = {};
		const [rest, ...none] = await node.outcomes(3);
		expect([first, rest].map((one) => one?.length)).toEqual([190, count - 190]);
		expect(none).toEqual([null, null]);
	},
);

it('work that does not end in time is given up, with an error', async () => {
	const late = new Error('too late');
	let signal: AbortSignal | undefined;
	const waiting = inTime(1_000, late, async (givenUp) => {
		signal = givenUp;
		return await new Promise<never>(() => undefined);
	});
	const ended = expect(waiting).rejects.toBe(late);
	await jest.advanceTimersByTimeAsync(999);
	expect(signal?.aborted).toBe(false);
	await jest.advanceTimersByTimeAsync(1);
	await ended;
	expect(signal?.aborted).toBe(true);
});
