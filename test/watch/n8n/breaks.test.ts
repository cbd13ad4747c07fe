/** Regressions: each of these failed before it was fixed. */
import { type IDataObject, type IHttpRequestOptions, type IPollFunctions } from 'n8n-workflow';

import { LeadGenPublishingTrigger } from '../../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { beginPoll, freshMemory } from '../../../nodes/LeadGenPublishing/watch/store/stateMemory';
import { budgetOf } from '../../../nodes/LeadGenPublishing/watch/n8n/processMemory';
import type { FetchListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import {
	emptyWatch,
	openWatch,
	sealWatch,
	type WatchState,
} from '../../../nodes/LeadGenPublishing/watch/store/state';
import { startService, type FakeService } from '../../../fake-service/index';
import { pollRegistration, stopInstance, type PollDurability } from '../../support/engine';

import { pollOnce, scannedState, serve, START, uuids } from '../pollHelpers';
import { idsOf, nextError, OWN, triggerOf } from '../../support/kit/index';

let service: FakeService;

beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => await service.close());
afterAll(async () => await stopInstance());

const DURABILITIES: readonly PollDurability[] = ['inMemory', 'durable', 'durableCursors'];
const all = { event: 'newLead', watch: 'allClients' };

const trigger = (parameters: IDataObject = OWN, key = service.world.keys.own) =>
	triggerOf(service, { parameters, key });

describe('switching on', () => {
	test('a key that is not accepted keeps the workflow off at the second try as well', async () => {
		const node = pollRegistration({
			...trigger(OWN, service.world.keys.revoked),
			durability: 'inMemory',
		});
		for (let attempt = 0; attempt < 3; attempt += 1) {
			expect((await node.activate()).error?.message).toMatch(/key was not accepted/);
		}
	});

	test.each([429, 500])(
		'clients that cannot be listed just now (%d) do not keep it off; the next poll says it',
		async (status) => {
			const { world, faults } = service;
			faults.add({ kind: 'error', status }, { path: '/clients', count: Infinity });
			const node = pollRegistration({ ...trigger(all, world.keys.agency), durability: 'inMemory' });
			const run = await node.activate();
			expect(run.error).toBeUndefined();
			expect(run.items).toBeNull();
			expect(await nextError(node)).toMatch(/service/i);
		},
		60_000,
	);

	test('an agency whose key is not accepted is told so', async () => {
		const node = pollRegistration({
			...trigger(all, service.world.keys.revoked),
			durability: 'inMemory',
		});
		expect((await node.activate()).error?.message).toMatch(/key was not accepted/);
	});

	test.each(DURABILITIES)(
		'what the first scan met outlives the process after one idle poll (%s)',
		async (durability) => {
			const { world } = service;
			world.seedLeads(world.own, 30);
			const given = trigger();
			const node = pollRegistration({ ...given, durability });
			await node.activate();
			await node.tick();
			const { stored } = node;
			const lead = world.addLead(world.own);
			const restarted = { ...given, nodeId: `${given.nodeId}-b`, durability, stored };
			expect(idsOf(await pollRegistration(restarted).tick())).toEqual([lead.id]);
		},
	);
});

describe('a service that hangs', () => {
	const watchingClients = async () => {
		const node = pollRegistration({
			...trigger(all, service.world.keys.agency),
			durability: 'durableCursors',
			budgetMs: 2_000,
		});
		await node.activate();
		return node;
	};

	test('is a failure that is told, in a short poll too', async () => {
		const { world, faults } = service;
		const node = pollRegistration({ ...trigger(), durability: 'durableCursors', budgetMs: 2_000 });
		await node.activate();
		faults.add({ kind: 'hang' }, { path: '/leads', count: Infinity });
		const message = await nextError(node);
		expect(message).toMatch(/no answer/i);
		expect(message).not.toContain(world.keys.own);
	});

	test('at its list of clients does not keep the known ones from being watched', async () => {
		const { world, faults } = service;
		const node = await watchingClients();
		await node.tick();
		faults.add({ kind: 'hang' }, { path: '/clients', count: Infinity });
		const lead = world.addLead(world.clientA);
		// On a slow machine, what is left of the time may not be enough for the lists.
		const delivered: unknown[] = [];
		for (let poll = 0; poll < 5 && delivered.length === 0; poll += 1)
			delivered.push(...idsOf(await node.tick()));
		expect(delivered).toEqual([lead.id]);
		expect(await nextError(node)).toMatch(/clients/);
	});

	test('at its list of clients is not asked for the rest of it after the time was up', async () => {
		const { world, faults } = service;
		const node = await watchingClients();
		for (let index = 0; index < 600; index += 1) world.addClient(world.agency, `Client ${index}`);
		faults.add({ kind: 'delay', ms: 350 }, { path: '/clients', count: Infinity });
		service.clearLog();
		await node.tick();
		await new Promise((resolve) => setTimeout(resolve, 1_500));
		const offsets = service.requests
			.filter(({ path }) => path === '/clients')
			.map(({ query }) => query.offset);
		expect(offsets[0]).toBe('0');
		expect(offsets).not.toContain('300');
	});

	test('for some clients does not take the turns of all the others', async () => {
		const ids = uuids(3);
		const never = new Promise<never>(() => undefined);
		const hanging: FetchListPage = async () => await never;
		const lists = [
			...uuids(6, 4).map((account) => ({ account, fetchPage: hanging })),
			...uuids(6, 5).map((account) => ({ account, fetchPage: serve(ids) })),
		];
		const poll = async (state: WatchState, now: number) => {
			let clock = now;
			return await pollOnce(state, serve([]), {
				lists,
				parallel: 6,
				random: () => 0,
				now: () => clock,
				deadline: now + 25_000,
				expiry: new Promise<void>((resolve) => setTimeout(resolve, 30)).then(() => {
					clock += 30_000;
				}),
			});
		};
		const first = await poll(emptyWatch('line'), START);
		expect(first.failuresToReport.filter(({ kind }) => kind === 'server')).toHaveLength(6);
		// All pauses are over: the failed lists are read again, but all others are read as well.
		const second = await poll(first.state, START + 3_600_000);
		const { served, pauses } = second.state;
		expect(Object.keys(served).filter((key) => pauses[key] === undefined)).toHaveLength(6);
	});
});

describe('being told to wait', () => {
	test('for one client makes n8n hold back them all, for the key is one', async () => {
		const { world, faults } = service;
		const clients = [world.clientA, world.addClient(world.agency, 'Second')];
		const chosen = { event: 'newLead', watch: 'clients', clientIds: clients.map(({ id }) => id) };
		const node = pollRegistration({
			...trigger(chosen, world.keys.agency),
			durability: 'durableCursors',
		});
		await node.activate();
		await node.tick();
		faults.rateLimit(3_600, { path: `/clients/${world.clientA.id}/leads`, count: Infinity });
		const { error } = await node.tick();
		expect(error?.message).toContain(world.clientA.id);
		const { failure } = error as unknown as { failure: { cause: string; retryAfterMs: number } };
		expect(failure.cause).toBe('rate-limited');
		expect(failure.retryAfterMs).toBeGreaterThan(3_000_000);
		expect(failure.retryAfterMs).toBeLessThanOrEqual(3_600_000);
	});

	test('for years is not believed: the list is asked again within a day', async () => {
		const classify = () => ({ kind: 'rate-limited', message: 'wait', retryAfterMs: 1e12 });
		const failing: FetchListPage = async () => {
			throw new Error('429');
		};
		const state = scannedState(uuids(3));
		const first = await pollOnce(state, failing, { classify });
		const later = START + 25 * 3_600_000;
		const second = await pollOnce(first.state, serve(['new', ...uuids(3)]), {
			now: () => later,
			deadline: later + 1_000,
		});
		expect(second.delivered.map(({ record }) => record.id)).toEqual(['new']);
	});

	test('a key that was put right is used by the next poll, not after the pause', async () => {
		const { world } = service;
		const given = trigger();
		const node = pollRegistration({ ...given, durability: 'inMemory' });
		await node.activate();
		await node.tick();
		const wrong = { ...given, credentials: { ...given.credentials, apiKey: world.keys.revoked } };
		const { stored } = node;
		const revoked = pollRegistration({ ...wrong, durability: 'inMemory', stored });
		expect((await revoked.tick()).error?.message).toMatch(/key was not accepted/);
		const lead = world.addLead(world.own);
		const right = pollRegistration({ ...given, durability: 'inMemory', stored });
		expect(idsOf(await right.tick())).toEqual([lead.id]);
	});
});

describe('a damaged state', () => {
	const ids = uuids(5);
	const damages: Array<[string, (state: IDataObject) => void]> = [
		['owed holds nothing', (state) => (state.owed = [null] as unknown as IDataObject[])],
		['owed holds something else', (state) => (state.owed = [{ account: 1 }])],
		['a pause is none', (state) => (state.pauses = { 'scope.own': 'x' })],
		[
			'a pause never ends',
			(state) => (state.pauses = { 'scope.own': { failures: 1, until: 1e300 } }),
		],
		['served is no number', (state) => (state.served = { 'scope.own': {} })],
	];
	test.each(damages)('%s: the poll goes on', async (_, damage) => {
		const state = JSON.parse(JSON.stringify(scannedState(ids))) as IDataObject;
		damage(state);
		const opened = openWatch(state);
		expect(opened.kind).toBe('ok');
		if (opened.kind !== 'ok') return;
		const result = await pollOnce(opened.value, serve(['new', ...ids]));
		expect(result.delivered.map(({ record }) => record.id)).toEqual(['new']);
		const next = openWatch(JSON.parse(JSON.stringify(result.state)));
		expect(next.kind).toBe('ok');
	});

	test.each<[string, (list: IDataObject) => unknown]>([
		['its checksum', (list) => ({ ...list, sum: 'x' })],
		['its content', (list) => ({ ...list, n: 4 })],
		['everything', () => null],
	])('of one list (%s) does not take the others along', async (_, damage) => {
		const list = scannedState(ids).lists['scope.own'];
		if (list === undefined) throw new Error('no list');
		const both = sealWatch({ ...emptyWatch('line'), lists: { 'scope.a': list, 'scope.b': list } });
		const stored = JSON.parse(JSON.stringify(both)) as { lists: IDataObject };
		stored.lists['scope.a'] = damage(list as unknown as IDataObject) as IDataObject;
		const memory = freshMemory();
		const times = { now: START, until: START + 1_000, line: 'line' };
		const start = beginPoll(memory, { stored, ...times });
		if (start === undefined) throw new Error('busy');
		const lists = ['a', 'b'].map((account) => ({ account, fetchPage: serve(['new', ...ids]) }));
		const { state, damaged } = start;
		const result = await pollOnce(state, serve([]), { lists, damaged });
		expect(result.delivered.map(({ account }) => account)).toEqual(['b']);
		expect(result.failures.map(({ account }) => account)).toContain('a');
		const next = openWatch(JSON.parse(JSON.stringify(result.state)));
		expect(next.kind).toBe('ok');
		if (next.kind !== 'ok') return;
		const after = await pollOnce(next.value, serve([]), { lists });
		expect(after.delivered).toEqual([]);
	});

	test.each(DURABILITIES)('is told once, not at every poll (%s)', async (durability) => {
		const { world } = service;
		world.seedLeads(world.own, 20);
		const given = trigger();
		const stored = { watch: { v: 99, lists: {} } };
		const node = pollRegistration({ ...given, durability, stored });
		const polls = [await node.activate(), await node.tick(), await node.tick(), await node.tick()];
		expect(polls.filter(({ error }) => /damaged/.test(error?.message ?? ''))).toHaveLength(1);
		expect(polls.at(-1)?.error).toBeUndefined();
		const lead = world.addLead(world.own);
		expect(idsOf(await node.tick())).toEqual([lead.id]);
	});
});

describe('records and accounts', () => {
	test('ids that are numbers are ids', async () => {
		const numbered = (ids: number[]) => serve(ids.map(String), (id) => ({ id: Number(id) }));
		const { state } = await pollOnce(emptyWatch('line'), numbered([1, 2]));
		const result = await pollOnce(state, numbered([3, 1, 2]));
		expect(result.delivered.map(({ record }) => record.id)).toEqual([3]);
		expect((await pollOnce(result.state, numbered([3, 1, 2]))).delivered).toEqual([]);
	});

	test('an account that is named twice is read and delivered once', async () => {
		const ids = uuids(3);
		const lists = ['a', 'a'].map((account) => ({ account, fetchPage: serve(['new', ...ids]) }));
		const known = scannedState(ids);
		const list = known.lists['scope.own'];
		if (list === undefined) throw new Error('no list');
		const state = { ...known, lists: { 'scope.a': list } };
		const result = await pollOnce(state, serve([]), { lists });
		expect(result.delivered.map(({ record }) => record.id)).toEqual(['new']);
	});

	test('a client named in capitals and in small letters is one client', async () => {
		const { world } = service;
		const { id } = world.clientA;
		const chosen = { event: 'newLead', watch: 'clients', clientIds: [id, id.toUpperCase()] };
		const node = pollRegistration({
			...trigger(chosen, world.keys.agency),
			durability: 'durableCursors',
		});
		await node.activate();
		await node.tick();
		const lists = service.requests.filter(({ path }) => path.endsWith('/leads'));
		expect(new Set(lists.map(({ path }) => path)).size).toBe(1);
	});

	test('a record without id at the end of a page neither stops nor loops the scan', async () => {
		const ids = [...uuids(199), 'nameless', ...uuids(200, 2)];
		const render = (id: string) => (id === 'nameless' ? { name: 'No id' } : { id });
		const { state, requests } = await pollOnce(emptyWatch('line'), serve(ids, render));
		expect(requests).toBeLessThan(10);
		const result = await pollOnce(state, serve(['new', ...ids], render));
		expect(result.delivered.map(({ record }) => record.id)).toEqual(['new']);
	});
});

describe('another n8n', () => {
	test.each([
		[undefined, 300_000],
		[() => Infinity, 300_000],
		[() => NaN, 300_000],
		[() => 0, 300_000],
		[() => 36_000, 36_000],
	])('that gives a poll the time %p', (getPollBudgetMs, expected) => {
		expect(budgetOf({ getPollBudgetMs } as unknown as IPollFunctions)).toBe(expected);
	});

	test('without a logger and without a budget polls as well', async () => {
		let ids = ['a', 'b'];
		let status = 200;
		const data: IDataObject = {};
		const parameters: IDataObject = { ...OWN, filters: {}, options: {} };
		const functions = {
			getNode: () => ({ id: 'old', name: 'Old', type: 'old', typeVersion: 1, position: [0, 0] }),
			getWorkflow: () => ({ id: 'old', name: 'Old', active: true }),
			getMode: () => 'trigger',
			getNodeParameter: (parameter: string) => parameters[parameter] ?? null,
			getCredentials: async () => ({
				baseUrl: 'https://api.example.com/v1',
				apiKey: 'x_live_abcd',
			}),
			getWorkflowStaticData: () => data,
			helpers: {
				httpRequestWithAuthentication: async ({ qs }: IHttpRequestOptions) => ({
					statusCode: status,
					headers: {},
					body: JSON.stringify({
						// A record without an ID causes a warning.
						data: [...ids.map((id) => ({ id })), {}],
						pagination: { limit: 100, offset: qs?.offset ?? 0, has_more: false },
						...(status === 200 ? {} : { error: { code: 'forbidden', message: 'No' } }),
					}),
				}),
			},
		};
		const poll = async () =>
			await new LeadGenPublishingTrigger().poll.call(functions as unknown as IPollFunctions);
		expect(await poll()).toBeNull();
		ids = ['a', 'b', 'c'];
		expect((await poll())?.flat().map(({ json }) => json.id)).toEqual(['c']);
		status = 403;
		await expect(poll()).rejects.toThrow(/may not do this/);
	});
});
