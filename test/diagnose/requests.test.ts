/** The limits of a diagnosis, and what becomes of each way in which a request can end. */
import type { Client, Exchange } from '../../nodes/LeadGenPublishing/api/client';
import type { FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import { NOT_DELETED } from '../../nodes/LeadGenPublishing/api/policy';
import { readOthers } from '../../nodes/LeadGenPublishing/diagnose/collect/readings';
import {
	Log,
	Requests,
	type Allowance,
} from '../../nodes/LeadGenPublishing/diagnose/collect/requests';
import { scriptedClient } from '../api/scriptedN8n';
import { failure } from '../operations/itemScene';
import { pageOf } from '../support/replies';

type Options = NonNullable<Parameters<Client['exchange']>[1]>;
type Ended = Pick<Exchange, 'body' | 'failure'>;

const facts = (more: Partial<FailureFacts>, status = 0): Ended => ({
	failure: failure(status, { endpoint: 'post.getAll', ...more }).facts,
});
const LOST = facts({ kind: 'unreachable' });

/** `statuses` of the attempts that the client would like to make; undefined is no response. */
function requestsTo(
	exchange: (options: Options) => { statuses?: ReadonlyArray<number | undefined> } & Ended,
	more: Partial<Allowance> = {},
) {
	const asked: string[] = [];
	const waited: number[] = [];
	const client = {
		now: () => 0,
		wait: async (ms: number) => void (await Promise.resolve(waited.push(ms))),
		exchange: async (name: string, options: Options): Promise<Partial<Exchange>> => {
			asked.push(name);
			const { statuses = [200], ...ended } = exchange(options);
			const attempts = [];
			for (const status of statuses) {
				if (options.mayBegin?.() === false) break;
				const attempt = { ms: 1, requestId: 'n8n:1', headers: {}, ...(status && { status }) };
				options.witness?.(attempt);
				attempts.push(attempt);
			}
			return await Promise.resolve({ attempts, ...ended });
		},
	} as unknown as Client;
	const log = new Log();
	const allowance = { client, maxWaitMs: undefined, lastRequest: 80, ...more };
	return { requests: new Requests(log, allowance), log, asked, waited, allowance };
}
const outcomeOf = async (statuses: ReadonlyArray<number | undefined>, ended: Ended) =>
	(await requestsTo(() => ({ statuses, ...ended })).requests.send('post.getAll')).outcome;

describe('what becomes of', () => {
	it.each<[string, ReadonlyArray<number | undefined>, Ended, object]>([
		['a response', [200], { body: { data: 1 } }, { kind: 'success', body: { data: 1 } }],
		[
			'a request that n8n prevents',
			[],
			facts({ kind: 'notSent', code: 'not_sent' }),
			{ kind: 'unsent', why: 'n8n' },
		],
		[
			'a request that waits for the rate limit',
			[],
			facts({ kind: 'notSent', code: 'rate_limited' }),
			{ kind: 'unsent', why: 'throttled' },
		],
		[
			'a request without time',
			[],
			facts({ kind: 'notSent', code: 'timeout' }),
			{ kind: 'unsent', why: 'time' },
		],
		['a redirect', [302], facts({ kind: 'redirected' }, 302), { kind: 'redirected', status: 302 }],
		['a lost response', [undefined], LOST, { kind: 'noResponse', why: 'lost' }],
		[
			'a host that was not reached',
			[undefined],
			facts({ kind: 'unreachable', neverSent: true, problem: 'hostNotFound' }),
			{ kind: 'noResponse', why: 'unreached', problem: 'hostNotFound' },
		],
		[
			'a certificate that n8n rejects',
			[undefined],
			facts({ kind: 'unreachable', neverSent: true, problem: 'certificateRejected' }),
			{ kind: 'noResponse', why: 'tls', problem: 'certificateRejected' },
		],
		[
			'a damaged response',
			[200],
			facts({ kind: 'answered', problem: 'undecodable' }, 200),
			{ kind: 'noResponse', why: 'damaged', problem: 'undecodable' },
		],
		[
			'a web page',
			[200],
			facts({ kind: 'unreadable', problem: 'webPage' }, 200),
			{ kind: 'unreadable', status: 200, problem: 'webPage' },
		],
		[
			'a rejection',
			[403],
			facts({ code: 'forbidden', serviceMessage: 'No' }, 403),
			{ kind: 'refused', status: 403, meaning: 'refused', code: 'forbidden', message: 'No' },
		],
		[
			'a rejection with a status of success',
			[200],
			facts({ code: 'forbidden' }, 200),
			{ kind: 'refused', status: 200, code: 'forbidden' },
		],
		[
			'a deletion after which the record is still there',
			[200],
			facts({ code: NOT_DELETED }, 200),
			{ kind: 'success' },
		],
	])('%s', async (_, statuses, ended, outcome) => {
		expect(await outcomeOf(statuses, ended)).toMatchObject(outcome);
	});
});

describe('a request is sent again', () => {
	it.each<[string, ReadonlyArray<number | undefined>, number]>([
		['twice after errors', [500, 500, 500, 500], 3],
		['once without a response', [undefined, undefined, undefined], 2],
		['as often as the service asks to wait', [429, 429, 429, 429, 429], 5],
	])('%s', async (_, statuses, sent) => {
		const { requests, log } = requestsTo(() => ({ statuses, ...LOST }));
		const { attempts } = await requests.send('post.getAll');
		expect([attempts.length, log.sent]).toEqual([sent, sent]);
	});

	it('but not above the limit of the run', async () => {
		const statuses = [500, 500, 500];
		const { requests, log } = requestsTo(() => ({ statuses, ...LOST }), { lastRequest: 2 });
		expect((await requests.send('post.getAll')).outcome.kind).toBe('noResponse');
		expect([log.sent, requests.left, requests.take()]).toEqual([2, 0, false]);
		const held = facts({ kind: 'notSent', code: 'timeout' });
		const { requests: none } = requestsTo(() => held, { lastRequest: 0 });
		expect((await none.send('post.getAll')).outcome).toEqual({ kind: 'unsent', why: 'limit' });
	});
});

describe('an endpoint that does not respond', () => {
	const SILENT = { kind: 'unsent', why: 'silent' };
	const silentTo = () => requestsTo(() => ({ statuses: [undefined], ...LOST }));

	it('is not asked for a client, except by a trial', async () => {
		const { requests, asked } = silentTo();
		const clientId = 'c';
		await requests.send('post.getAll');
		expect((await requests.send('post.getAll', { clientId })).outcome).toEqual(SILENT);
		await requests.send('lead.getAll', { clientId });
		await requests.send('post.getAll', { clientId, purpose: 'trial' });
		await requests.send('post.getAll');
		expect(asked).toEqual(['post.getAll', 'lead.getAll', 'post.getAll', 'post.getAll']);
	});

	it('and three others end the run', async () => {
		const { requests, asked } = silentTo();
		for (const name of ['post.getAll', 'lead.getAll', 'activity.getAll', 'client.getAll'] as const)
			await requests.send(name);
		expect((await requests.send('leadMagnet.getAll')).outcome).toEqual(SILENT);
		expect(asked).toHaveLength(4);
	});
});

it('waits if there is time for it', async () => {
	const { requests, waited } = requestsTo(() => ({}), { maxWaitMs: 1_000 });
	expect([await requests.wait(1_000), await requests.wait(1_001)]).toEqual([true, false]);
	const time = { leftForWaiting: () => 500 } as Allowance['time'];
	const { requests: hurried } = requestsTo(() => ({}), { maxWaitMs: 1_000, time });
	expect([await hurried.wait(500), await hurried.wait(501)]).toEqual([true, false]);
	expect(waited).toEqual([1_000]);
	expect(await requestsTo(() => ({})).requests.wait(600_000)).toBe(true);
});

it('the requests that are left first try the grants of all further clients', async () => {
	const { client, sent } = await scriptedClient({ answers: [pageOf([])] });
	const requests = new Requests(new Log(), { client, maxWaitMs: 0, lastRequest: 5 });
	const others = [1, 2, 3].map((digit) => `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b1${digit}`);
	await readOthers(requests, others);
	const lists = ['leads', 'leads', 'leads', 'posts', 'posts'];
	expect(sent.map(({ url }) => url.split('/').slice(-2))).toEqual(
		lists.map((list, place) => [others[place % 3], list]),
	);
});
