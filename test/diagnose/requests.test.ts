/** The limits of a diagnosis, and what becomes of each way in which a request can end. */
import type { Client, Exchange } from '../../nodes/LeadGenPublishing/api/client';
import { Requests } from '../../nodes/LeadGenPublishing/diagnose/collect/requests';
import { readSingles } from '../../nodes/LeadGenPublishing/diagnose/collect/readings';
import { MAX_REQUESTS, type Asked } from '../../nodes/LeadGenPublishing/diagnose/facts';
import { failure } from '../operations/itemScene';

type Options = NonNullable<Parameters<Client['exchange']>[1]>;
type Ended = Pick<Exchange, 'body' | 'failure'>;

const LOST: Ended = {
	failure: failure(0, { endpoint: 'post.getAll', kind: 'unreachable' }).facts,
};

/** `statuses` of the attempts that the client would like to make; undefined is no response. */
function requestsTo(statuses: ReadonlyArray<number | undefined>, ended: Ended) {
	const asked: Array<{ name: string } & Options> = [];
	const exchange = async (name: string, options: Options): Promise<Partial<Exchange>> => {
		asked.push({ name, ...options });
		const attempts: Exchange['attempts'][number][] = [];
		for (const status of statuses) {
			if (options.mayBegin?.() === false) break;
			const attempt = { ms: 1, requestId: 'n8n:1', headers: {}, status };
			options.witness?.(attempt);
			attempts.push(attempt);
		}
		return await Promise.resolve({ name: 'post.getAll', attempts, ...ended });
	};
	const client = { now: () => 0, exchange } as unknown as Client;
	return { requests: new Requests(client, 5_000), asked };
}

it.each<[string, ReadonlyArray<number | undefined>, number]>([
	['twice after errors', [500, 500, 500, 500], 3],
	['once without a response', [undefined, undefined, undefined], 2],
	['as often as the service asks to wait', [429, 429, 429, 429, 429], 5],
])('a request is sent again %s', async (_, statuses, sent) => {
	const { requests } = requestsTo(statuses, LOST);
	const { attempts, outcome } = await requests.ask('post.getAll');
	expect([attempts.length, requests.sent, outcome.kind]).toEqual([sent, sent, 'failed']);
});

it('a run sends no more than its limit, repetitions included', async () => {
	const { requests } = requestsTo([500, 500, 500], LOST);
	while (requests.sent < MAX_REQUESTS) await requests.ask('post.getAll');
	expect(requests.sent).toBe(MAX_REQUESTS);
	expect((await requests.ask('post.getAll')).outcome).toEqual({ kind: 'unsent', why: 'limit' });
	expect(requests.sent).toBe(MAX_REQUESTS);
});

it('an endpoint that does not respond is not tried for another account', async () => {
	const { requests, asked } = requestsTo([undefined], LOST);
	await requests.ask('post.getAll');
	const { outcome } = await requests.ask('post.getAll', { clientId: 'c' });
	expect(outcome).toEqual({ kind: 'unsent', why: 'silent' });
	await requests.ask('lead.getAll', { clientId: 'c' });
	expect(asked.map(({ name }) => name)).toEqual(['post.getAll', 'lead.getAll']);
});

it('a client is in the path, and "Max Wait" applies', async () => {
	const { requests, asked } = requestsTo([200], { body: { data: {} } });
	await requests.ask('client.get', { clientId: 'c' });
	await requests.ask('post.get', { clientId: 'c', id: 'p' });
	expect(asked).toMatchObject([
		{ account: { kind: 'own' }, params: { clientId: 'c' }, maxWaitMs: 5_000 },
		{ account: { kind: 'client', clientId: 'c' }, params: { id: 'p' }, maxWaitMs: 5_000 },
	]);
});

it('a record is read from the account whose list shows it', async () => {
	const { requests, asked } = requestsTo([200], { body: { data: {} } });
	const listed = (
		name: 'post.getAll' | 'leadMagnet.getAll',
		id: string,
		clientId?: string,
	): Asked => {
		const pagination = { limit: 100, offset: 0, has_more: false };
		const body = { data: [{ id, status: 'published' }], pagination };
		return { name, clientId, at: 0, attempts: [], outcome: { kind: 'answered', body } };
	};
	await readSingles(requests, [
		listed('post.getAll', 'p1', 'one'),
		listed('post.getAll', 'p2'),
		listed('leadMagnet.getAll', 'm1', 'one'),
		listed('leadMagnet.getAll', 'm2', 'two'),
	]);
	const accountOf = (clientId: string) => ({ kind: 'client', clientId });
	const own = { kind: 'own' };
	expect(asked.map(({ name, params, account }) => [name, params?.id, account])).toEqual([
		['post.getEngagement', 'p1', accountOf('one')],
		['post.getEngagement', 'p2', own],
		['post.get', 'p1', accountOf('one')],
		['leadMagnet.getAnalytics', 'm1', accountOf('one')],
		['leadMagnet.getAnalytics', 'm2', accountOf('two')],
		['leadMagnet.get', 'm1', accountOf('one')],
	]);
});

it('a record that is nested too deeply counts as unreadable', async () => {
	let deep: unknown = 1;
	for (let level = 0; level < 2_000; level += 1) deep = [deep];
	const { requests } = requestsTo([200], { body: { data: deep } });
	const { outcome } = await requests.ask('post.getAll');
	expect(outcome).toMatchObject({ kind: 'failed', failure: { problem: 'tooDeep' } });
});
