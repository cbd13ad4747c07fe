/**
 * How long the requests of a poll may take: so that enough is left for the records, and none longer
 * than the poll itself may.
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
/** What was asked, and how many ms it might take: `/clients 20000`. */
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
	// Half a minute for a page, what is left of the poll, and a second at least.
	[300_000, OWN, asBefore, '/leads 30000'],
	[36_000, OWN, asBefore, '/leads 30000'],
	[10_000, OWN, asBefore, '/leads 8500'],
	[1_000, OWN, asBefore, '/leads 1000'],
	// For the clients a third of what is left for reading, which is seven tenths of all.
	[300_000, ALL, asBefore, '/clients 20000, /ada/leads 30000'],
	[36_000, ALL, asBefore, '/clients 8400, /ada/leads 30000'],
	[6_000, ALL, asBefore, '/clients 1400, /ada/leads 5100'],
	// For names what is left until the lists are given up.
	[299_999, ONE, withNews, '/ada/leads 30000, /clients 5000'],
	[5_000, ONE, withNews, '/ada/leads 4250, /clients 4250'],
	// For the records that decide whose a key is, ten seconds, or what is left for reading.
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

it('a page that has not come by then is given up, and its request aborted', async () => {
	const node = playedTrigger({ parameters: ONE, budgetMs: 36_000 });
	await node.outcomes(2);
	node.service.instead = { '/leads': hangs };
	node.takeAsked();
	expect(await node.outcomes(3)).toEqual([null, null, expect.stringMatching(/no response within/)]);
	const asked = node.takeAsked();
	expect(asked.length).toBeGreaterThanOrEqual(3);
	for (const { signal } of asked) expect(signal?.aborted).toBe(true);
});

it('a client that hangs does not hold up the others', async () => {
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

	it('ten seconds for a page, half a minute in all, and a second at least', async () => {
		for (const [ms, times] of [
			[9_500, [10_000, 10_000, 10_000, 1_500]],
			[29_500, [10_000, 1_000]],
		] as const) {
			const node = of(OWN, { '/leads': slow(ms) });
			await expect(node.poll()).rejects.toThrow('No lead was found');
			expect(timesOf(node)).toEqual(times.map((time) => `/leads ${time}`));
		}
	});

	it('as much for the clients, after which one page is read at any rate', async () => {
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
	'of %i leads, what a poll had no time for comes with the next',
	async (count) => {
		const node = await watching({ ids: numbered(2_000), budgetMs: 36_000 });
		// The check has got into the middle of the list.
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

it('work that does not end in time is given up, and says so', async () => {
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
