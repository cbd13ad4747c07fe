/**
 * How long the requests of a poll may take: so that enough is left for the records, and none longer
 * than the poll itself may.
 */
import type { IDataObject } from 'n8n-workflow';

import { OWN } from '../support/kit/index';
import {
	ADA,
	ALL,
	advance,
	CHOSEN,
	hangs,
	pageFrom,
	pageOf,
	playedTrigger,
	refusalOf,
	type Answer,
} from './playedTrigger';

type Node = ReturnType<typeof playedTrigger>;
type Time = [path: string, ms: number];

const ONE = { ...CHOSEN, clientIds: [ADA] };
const THEIRS = `/clients/${ADA}/leads`;
const timesOf = (node: Node): Time[] =>
	node.takeAsked().map(({ path, timeout = 0 }) => [path, Math.round(timeout)]);

it('of the poll that publishes, a third of what is left of its twenty seconds for the clients', async () => {
	const of = async (parameters: IDataObject) => {
		const node = playedTrigger({ parameters });
		await node.poll();
		return timesOf(node)[0];
	};
	expect(await of(ALL)).toEqual(['/clients', 4_667]);
	expect(await of(OWN)).toEqual(['/me', 5_000]);
});

const withNews = (node: Node) => node.add('new');
const withAnotherKey = (node: Node) => {
	node.service.instead = { '/me': refusalOf(404) };
	node.useKey('x_live_other');
};
it.each<[number, IDataObject, (node: Node) => void, Time[]]>([
	// Half a minute for a page, what is left of the poll, and a second at least.
	[300_000, OWN, () => undefined, [['/leads', 30_000]]],
	[36_000, OWN, () => undefined, [['/leads', 30_000]]],
	[10_000, OWN, () => undefined, [['/leads', 8_500]]],
	[1_000, OWN, () => undefined, [['/leads', 1_000]]],
	// For the clients a third of what is left for reading, which is seven tenths of all.
	[
		300_000,
		ALL,
		() => undefined,
		[
			['/clients', 20_000],
			['T', 30_000],
		],
	],
	[
		36_000,
		ALL,
		() => undefined,
		[
			['/clients', 8_400],
			['T', 30_000],
		],
	],
	[
		6_000,
		ALL,
		() => undefined,
		[
			['/clients', 1_400],
			['T', 5_100],
		],
	],
	// For names what is left until the lists are given up.
	[
		299_999,
		ONE,
		withNews,
		[
			['T', 30_000],
			['/clients', 5_000],
		],
	],
	[
		5_000,
		ONE,
		withNews,
		[
			['T', 4_250],
			['/clients', 4_250],
		],
	],
	// For the records that decide whose a key is, ten seconds, or what is left for reading.
	[
		300_000,
		OWN,
		withAnotherKey,
		[
			['/me', 5_000],
			['/leads', 10_000],
			['/leads', 30_000],
		],
	],
	[
		6_000,
		OWN,
		withAnotherKey,
		[
			['/me', 5_000],
			['/leads', 4_200],
			['/leads', 5_100],
		],
	],
])('of a poll within %i ms: %j', async (budgetMs, parameters, change, expected) => {
	const clients = [{ user_id: ADA }];
	const node = playedTrigger({ parameters, budgetMs, service: { clients } });
	await node.outcomes(parameters === ONE ? 1 : 2);
	node.takeAsked();
	change(node);
	await node.poll();
	expect(timesOf(node)).toEqual(expected.map(([path, ms]) => [path === 'T' ? THEIRS : path, ms]));
});

it('a page that has not come by then is given up, and its request aborted', async () => {
	const node = playedTrigger({ parameters: ONE, budgetMs: 36_000 });
	await node.outcomes(2);
	node.service.instead = { '/leads': hangs };
	node.takeAsked();
	expect(await node.outcomes(3)).toEqual([null, null, expect.stringMatching(/no answer within/)]);
	const asked = node.takeAsked();
	expect(asked.length).toBeGreaterThanOrEqual(3);
	for (const { signal } of asked) expect(signal?.aborted).toBe(true);
});

describe('of a test event', () => {
	const slow =
		(ms: number): Answer =>
		({ offset }) => {
			advance(ms);
			return pageOf([], { offset, hasMore: true });
		};
	const of = (parameters: IDataObject, instead: Record<string, Answer>) =>
		playedTrigger({ mode: 'manual', parameters, service: { instead } });

	it('ten seconds for a page, half a minute in all, and a second at least', async () => {
		for (const [ms, times] of [
			[9_500, [10_000, 10_000, 10_000, 1_500]],
			[29_500, [10_000, 1_000]],
		] as const) {
			const node = of(OWN, { '/leads': slow(ms) });
			await expect(node.poll()).rejects.toThrow('No lead was found');
			expect(timesOf(node).map(([, time]) => time)).toEqual(times);
		}
	});

	it('as much for the clients, after which one page is read at any rate', async () => {
		const late = of(ALL, {});
		late.service.instead['/clients'] = (asked) => {
			advance(31_000);
			return pageFrom(late.service.clients, asked);
		};
		expect(await late.poll()).toHaveLength(1);
		expect(timesOf(late)[0]).toEqual(['/clients', 10_000]);
	});
});
