/** Each request of an item is made for its account, within its time. */
import type { Client } from '../../nodes/LeadGenPublishing/api/client';
import type { Account } from '../../nodes/LeadGenPublishing/api/endpoints';
import { bindApi } from '../../nodes/LeadGenPublishing/run/boundApi';

const CLIENT: Account = { kind: 'client', clientId: 'c' };

function bound(account: Account = CLIENT, more: { maxWaitMs?: number; atOnce?: number } = {}) {
	const calls: unknown[][] = [];
	const answer =
		(name: string) =>
		(...given: unknown[]) => {
			calls.push([name, ...given]);
			return `answer to ${name}`;
		};
	const time = {
		maxMs: more.maxWaitMs ?? 60_000,
		uncounted: async (work: () => Promise<unknown>) => [await work()],
	};
	const client = {
		...{ now: () => 7, networkWord: 'pronet', timeLimit: () => time, growingTimeLimit: () => time },
		accountId: (one: Account) => `account ${one.kind}`,
		...{ call: answer('call'), planned: answer('planned'), list: answer('list') },
		...{ wait: answer('wait'), upload: answer('upload'), learnNetworkWord: answer('learn') },
	} as unknown as Client;
	const { maxWaitMs, ...walking } = more;
	return { calls, time, api: bindApi(client, { item: 3, account, maxWaitMs, ...walking }) };
}

it('passes on what the operation asks for, with what belongs to the item', async () => {
	const maxWaitMs = 20_000;
	const { api, calls, time } = bound(CLIENT, { maxWaitMs, atOnce: 2 });
	const own = { maxWaitMs, item: 3, account: CLIENT };
	const body = { text: 'a' };
	expect(await api.call('post.create', { body })).toBe('answer to call');
	expect(api.planned('post.create', { body })).toBe('answer to planned');
	expect(await api.list('lead.getAll', { wanted: 5 })).toBe('answer to list');
	await api.list('lead.getAll', { atOnce: 1 } as object);
	await api.wait(10);
	const given = { upload_url: 'https://x.example' };
	const file = { size: 1, contentType: 'image/png', open: async () => await Promise.resolve({}) };
	// Sending a file does not count.
	expect(await api.upload(given, file)).toEqual(['answer to upload']);
	await api.learnNetworkWord();
	expect(calls).toEqual([
		['call', 'post.create', { body, time, ...own }],
		['planned', 'post.create', { body, account: CLIENT }],
		// A list may take longer: its time is that of its pages alone.
		['list', 'lead.getAll', { wanted: 5, atOnce: 2, ...own }],
		['list', 'lead.getAll', { atOnce: 1, ...own }],
		['wait', 10],
		['upload', given, file, CLIENT],
		['learn', { maxWaitMs, time, item: 3 }],
	]);
	expect(await api.uncounted(async () => await Promise.resolve('done'))).toEqual(['done']);
	expect([api.now(), api.networkWord(), api.accountId]).toEqual([7, 'pronet', 'account client']);
});

it('knows whose account it is', async () => {
	expect([bound().api.agency, bound({ kind: 'own' }).api.agency]).toEqual([true, false]);
});

it.each([
	[60_000, 55_000],
	[10_000, 9_000],
	[0, 0],
])('leaves of %i ms time for a last read', (maxWaitMs, expected) => {
	expect(bound(CLIENT, { maxWaitMs }).api.maxWaitMs).toBe(expected);
});
