/** What the client is told about a request of an item: its account, its item and its time. */
import type { Client } from '../../nodes/LeadGenPublishing/api/client';
import { bindApi } from '../../nodes/LeadGenPublishing/run/boundApi';

const OF_CLIENT = { kind: 'client', clientId: 'c' } as const;
const FILE = { contentType: 'image/png', size: 1 } as never;

/** An API whose client writes down what it is asked, and gives the name of the function. */
function bound(account: Parameters<typeof bindApi>[1]['account'] = OF_CLIENT) {
	const asked: unknown[][] = [];
	const noting =
		(name: string) =>
		(...given: unknown[]) => {
			asked.push([name, ...given]);
			return name;
		};
	const time = {
		maxMs: 10_000,
		uncounted: async <T>(work: () => Promise<T>) => {
			asked.push(['uncounted']);
			return await work();
		},
	};
	const client = {
		timeLimit: (maxWaitMs: unknown) => {
			asked.push(['timeLimit', maxWaitMs]);
			return time;
		},
		accountId: noting('accountId'),
		now: () => 7,
		networkWord: 'pronet',
		...Object.fromEntries(
			['call', 'planned', 'list', 'wait', 'upload', 'learnNetworkWord'].map((name) => [
				name,
				noting(name),
			]),
		),
	} as unknown as Client;
	const api = bindApi(client, { item: 3, account, maxWaitMs: 5_000, atOnce: 2 });
	const atFirst = asked.splice(0);
	return { api, time, atFirst, asked };
}

it('an item has one account, one clock, and time for a last read', () => {
	const { api, atFirst } = bound();
	expect(atFirst).toEqual([
		['timeLimit', 5_000],
		['accountId', OF_CLIENT],
	]);
	expect(api).toMatchObject({ agency: true, accountId: 'accountId', maxWaitMs: 9_000 });
	expect(api.now()).toBe(7);
	expect(api.networkWord()).toBe('pronet');
	expect(bound({ kind: 'own' }).api.agency).toBe(false);
});

it('each request is one of the item, within its time', async () => {
	const { api, time, asked } = bound();
	const ofItem = { maxWaitMs: 5_000, item: 3 };
	expect(await api.call('post.get', { params: { id: 'a' } })).toBe('call');
	api.requireAllowed('post.delete', { body: {} });
	expect(api.planned('post.create', { body: {} })).toBe('planned');
	await api.learnNetworkWord();
	expect(asked).toEqual([
		['call', 'post.get', { params: { id: 'a' }, ...ofItem, time, account: OF_CLIENT }],
		['planned', 'post.create', { body: {}, account: OF_CLIENT }],
		['learnNetworkWord', { ...ofItem, time }],
	]);
});

it('a list may take longer, and is read as far ahead as the run allows', async () => {
	const { api, asked } = bound();
	expect(await api.list('post.getAll', { wanted: 5 })).toBe('list');
	const ofItem = { maxWaitMs: 5_000, item: 3, account: OF_CLIENT };
	expect(asked).toEqual([['list', 'post.getAll', { atOnce: 2, wanted: 5, ...ofItem }]]);
});

it('a file and other work that says so do not use up the time, a pause does', async () => {
	const { api, asked } = bound();
	await api.upload({ url: 'x' }, FILE);
	expect(await api.uncounted(async () => await Promise.resolve('done'))).toBe('done');
	await api.wait(20);
	expect(asked).toEqual([
		['uncounted'],
		['upload', { url: 'x' }, FILE, OF_CLIENT],
		['uncounted'],
		['wait', 20],
	]);
});
