/**
 * How long the requests of a poll may take: those for the records, ten seconds; those beside them,
 * so that enough is left for the records; and none longer than the poll itself may.
 */
import type { IDataObject } from 'n8n-workflow';

import { OWN } from '../support/kit/index';
import { advance, leads, pageOf, playedTrigger, refusalOf, type Answer } from './playedTrigger';

const CLIENT = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const ALL = { event: 'newLead', watch: 'allClients' };
const CHOSEN = { event: 'newLead', watch: 'clients', clientIds: [CLIENT] };
const THEIRS = `/clients/${CLIENT}/leads`;

let ids: string[] = [];
beforeEach(() => {
	ids = ['a'];
});
const answer: Answer = ({ path }) => {
	if (path === '/clients') return pageOf([{ user_id: CLIENT }]);
	if (path === '/me') return { body: { data: { user_id: 'me' } } };
	return pageOf(leads(...ids));
};

/** How long each request of the poll after the first one may take. */
async function timesOf(parameters: IDataObject, budgetMs: number): Promise<Record<string, number>> {
	const node = playedTrigger({ answer, parameters, budgetMs });
	await node.poll();
	node.takeAsked();
	await node.poll();
	return Object.fromEntries(node.asked.map(({ path, timeout = 0 }) => [path, Math.round(timeout)]));
}

it('a page of records, half a minute', async () => {
	expect(await timesOf(OWN, 300_000)).toEqual({ '/leads': 30_000 });
	expect(await timesOf(OWN, 36_000)).toEqual({ '/leads': 30_000 });
});

it('a page of records, what is left of the poll, and a second at least', async () => {
	expect(await timesOf(OWN, 10_000)).toEqual({ '/leads': 8_500 });
	expect(await timesOf(OWN, 1_000)).toEqual({ '/leads': 1_000 });
});

it('who owns the key, five seconds', async () => {
	const node = playedTrigger({ answer });
	await node.poll();
	expect(node.asked.find(({ path }) => path === '/me')?.timeout).toBe(5_000);
});

it.each([
	// A third of what is left for reading, which is seven tenths of all.
	[36_000, 8_400, 30_000],
	[6_000, 1_400, 5_100],
	[300_000, 20_000, 30_000],
])('within %i ms, the list of clients %i ms, and their records %i ms', async (all, list, page) => {
	expect(await timesOf(ALL, all)).toEqual({ '/clients': list, [THEIRS]: page });
});

it('while the workflow is published, a third of what is left of twenty seconds', async () => {
	const node = playedTrigger({ answer, parameters: ALL });
	await node.poll();
	const asked = node.asked.map(({ path, timeout = 0 }) => [path, Math.round(timeout)]);
	expect(asked[0]).toEqual(['/clients', 4_667]);
});

it.each([
	[300_000, 5_000],
	// Until 0.85 of the time, when the lists are given up.
	[5_000, 4_250],
])('within %i ms, the names of clients, %i ms', async (all, names) => {
	const node = playedTrigger({ answer, parameters: CHOSEN, budgetMs: Math.min(all, 299_999) });
	await node.poll();
	ids = ['new', 'a'];
	node.takeAsked();
	expect(await node.poll()).toHaveLength(1);
	const asked = Object.fromEntries(node.asked.map(({ path, timeout }) => [path, timeout]));
	expect(asked['/clients']).toBe(names);
});

it('the records that decide whose a key is, like any page', async () => {
	const told: Answer = (asked) =>
		asked.path === '/me' ? refusalOf(404, 'not_found') : answer(asked);
	for (const [budgetMs, expected] of [
		[300_000, [10_000, 30_000]],
		[6_000, [4_200, 5_100]],
	] as const) {
		const node = playedTrigger({ answer: told, budgetMs });
		await node.poll();
		await node.poll();
		node.takeAsked();
		node.host.credentials = { ...node.host.credentials, apiKey: 'x_live_other' };
		await node.poll();
		expect(node.asked.map(({ path, timeout }) => [path, timeout])).toEqual([
			['/me', 5_000],
			...expected.map((ms) => ['/leads', ms]),
		]);
	}
});

describe('a test event', () => {
	const sample = (given: Partial<Parameters<typeof playedTrigger>[0]> = {}) =>
		playedTrigger({ answer, mode: 'manual', ...given });

	it('a page of records, ten seconds, and the list of clients too', async () => {
		const node = sample({ parameters: ALL });
		expect(await node.poll()).toHaveLength(1);
		expect(node.asked.map(({ path, timeout }) => [path, timeout])).toEqual([
			['/clients', 10_000],
			[THEIRS, 10_000],
		]);
	});

	it('is looked for during half a minute', async () => {
		const slow: Answer = ({ offset }) => {
			advance(9_500);
			return pageOf([], { offset, hasMore: true });
		};
		const node = sample({ answer: slow });
		await expect(node.poll()).rejects.toThrow('No lead was found');
		expect(node.asked.map(({ timeout }) => timeout)).toEqual([10_000, 10_000, 10_000, 1_500]);
	});

	it('asks for one page even if the list of clients took all the time', async () => {
		const slow: Answer = (asked) => {
			if (asked.path === '/clients') advance(31_000);
			return answer(asked);
		};
		expect(await sample({ answer: slow, parameters: ALL }).poll()).toHaveLength(1);
	});

	it('takes a second at least for a page that it still asks for', async () => {
		const slow: Answer = ({ offset }) => {
			advance(29_500);
			return pageOf([], { offset, hasMore: true });
		};
		const node = sample({ answer: slow });
		await expect(node.poll()).rejects.toThrow();
		expect(node.asked.map(({ timeout }) => timeout)).toEqual([10_000, 1_000]);
	});
});
