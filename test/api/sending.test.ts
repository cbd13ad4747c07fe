/** What a client sends, how often, how long it waits in between, and what it says in the end. */
import { sleep } from 'n8n-workflow';

import type { ClientSettings } from '../../nodes/LeadGenPublishing/api/client';
import type { CallOptions } from '../../nodes/LeadGenPublishing/api/request';
import type { Account, EndpointName } from '../../nodes/LeadGenPublishing/api/endpoints';
import { ApiFailure, isUnsent, requestIdOf } from '../../nodes/LeadGenPublishing/api/failure';
import type { TimeLimit } from '../../nodes/LeadGenPublishing/api/timeLimit';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { lost, ok, pageOf, refused, throttled, type Reply } from '../support/replies';
import {
	factsOf,
	read,
	readInfo,
	scriptedClient,
	untilItEnds,
	write,
	type Asking,
	type Script,
} from './scriptedN8n';
import { fieldsOf, someFacts } from '../support/facts';

const ID = { params: { id: 'the-id' } };
const KEYED = { ...ID, body: {}, idempotencyKey: 'a-key' };

const keyedWrite: Asking = async (client) => await client.call('post.update', KEYED);

describe('what is handed to the HTTP helper', () => {
	const handed = async (ask: Asking, script: Script = {}) => {
		const { client, sent } = await scriptedClient({ answers: [pageOf([])], ...script });
		await ask(client).catch(() => undefined);
		return sent[0];
	};
	const BASE = 'https://api.example.com/v1';
	const account: Account = { kind: 'client', clientId: 'c' };
	const leads =
		(query: JsonRecord): Asking =>
		async (client) =>
			await client.call('lead.getAll', { query });
	const LIST = { query: { has_email: true }, wanted: 7 };

	it.each<[string, Asking, expected: object, missing?: readonly string[]]>([
		[
			'a read has its address, and the wish for JSON, but no body',
			async (client) => await client.call('post.get', ID),
			{ method: 'GET', url: `${BASE}/posts/the-id`, withKey: true },
			['body', 'qs', 'allowedDomains'],
		],
		[
			'of a query what has a value',
			leads({ limit: 0, status: '', search: undefined, cursor: null, all: false }),
			{ qs: { limit: 0, status: '', all: false }, arrayFormat: 'repeat' },
			['body'],
		],
		['no query without a value', leads({ search: undefined }), { method: 'GET' }, ['qs']],
		['a body as text, also an empty one', write, { body: '{}', arrayFormat: 'repeat' }],
		['no key where none is needed', readInfo, { url: BASE, withKey: false }],
		[
			'a page with its own query beside its place',
			async (client) => await client.list('lead.getAll', LIST),
			{ qs: { has_email: true, limit: 7, offset: 0 } },
		],
		[
			'what belongs to a client below its address',
			async (client) => await client.call('post.create', { account, body: { id: 'c' } }),
			{ url: `${BASE}/clients/c/posts`, body: '{"id":"c"}' },
		],
	])('%s', async (...[, ask, expected, missing = []]) => {
		const http = await handed(ask);
		expect(http).toMatchObject({ headers: { Accept: 'application/json' }, ...expected });
		for (const name of missing) expect(http).not.toHaveProperty(name);
		const hasType = http?.headers?.['Content-Type'] === 'application/json';
		expect(hasType).toBe(http?.body !== undefined);
	});

	it('an idempotency key and an etag, each only where it is given and taken', async () => {
		const valuesOf = async (name: 'post.update' | 'post.create', more: object) =>
			Object.values(
				(await handed(async (c) => await c.call(name, { ...ID, ...more })))?.headers ?? {},
			);
		const both = await valuesOf('post.update', { idempotencyKey: 'a-key', etag: 'v7' });
		expect(both).toEqual(expect.arrayContaining(['a-key', 'v7']));
		expect(await valuesOf('post.create', { idempotencyKey: 'a-key' })).not.toContain('a-key');
		expect(await valuesOf('post.update', {})).not.toContain(undefined);
	});

	it('the domains that the credential allows, and none where it allows all', async () => {
		const allowedDomains = '*.example.com';
		const credential = { allowedHttpRequestDomains: 'domains', allowedDomains };
		expect(await handed(read, { credential })).toMatchObject({ allowedDomains });
	});
});

it('a plan is what would be sent', async () => {
	const { client } = await scriptedClient();
	const of = (name: EndpointName) =>
		client.planned(name, { ...KEYED, params: { id: 'a', workspaceId: 'w' }, etag: 'e' });
	expect(of('post.update')).toEqual({
		...{ method: 'PATCH', path: '/posts/a', body: {}, etag: 'e', idempotencyKey: 'a-key' },
	});
	// No key where none is taken.
	expect(of('post.create').idempotencyKey).toBeUndefined();
});

describe('the key in the credential', () => {
	it('is a secret of every error, without what was pasted along', async () => {
		const credential = { apiKey: ' plain-key-0000\n', baseUrl: 'https://api.example.com/v1/' };
		const body = JSON.stringify({ error: { code: 'bad_request', message: 'No plain-key-0000!' } });
		const { client, sent } = await scriptedClient({
			credential,
			answers: [{ statusCode: 400, body }],
		});
		expect((await factsOf(read(client))).serviceMessage).toBe('No [hidden]');
		expect(sent[0]?.url).toBe('https://api.example.com/v1/me');
	});

	it('may be none, which hides nothing', async () => {
		const body = JSON.stringify({ error: { code: 'bad_request', message: 'No 7' } });
		for (const apiKey of [undefined, null, '', '  ', 7]) {
			const answers = [{ statusCode: 400, body }];
			const { client } = await scriptedClient({ credential: { apiKey }, answers });
			expect((await factsOf(read(client))).serviceMessage).toBe('No 7');
		}
	});
});

/** Who may be left with a write that was perhaps carried out. */
type InDoubt = 'nobody' | 'all writes' | 'writes with a key';

describe('how often it is sent', () => {
	const PREVENTED = Object.assign(new Error('Invalid URL'), { name: 'InputError' });
	const PAGE = { statusCode: 200, body: '<html>' };
	const each = (...statuses: number[]) => statuses.map((status) => [refused(status)]);
	const OPEN = ['provider_ambiguous', 'provider_attachment_mismatch'];
	const reasons = (...names: string[]) => names.map((name) => [refused(409, 'conflict', name)]);

	/** A read, a write, and one with a key: what may pass is repeated. */
	it.each<[string, Array<Script['answers']>, number[], InDoubt]>([
		['a good answer', [[ok()]], [1, 1, 1], 'nobody'],
		['429 twice', [[refused(429), refused(429), ok()]], [3, 3, 3], 'nobody'],
		['a reason to wait', [[refused(409, 'conflict', 'rate_limited'), ok()]], [2, 2, 2], 'nobody'],
		['a final reason', reasons('stale_provider_version'), [1, 1, 1], 'nobody'],
		['a refusal that names a time', [[throttled(5, refused(404))]], [1, 1, 1], 'nobody'],
		['a redirect', each(300, 301, 302, 307, 308), [1, 1, 1], 'nobody'],
		['a redirect to a result', each(303), [1, 1, 1], 'all writes'],
		['a refusal', each(400, 401, 403, 404, 405, 422, 499, 501), [1, 1, 1], 'nobody'],
		['n8n does not let it out', [[PREVENTED]], [1, 1, 1], 'nobody'],
		['409 whose reason is lost', each(409), [1, 1, 1], 'writes with a key'],
		['a reason that leaves it open', reasons(...OPEN), [1, 1, 1], 'all writes'],
		['a page of something else', [[PAGE]], [1, 1, 1], 'all writes'],
		['no answer in time', each(408, 500, 502, 503, 504, 599), [5, 1, 5], 'all writes'],
		['no connection', [[lost('ECONNREFUSED')]], [5, 1, 5], 'nobody'],
		['no answer', [[lost('ECONNRESET')]], [5, 1, 5], 'all writes'],
		['an unknown error', [[new TypeError('odd')]], [5, 1, 5], 'all writes'],
		['half an answer', [[{ statusCode: 200, body: '{"data":{' }]], [5, 1, 5], 'all writes'],
		[
			'503 that names a time',
			[[throttled(0, refused(503))], [throttled(1, refused(503))]],
			[5, 1, 5],
			'all writes',
		],
		['429 for ever', [[throttled(1, refused(429))], [refused(429)]], [50, 50, 50], 'nobody'],
	])('after %s', async (...[, all, times, inDoubt]) => {
		const settings = { retry: { maxWaitMs: 1e9 } };
		const asked: ReadonlyArray<[Asking, doubtful: boolean]> = [
			[read, false],
			[write, inDoubt === 'all writes'],
			[keyedWrite, inDoubt !== 'nobody'],
		];
		for (const answers of all) {
			const counts: number[] = [];
			for (const [ask, uncertain] of asked) {
				const { client, sent } = await scriptedClient({ answers, settings });
				const failure: unknown = await ask(client).catch((error: unknown) => error);
				counts.push(sent.length);
				const facts = { retryable: times[0] !== 1, attempts: sent.length, uncertain };
				if (failure instanceof ApiFailure)
					expect([answers, fieldsOf(failure.facts)]).toMatchObject([answers, facts]);
			}
			expect([answers, counts]).toEqual([answers, times]);
		}
	});

	it('a final reason behind a 502 ends what is written, certainly, but not a read', async () => {
		const answers = [refused(502, 'conflict', 'account_paused')];
		for (const ask of [read, write, keyedWrite]) {
			const { client, sent } = await scriptedClient({ answers });
			const facts = await factsOf(ask(client));
			expect([sent.length, facts.retryable]).toEqual(ask === read ? [5, true] : [1, false]);
			expect(facts.uncertain).toBe(false);
		}
	});

	it('a key is of use only where one is taken', async () => {
		const { client, sent } = await scriptedClient({ answers: [refused(500)] });
		const facts = await factsOf(client.call('post.create', { body: {}, idempotencyKey: 'a-key' }));
		expect(sent).toHaveLength(1);
		expect(facts).toMatchObject({ uncertain: true, idempotencyKey: undefined });
		const keyed = await factsOf(keyedWrite((await scriptedClient({ answers: [PAGE] })).client));
		expect(keyed).toMatchObject({ uncertain: true, idempotencyKey: 'a-key' });
	});
});

describe('how long it waits', () => {
	const waitsFor = async (answers: Script['answers'], settings: ClientSettings = {}) => {
		const { client, waits, sent } = await scriptedClient({ answers, settings });
		await read(client).catch(() => undefined);
		return { waits, sent: sent.length };
	};

	it('between half and the whole of a ceiling that doubles, by itself', async () => {
		const { client, waits } = await scriptedClient({ answers: [refused(500)] });
		await factsOf(client.call('account.getSubject', { maxWaitMs: 100_000 }));
		expect(waits.slice(0, 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 7_500, 7_500]);
		for (const [random, first] of [
			[0.5, [375, 750]],
			[0.999_999, [500, 1_000]],
		] as const)
			expect((await waitsFor([refused(500)], { random: () => random })).waits.slice(0, 2)).toEqual(
				first,
			);
	});

	const LONG = { maxPauseMs: 5_000, maxWaitMs: 1e9 };
	it.each<[string, Reply | Reply[], waits: number[], ClientSettings['retry']?]>([
		['as the service asks', throttled(7, refused(429)), [7_000]],
		['as it asks with another status', throttled(5, refused(503)), [5_000]],
		['less than a minute by default', throttled('59.999', refused(429)), [59_999]],
		['a minute not', throttled('60', refused(429)), []],
		['no longer than one pause at the gate', throttled(6, refused(429)), [], LONG],
		['as long as one at the gate', throttled(4, refused(429)), [4_000], LONG],
		[
			'no longer than one in all',
			[throttled(4, refused(429)), throttled(4, refused(429))],
			[4_000],
			LONG,
		],
		['as long as a pause may be', refused(500), [250], { maxPauseMs: 250 }],
		['no longer than that', refused(500), [], { maxPauseMs: 249 }],
		['less than the time left', refused(500), [250], { maxWaitMs: 251 }],
		['not as long as that', refused(500), [], { maxWaitMs: 250 }],
		['not at all without any', refused(500), [], { maxWaitMs: 0 }],
	])('%s', async (...[, answer, expected, retry]) => {
		const { sent, waits } = await waitsFor([answer, ok()].flat(), { retry });
		expect([sent, waits]).toEqual([1 + expected.length, expected]);
	});

	it('no longer than one pause behind another request that is on trial', async () => {
		const throttle = { of: {} };
		const { client: first } = await scriptedClient({
			answers: [throttled(1, refused(429))],
			settings: { throttle },
		});
		await factsOf(first.call('account.getSubject', { maxWaitMs: 0 }));
		await first.wait(1_000);
		const ending = new AbortController();
		const trial = await scriptedClient({
			answers: untilItEnds,
			settings: { throttle, signal: ending.signal },
		});
		void read(trial.client).catch(() => undefined);
		await new Promise(setImmediate);
		const waits: number[] = [];
		const wait = async (ms: number) => {
			waits.push(ms);
			await first.wait(ms);
		};
		const { client } = await scriptedClient({ settings: { throttle, wait, retry: LONG } });
		await factsOf(read(client));
		expect(waits).toEqual([5_000]);
		ending.abort();
	});

	it('with a time of its own, until that is over, however often it is sent', async () => {
		const { client, sent } = await scriptedClient({ answers: [refused(500)] });
		await factsOf(client.call('account.getSubject', { maxWaitMs: 100_000 }));
		expect(sent.length).toBe(18);
		await client.wait(70);
		expect(client.timeLimit().maxMs).toBe(60_000);
	});
});

describe('Retry-After', () => {
	const YEAR = 366 * 24 * 3_600_000;
	const asked = async (header: unknown, date?: unknown) => {
		const { client } = await scriptedClient({
			answers: [{ ...refused(429), headers: { 'retry-after': header, date } }],
		});
		// The clock shows one second past midnight, in 1970.
		return (await factsOf(client.call('account.getSubject', { maxWaitMs: 0 }))).retryAfterMs;
	};

	it.each([
		['3', 3_000],
		['0', 0],
		['1.5', 1_500],
		['0.0001', 1],
		[' 2 ', 2_000],
		[4, 4_000],
		['86400', 86_400_000],
		['Thu, 01 Jan 1970 00:00:31 GMT', 30_000],
		['Wed, 31 Dec 1969 23:59:00 GMT', 0],
		['Fri, 31 Dec 9999 23:59:59 GMT', YEAR],
		['9'.repeat(400), YEAR],
	])('%p asks for %i ms', async (header, expected) => {
		expect(await asked(header)).toBe(expected);
	});

	it('is absent where it is malformed', async () => {
		const texts = ['', '  ', 'soon', '-', 'NaN', '-5', '1e9', '0x10', 'retry 5'];
		for (const header of [undefined, null, {}, ['3'], ...texts])
			expect([header, await asked(header)]).toEqual([header, undefined]);
	});

	it('as a date is compared with the date of the answer, since two clocks differ', async () => {
		const at = async (sentAt: unknown) => await asked('Thu, 01 Jan 1970 01:00:31 GMT', sentAt);
		expect(await at('Thu, 01 Jan 1970 01:00:10 GMT')).toBe(21_000);
		expect(await at('Thu, 01 Jan 1970 01:10:00 GMT')).toBe(0);
		for (const unusable of [undefined, '', 'yesterday', 7, '2030'])
			expect(await at(unusable)).toBe(3_630_000);
	});
});

describe('one attempt', () => {
	/** Its timeout, with so much left of the time; undefined where it is not sent. */
	const timeoutOf = async (ask: 'read' | 'write', left: number, maxWaitMs = left) => {
		const { client, sent } = await scriptedClient();
		const time = client.timeLimit(maxWaitMs);
		time.leftForSending();
		await client.wait(maxWaitMs - left);
		const sending =
			ask === 'read'
				? client.call('account.getSubject', { time })
				: client.call('post.create', { body: {}, time });
		await sending.catch(() => undefined);
		return sent[0]?.timeout;
	};
	const HOUR = 3_600_000;

	it.each<[string, 'read' | 'write', Record<number, number>]>([
		['has the ordinary time when it is the only one', 'read', { 0: 60_000 }],
		['of a write has as much', 'write', { 0: 60_000 }],
		['leaves time for another one', 'read', { 60_000: 30_000, 30_000: 15_000, 15_000: 10_000 }],
		['has no more than there is', 'read', { 5_000: 5_000, 1: 1 }],
		['has no more than the ordinary time', 'read', { [HOUR]: 60_000 }],
		['of a write has all, but for a look at what became of it', 'write', { 60_000: 55_000 }],
		['of a write leaves a tenth for that look', 'write', { 10_000: 9_000, 1_000: 900 }],
		['of a write has five minutes at most', 'write', { [HOUR]: 300_000 }],
	])('%s', async (_, ask, timeouts) => {
		for (const [left, expected] of Object.entries(timeouts))
			expect(await timeoutOf(ask, Number(left))).toBe(expected);
	});

	it('is not begun without time, and a write not where it would be cut short', async () => {
		expect([await timeoutOf('read', 0.5, 60_000), await timeoutOf('read', 0, 60_000)]).toEqual([
			...[undefined, undefined],
		]);
		expect(await timeoutOf('write', 999, 60_000)).toBeUndefined();
		expect(await timeoutOf('write', 500, 2_000)).toBe(450);
		expect(await timeoutOf('write', 499, 2_000)).toBeUndefined();
	});

	it('is never longer than what is left', async () => {
		for (const maxMs of [2_000, 10_000, 300_000, HOUR])
			for (let left = 1; left <= maxMs; left += maxMs / 8)
				for (const ask of ['read', 'write'] as const)
					expect((await timeoutOf(ask, left, maxMs)) ?? 0).toBeLessThanOrEqual(left);
	});

	it('has the time that was asked for, if there is as much', async () => {
		const asked = async (timeoutMs: number) => {
			const { client, sent } = await scriptedClient();
			await client.call('account.getSubject', { maxWaitMs: 30_000, timeoutMs });
			return sent[0]?.timeout;
		};
		expect([await asked(1), await asked(20_000)]).toEqual([1, 15_000]);
	});
});

describe('a time limit', () => {
	it('begins with the first request, and ends', async () => {
		const { client } = await scriptedClient();
		const time = client.timeLimit(10_000);
		await client.wait(5_000);
		const left = () => [time.leftForSending(), time.leftForWaiting()];
		expect(left()).toEqual([10_000, 10_000]);
		await client.wait(4_000);
		time.answered(8_000);
		expect(left()).toEqual([6_000, 6_000]);
		await client.wait(6_001);
		expect(left()).toEqual([0, 0]);
	});

	it('of 0 lets one attempt take its time, and nothing wait', async () => {
		const { client } = await scriptedClient();
		for (const time of [client.timeLimit(0), client.growingTimeLimit(0)])
			for (let looks = 0; looks < 2; looks += 1) {
				expect([time.leftForSending(), time.leftForWaiting()]).toEqual([Infinity, 0]);
				await client.wait(1e6);
			}
	});

	it('stands still while something is done that does not count, unless no answer came', async () => {
		const { client } = await scriptedClient();
		const time = client.timeLimit(10_000);
		const after = async (ms: number, failure?: Error) => {
			const work = async () => {
				await client.wait(ms);
				if (failure !== undefined) throw failure;
			};
			const working = time.uncounted(work);
			if (failure === undefined) await working;
			else await expect(working).rejects.toBe(failure);
			return time.leftForSending();
		};
		const failed = (kind: 'answered' | 'unreachable') =>
			new ApiFailure(someFacts({ kind, status: 500, endpoint: 'media.upload' }));
		// Not begun yet either, it begins here.
		expect(await after(4_000)).toBe(10_000);
		await client.wait(3_000);
		expect(await after(93_000)).toBe(7_000);
		expect(await after(200_000, failed('answered'))).toBe(7_000);
		expect(await after(5_000, failed('unreachable'))).toBe(2_000);
	});

	it('of a list gives back once what several pages took at the same time', async () => {
		const { client, clock } = await scriptedClient();
		const time = client.growingTimeLimit(100_000);
		time.leftForSending();
		const answered = async (from: number, to: number) => {
			await client.wait(1_000 + to - clock());
			time.answered(1_000 + from);
			return time.leftForWaiting();
		};
		expect(await answered(0, 1_000)).toBe(100_000);
		expect(await answered(500, 7_000)).toBe(100_000);
		expect(await answered(2_000, 7_000)).toBe(100_000);
		expect(await answered(8_000, 9_000)).toBe(99_000);
		expect(await answered(100, 9_500)).toBe(99_000);
		expect(await time.uncounted(async () => await client.wait(500_000))).toBeUndefined();
		expect(time.leftForWaiting()).toBe(99_000);
	});
});

describe('a failure', () => {
	const account: Account = { kind: 'client', clientId: 'c' };
	const ofClient: Asking = async (client) => await client.call('post.get', { ...ID, account });
	it.each<[string, Script['answers'], Asking, object]>([
		['after throttling stays certain', [refused(429), refused(400)], write, { uncertain: false }],
		[
			'after a lost answer stays uncertain',
			[lost('EPIPE'), refused(400)],
			keyedWrite,
			{ uncertain: true },
		],
		[
			'tells the last answer',
			[refused(500), refused(404)],
			read,
			{ status: 404, retryable: false, agency: false },
		],
		[
			'tells whose account it was',
			[refused(500)],
			ofClient,
			{ status: 500, retryable: true, agency: true, endpoint: 'post.get' },
		],
		[
			'tells its own time to wait',
			[throttled(61, refused(429))],
			read,
			{ kind: 'answered', retryAfterMs: 61_000 },
		],
		[
			'tells none where it was told none',
			[refused(500)],
			read,
			{ kind: 'answered', retryAfterMs: undefined },
		],
		[
			'tells its own where it is final',
			[throttled(5, refused(404))],
			read,
			{ kind: 'answered', retryAfterMs: 5_000 },
		],
	])('%s', async (_, answers, ask, expected) => {
		const { client, sent } = await scriptedClient({ answers });
		expect(await factsOf(ask(client))).toMatchObject({ ...expected, attempts: sent.length });
	});

	it('names the words that its request was made with, and no others', async () => {
		const { client } = await scriptedClient({ answers: [refused(400)] });
		const refresh = await factsOf(client.call('networkOrganization.refresh', { body: {} }));
		expect(refresh).toMatchObject({ status: 400, networkWord: 'network' });
		expect(refresh).not.toHaveProperty('etagHeader');
		const update = await factsOf(client.call('post.update', { ...KEYED, etag: 'v7' }));
		expect(update).toMatchObject({ etagHeader: 'X-Acme-Post-ETag' });
		expect(update).not.toHaveProperty('networkWord');
	});

	it('names the filters of a page that was asked for, and nothing else of it', async () => {
		const filtersOf = async (query: JsonRecord): Promise<unknown> => {
			const { client } = await scriptedClient({ answers: [refused(400)] });
			return (await factsOf(client.call('lead.getAll', { query }))).filters;
		};
		const place = { limit: 5, offset: 0 };
		expect(await filtersOf({ ...place, has_email: false, source: 'x', search: null })).toEqual([
			...['has_email', 'source'],
		]);
		expect(await filtersOf(place)).toBeUndefined();
		expect(await filtersOf({ ...place, search: undefined })).toBeUndefined();
		expect(await filtersOf({ source: 'x' })).toBeUndefined();
	});

	it('is named by its kind or code and its endpoint, as in a log', async () => {
		const { client } = await scriptedClient({ answers: [refused(404), refused(307)] });
		await expect(read(client)).rejects.toThrow('account.getSubject: not_found');
		await expect(read(client)).rejects.toThrow('account.getSubject: redirected');
	});
});

describe('a request that is not sent', () => {
	it.each<[string, Script['answers'], object]>([
		[
			'because the service has named a time',
			[{ ...refused(429), headers: { 'retry-after': '61', 'x-request-id': 'told' } }],
			{ retryAfterMs: 61_000, notBefore: '1970-01-01T00:01:02.000Z', requestId: 'told' },
		],
		[
			'because the service wants to be left alone, but does not say how long',
			[refused(429)],
			{ retryAfterMs: 250, notBefore: undefined },
		],
	])('%s, may be sent later', async (_, answers, expected) => {
		const { client, sent } = await scriptedClient({ answers });
		await factsOf(client.call('post.get', { ...ID, maxWaitMs: 0 }));
		expect(client.throttledForMs()).toBe(client.throttledInAllMs());
		const facts = await factsOf(client.call('post.create', { body: {}, maxWaitMs: 0 }));
		expect(sent).toHaveLength(1);
		expect(facts).toMatchObject({
			...{ kind: 'heldBack', attempts: 0, retryable: true, uncertain: false },
			...expected,
		});
	});

	it('because too little time is left', async () => {
		const { client, sent, clock } = await scriptedClient({ settings: { throttle: { of: {} } } });
		const time = client.timeLimit(2_000);
		time.leftForSending();
		await client.wait(1_900);
		expect(clock()).toBe(2_900);
		const facts = await factsOf(client.call('post.create', { body: {}, time }));
		expect([sent.length, facts.kind, facts.retryable]).toEqual([0, 'outOfTime', true]);
	});

	it('because nobody waits for it any more', async () => {
		const { client, sent } = await scriptedClient();
		const givenUp = AbortSignal.abort();
		await expect(client.call('account.getSubject', { givenUp })).rejects.toThrow(
			'no longer needed',
		);
		expect(sent).toEqual([]);
	});

	it('or not again, once nobody waits for its answer', async () => {
		const giving = new AbortController();
		const answers = () => {
			giving.abort();
			return refused(500);
		};
		const { client, sent } = await scriptedClient({ answers });
		await client.call('account.getSubject', { givenUp: giving.signal }).catch(() => undefined);
		expect(sent).toHaveLength(1);
	});
});

describe('a request that cannot be made', () => {
	const round: JsonRecord = {};
	round.self = round;

	it('leaves no doubt, unless an earlier one was lost', async () => {
		const bad: Asking = async (client) => await client.call('post.create', { body: round });
		const { client, sent } = await scriptedClient();
		const error: unknown = await bad(client).catch((thrown: unknown) => thrown);
		expect([isUnsent(error), sent.length]).toEqual([true, 0]);
	});
});

describe('whoever stops the run while it waits', () => {
	const stopped = async (ask: Asking, answers: Script['answers']) => {
		const wait = async () => await Promise.reject(new Error('stopped'));
		const { client } = await scriptedClient({ answers, settings: { wait } });
		return await ask(client).catch((error: unknown) => error);
	};

	it('leaves a write behind whose outcome is known, unless an answer was lost before', async () => {
		expect(isUnsent(await stopped(write, [throttled(1, refused(429))]))).toBe(true);
		expect(isUnsent(await stopped(read, [refused(500)]))).toBe(true);
		expect(isUnsent(await stopped(keyedWrite, [lost('ECONNRESET')]))).toBe(false);
	});

	it('before it is sent leaves no doubt, and while it is under way its request ID', async () => {
		const gone = { settings: { signal: AbortSignal.abort() } };
		const before: unknown = await write((await scriptedClient(gone)).client).catch(
			(error: unknown) => error,
		);
		expect([isUnsent(before), requestIdOf(before)]).toEqual([true, undefined]);
		const ending = new AbortController();
		const { client, sent } = await scriptedClient({
			settings: { signal: ending.signal },
			answers: () => {
				ending.abort();
				throw lost('ERR_CANCELED');
			},
		});
		const during: unknown = await write(client).catch((error: unknown) => error);
		expect(isUnsent(during)).toBe(false);
		expect(requestIdOf(during)).toBe(sent[0]?.headers?.['X-Request-Id']);
	});
});

describe('what a client shares', () => {
	const isHeldUp = async (of: Script, other: Script) => {
		const { client } = await scriptedClient({ ...of, answers: [throttled(40, refused(429))] });
		await factsOf(client.call('account.getSubject', { maxWaitMs: 0 }));
		return (await scriptedClient(other)).client.throttledForMs() > 0;
	};
	const flow = {};
	const named = { settings: { throttle: { of: {} } } };

	const other = { context: { flow }, credential: { apiKey: 'b' } };

	it.each<[string, Script, Script, boolean]>([
		['all clients of an execution', { context: { flow } }, { context: { flow, node: {} } }, true],
		['not with another execution', { context: { flow } }, { context: { flow: {} } }, false],
		['not with another key', { context: { flow } }, other, false],
		['not where n8n has no context', {}, {}, false],
		['all clients of what is named', named, { ...named, context: { flow: {} } }, true],
	])('is a request to wait, with %s', async (...[, of, another, expected]) => {
		expect(await isHeldUp(of, another)).toBe(expected);
	});

	it('is a request to wait for one account, and not for the others', async () => {
		const of = (clientId: string): Account => ({ kind: 'client', clientId });
		const OWN: Account = { kind: 'own' };
		const { client, sent } = await scriptedClient({
			settings: { throttle: { of: {} } },
			answers: ({ url }) =>
				url.includes('/clients/a/') ? throttled(40, refused(429)) : pageOf([]),
		});
		const ask = async (name: EndpointName, account?: Account) =>
			await client
				.call(name, { account, maxWaitMs: 0, params: { id: 'x' } })
				.catch(() => undefined);
		await ask('lead.getAll', of('a'));
		const counts: number[] = [];
		for (const [name, account] of [
			['post.get', of('A'.toLowerCase())],
			['post.get', of('b')],
			['post.get', OWN],
			['client.getAll', undefined],
			['account.getSubject', undefined],
			['networkOrganization.refresh', undefined],
		] as const) {
			await ask(name, account);
			counts.push(sent.length);
		}
		expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
		const waits = [of('a'), of('b'), OWN, undefined].map((one) => client.throttledForMs(one));
		expect(waits).toEqual([40_000, 0, 0, 40_000]);
	});

	const blocked = Object.assign(new Error('odd'), { name: 'SsrfBlockedIpError' });
	const late = { maxMs: 1, leftForSending: () => 0, leftForWaiting: () => 0 } as TimeLimit;
	const AT_ONCE: ReadonlyArray<[string, Reply | Error, number, CallOptions?]> = [
		['200', ok(), 3],
		['404', refused(404), 3],
		['500', refused(500), 1],
		['what was not sent', blocked, 1],
		['an unknown error', new TypeError('odd'), 1],
		['what came too late to be sent', ok(), 1, { time: late }],
		['what may not begin any more', ok(), 1, { mayBegin: () => false }],
		['what nobody waits for any more', ok(), 1, { givenUp: AbortSignal.abort() }],
	];
	it.each(AT_ONCE)(
		'is one request after a wait, until one of them was answered: %s',
		async (...row) => {
			const [, answer, atOnce, options] = row;
			const settings = { throttle: { of: {} } };
			const throttling = await scriptedClient({ answers: [throttled(1, refused(429))], settings });
			await factsOf(throttling.client.call('account.getSubject', { maxWaitMs: 0 }));
			await throttling.client.wait(1_000);
			const first = await scriptedClient({ answers: [answer], settings });
			for (let count = 0; count < 2; count += 1) {
				const asked = first.client.call('account.getSubject', { maxWaitMs: 0, ...options });
				await asked.catch(() => undefined);
			}
			const { client, sent } = await scriptedClient({
				answers: untilItEnds,
				settings: { ...settings, wait: async () => await new Promise(() => undefined) },
			});
			const ending = new AbortController();
			for (let count = 0; count < 3; count += 1)
				void client.call('account.getSubject', { givenUp: ending.signal }).catch(() => undefined);
			await new Promise(setImmediate);
			expect(sent).toHaveLength(atOnce);
			// What waits for an answer would keep the process for half a minute.
			ending.abort();
		},
	);
});

it('a wait neither begins again nor grows when the time of day is put back', async () => {
	const { client } = await scriptedClient({
		answers: [throttled(40, refused(429))],
		settings: { now: undefined },
	});
	await factsOf(client.call('account.getSubject', { maxWaitMs: 0 }));
	const today = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
	const left = client.throttledForMs();
	today.mockRestore();
	expect(left).toBeGreaterThan(30_000);
	expect(left).toBeLessThanOrEqual(40_000);
});

it('an account is called by its own name, which tells no key', async () => {
	const nameOf = async (account: Account, credential = {}) =>
		(await scriptedClient({ credential })).client.accountId(account);
	const OWN: Account = { kind: 'own' };
	const of = (clientId: string): Account => ({ kind: 'client', clientId });
	const agency = { apiKey: 'acme_live_agency' };
	const other = { baseUrl: 'https://other.example/v1' };
	expect(await nameOf(OWN)).toBe(await nameOf(OWN));
	// What another key of the agency calls a client is that client, in whatever letters.
	expect(await nameOf(of('a'))).toBe(await nameOf(of('a'), agency));
	const id = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
	expect(await nameOf(of(id.toUpperCase()))).toBe(await nameOf(of(id)));
	const names = await Promise.all([
		...[nameOf(OWN), nameOf(OWN, agency), nameOf(OWN, other)],
		...[nameOf(of('a')), nameOf(of('b')), nameOf(of('a'), other)],
	]);
	expect(new Set(names).size).toBe(names.length);
	expect(names.join()).not.toMatch(/acme|example/);
});

it('the word of the network is learned for an item, and a failure does not matter', async () => {
	const learn = async (answers: Script['answers']) => {
		const { client, sent } = await scriptedClient({ answers });
		await client.learnNetworkWord({ item: 5 });
		return String(sent[0]?.headers?.['X-Request-Id']);
	};
	expect(await learn([refused(404)])).toMatch(/^n8n:run:5:/);
});

describe('a list', () => {
	it('is not asked for a page that nobody waits for: neither its caller, nor who reads ahead', async () => {
		const { client, sent } = await scriptedClient({ answers: [pageOf([])] });
		const [first, gone] = [{ offset: 0, limit: 1 }, AbortSignal.abort()];
		const asked = client.pages('lead.getAll', { givenUp: gone });
		await expect(asked(first)).rejects.toThrow('no longer needed');
		await expect(client.pages('lead.getAll')(first, gone)).rejects.toThrow('no longer needed');
		const alive = new AbortController().signal;
		await expect(asked(first, alive)).rejects.toThrow('no longer needed');
		expect(sent).toEqual([]);
	});

	/** Every other answer is a failure, and each pause takes its time. */
	async function troubled(maxWaitMs: number | undefined, settings: ClientSettings = {}) {
		let count = 0;
		const { client, clock } = await scriptedClient({
			settings,
			takesMs: 5_000,
			answers: ({ qs }) => {
				count += 1;
				if (count % 2 === 1) return refused(500);
				const offset = Number(qs?.offset);
				return pageOf([{ id: offset }], { limit: 1, offset, hasMore: offset < 9 });
			},
		});
		const outcome = await client
			.list('lead.getAll', { maxWaitMs, pageSize: 1, atOnce: 1 })
			.catch((error: unknown) => error);
		return { outcome, took: clock() - 1_000 };
	}

	it('may wait for so long in all, not for so long on each page; good answers do not count', async () => {
		// Ten failures of five seconds, and ten pauses of 250 ms.
		expect((await troubled(60_000)).outcome).toMatchObject({ records: { length: 10 } });
		const { outcome, took } = await troubled(25_000);
		expect(outcome).toBeInstanceOf(ApiFailure);
		expect(took).toBeLessThan(60_000);
	});

	it('may wait as long as its client may, unless it is told how long', async () => {
		const retry = { maxWaitMs: 25_000 };
		expect((await troubled(undefined, { retry })).outcome).toBeInstanceOf(ApiFailure);
		expect((await troubled(60_000, { retry })).outcome).toMatchObject({ records: { length: 10 } });
		expect((await troubled(undefined)).outcome).toMatchObject({ records: { length: 10 } });
	});
});

it('what was deleted has no data', async () => {
	const { client } = await scriptedClient({ answers: [refused(204)] });
	expect(await client.call('post.delete', ID)).toEqual({ data: {} });
});

it('a wait that is stopped ends in the word by which n8n recognizes that', async () => {
	const stop = new AbortController();
	const { client } = await scriptedClient({ settings: { signal: stop.signal, wait: sleep } });
	const waiting = client.wait(60_000);
	stop.abort();
	await expect(waiting).rejects.toThrow('The execution was canceled');
});

it('a list fails for a record that is nested too deeply, unless its reader sees to that', async () => {
	let deep: unknown = 'end';
	for (let depth = 0; depth < 300; depth += 1) deep = [deep];
	const answers = [pageOf([{ id: '1' }, { id: '2', deep }])];
	const { client } = await scriptedClient({ answers });
	const account: Account = { kind: 'client', clientId: 'c' };
	expect(await factsOf(client.list('lead.getAll', { account }))).toEqual({
		...{ kind: 'unreadable', problem: 'tooDeep', status: 200, endpoint: 'lead.getAll' },
		...{ agency: true, retryable: false, attempts: 1, uncertain: false },
	});
	expect((await factsOf(client.list('lead.getAll'))).agency).toBe(false);
	const { records } = await client.pages('lead.getAll')({ offset: 0, limit: 100 });
	expect(records).toHaveLength(2);
});

it('a page says whether the service has asked to wait for it', async () => {
	const page = pageOf([{ id: '1' }]);
	const wait = throttled(1, refused(429, 'rate_limited'));
	for (const [answers, expected] of [
		[[page], false],
		[[refused(503), page], false],
		[[wait, page], true],
		[[wait, refused(503), page], true],
	] as const) {
		const { client } = await scriptedClient({ answers });
		const { throttled: asked } = await client.pages('lead.getAll')({ offset: 0, limit: 100 });
		expect(asked).toBe(expected);
	}
});
