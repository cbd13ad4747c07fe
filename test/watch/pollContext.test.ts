/** The trigger on n8n's own PollContext, against the fake service; state travels as JSON. */
import type { IDataObject } from 'n8n-workflow';

import { asLastPage } from '../../fake-service/distort';
import { startService, type FakeService } from '../../fake-service/index';
import { pollRegistration, runPoll, type PollDurability } from '../support/engine';

import { idsOf, nextError, OWN, pollsToError, triggerOf } from '../support/kit/index';

let service: FakeService;

beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => await service.close());
const DURABILITIES: readonly PollDurability[] = ['inMemory', 'durable', 'durableCursors'];

const trigger = (parameters: IDataObject = OWN, key = service.world.keys.own) =>
	triggerOf(service, { parameters, key });
const lists = () => service.requests.filter(({ path }) => /(leads|activity|posts)$/.test(path));

describe.each(DURABILITIES)('with n8n keeping state %s', (durability) => {
	test('what is there at activation is not delivered, what comes after is, once', async () => {
		service.world.seedLeads(service.world.own, 250);
		const node = pollRegistration({ ...trigger(), durability });
		expect((await node.activate()).items).toBeNull();
		// Three pages, and the head once more for records that came in between.
		expect(lists()).toHaveLength(4);
		const lead = service.world.addLead(service.world.own);
		expect(idsOf(await node.tick())).toEqual([lead.id]);
		expect((await node.tick()).items).toBeNull();
		expect((await node.tick()).items).toBeNull();
	});

	test('1,000 new leads come in one poll, oldest first, each once', async () => {
		service.world.seedLeads(service.world.own, 300);
		const node = pollRegistration({ ...trigger(), durability });
		await node.activate();
		const added = Array.from({ length: 1_000 }, () => service.world.addLead(service.world.own).id);
		service.clearLog();
		const ids = idsOf(await node.tick());
		expect(new Set(ids)).toEqual(new Set(added));
		expect(ids).toHaveLength(1_000);
		expect(lists().length).toBeLessThanOrEqual(2 + 10 + 1);
		expect((await node.tick()).items).toBeNull();
	});

	test('a restart between two polls neither loses nor repeats', async () => {
		service.world.seedLeads(service.world.own, 150);
		const before = trigger();
		const node = pollRegistration({ ...before, durability });
		await node.activate();
		service.world.addLead(service.world.own);
		await node.tick();
		const { stored } = node;
		expect(stored).toBeDefined();
		const lead = service.world.addLead(service.world.own);
		// Another process: it knows only what was stored.
		const again = pollRegistration({ ...before, nodeId: `${before.nodeId}-b`, durability, stored });
		expect(idsOf(await again.tick())).toEqual([lead.id]);
		expect((await again.tick()).items).toBeNull();
	});

	test('existing leads are delivered first when that is asked for', async () => {
		service.world.seedLeads(service.world.own, 220);
		const node = pollRegistration({
			...trigger({ ...OWN, options: { emitExisting: true } }),
			durability,
		});
		const ids = [
			...idsOf(await node.activate()),
			...idsOf(await node.tick()),
			...idsOf(await node.tick()),
		];
		expect(new Set(ids).size).toBe(220);
		expect(ids).toHaveLength(220);
	});

	test('no more items than allowed per poll, and the rest in the next ones', async () => {
		service.world.seedLeads(service.world.own, 120);
		const node = pollRegistration({
			...trigger({ ...OWN, options: { maxItemsPerPoll: 10 } }),
			durability,
		});
		await node.activate();
		const added = Array.from({ length: 25 }, () => service.world.addLead(service.world.own).id);
		const polls = [await node.tick(), await node.tick(), await node.tick(), await node.tick()].map(
			idsOf,
		);
		expect(polls.map((ids) => ids.length)).toEqual([10, 10, 5, 0]);
		expect(polls.flat()).toEqual(added);
	});
});

describe('activation', () => {
	test.each([
		['a revoked key', 'revoked', /key was not accepted/],
		['a key without the scope', 'posts', /may not do this/],
	])('%s keeps the workflow from being switched on', async (_, which, message) => {
		const { keys } = service.world;
		const key = which === 'revoked' ? keys.revoked : keys.single['posts:read'];
		const run = await pollRegistration({ ...trigger(OWN, key), durability: 'inMemory' }).activate();
		expect(run.error?.message).toMatch(message);
		expect(run.error?.message).not.toContain(key);
	});

	test.each([429, 500, 502])(
		'an answer %d lets it be switched on; the next poll says it',
		async (status) => {
			service.faults.add({ kind: 'error', status }, { path: '/leads', count: Infinity });
			const node = pollRegistration({ ...trigger(), durability: 'inMemory' });
			const activation = await node.activate();
			expect(activation.error).toBeUndefined();
			expect(activation.items).toBeNull();
			expect(await nextError(node)).toMatch(/service/i);
		},
		60_000,
	);
});

test('a later 429 tells n8n how long to wait', async () => {
	const node = pollRegistration({ ...trigger(), durability: 'inMemory' });
	await node.activate();
	service.faults.rateLimit(120, { path: '/leads', count: Infinity });
	const error = (await pollsToError(node, { atMost: 9 })).at(-1)?.error;
	expect(error).toMatchObject({ failure: { cause: 'rate-limited', retryAfterMs: 120_000 } });
});

test('two polls at the same time deliver a lead once', async () => {
	service.world.seedLeads(service.world.own, 10);
	const node = pollRegistration({ ...trigger(), durability: 'inMemory' });
	await node.activate();
	const lead = service.world.addLead(service.world.own);
	service.latency.global = 40;
	const polls = await Promise.all([node.tick(), node.tick()]);
	expect(polls.flatMap(idsOf)).toEqual([lead.id]);
});

test('a manual test shows a few leads and leaves no trace', async () => {
	service.world.seedLeads(service.world.own, 50);
	const given = trigger();
	const staticData = { watch: { some: 'state' } };
	const run = await runPoll({ ...given, mode: 'manual', staticData });
	expect(run.items?.length).toBeGreaterThan(0);
	expect(run.items?.length).toBeLessThanOrEqual(10);
	expect(run.changed).toBe(false);
	expect(run.staticData).toEqual(staticData);
});

test('items are flat for a CRM, carry the event, and the state holds no personal data', async () => {
	service.world.seedLeads(service.world.own, 5);
	const node = pollRegistration({ ...trigger(), durability: 'durableCursors' });
	await node.activate();
	const lead = service.world.addLead(service.world.own, {
		name: 'Zelda Canary',
		emails: { submitted: 'zelda@canary.example', work: null, personal: null },
	});
	const [item] = (await node.tick()).items ?? [];
	expect(item?.json).toMatchObject({
		event: 'newLead',
		id: lead.id,
		email: 'zelda@canary.example',
	});
	const stored = JSON.stringify(node.stored);
	for (const secret of [lead.id, 'Zelda', 'canary.example', service.world.keys.own]) {
		expect(stored).not.toContain(secret);
	}
});

describe('other events', () => {
	test('a lead that changes is delivered, a new one is not', async () => {
		service.world.seedLeads(service.world.own, 20);
		const first = service.world.addLead(service.world.own, { qualification_status: 'open' });
		const node = pollRegistration({
			...trigger({ event: 'leadChanged', watch: 'own' }),
			durability: 'durableCursors',
		});
		await node.activate();
		await node.tick();
		service.world.addLead(service.world.own);
		service.world.patchLead(service.world.own, first.id, { qualification_status: 'qualified' });
		const run = await node.tick();
		expect(run.items?.map(({ json }) => [json.id, json.qualification_status, json.event])).toEqual([
			[first.id, 'qualified', 'leadChanged'],
		]);
	});

	test('new activity can be narrowed by source and keyword', async () => {
		const parameters = {
			event: 'newActivity',
			watch: 'own',
			filters: { source: 'comment', keyword: 'guide' },
		};
		const node = pollRegistration({ ...trigger(parameters), durability: 'durableCursors' });
		await node.activate();
		await node.tick();
		const { activity } = service.world.comment(service.world.own, 'GUIDE');
		service.world.comment(service.world.own, 'OTHER');
		const run = await node.tick();
		expect(idsOf(run)).toEqual([activity.id]);
		expect(lists().every(({ query }) => query.source === 'comment')).toBe(true);
	});

	test('a post that is published is delivered', async () => {
		const post = service.world.addPost(service.world.own, { status: 'scheduled' });
		const node = pollRegistration({
			...trigger({ event: 'postStatusChanged', watch: 'own' }),
			durability: 'durableCursors',
		});
		await node.activate();
		await node.tick();
		service.world.patchPost(service.world.own, post.id, { status: 'published' });
		const run = await node.tick();
		expect(run.items?.map(({ json }) => [json.id, json.status])).toEqual([[post.id, 'published']]);
	});

	test('a lead that gains an email later is new to the filter for it', async () => {
		const lead = service.world.addLead(service.world.own, {
			emails: { submitted: null, work: null, personal: null },
		});
		const node = pollRegistration({
			...trigger({ ...OWN, filters: { hasEmail: true } }),
			durability: 'durableCursors',
		});
		await node.activate();
		await node.tick();
		service.world.patchLead(service.world.own, lead.id, {
			emails: { submitted: null, work: 'new@work.example', personal: null },
		});
		expect(idsOf(await node.tick())).toEqual([lead.id]);
	});
});

describe('clients of an agency', () => {
	const all = { event: 'newLead', watch: 'allClients' };
	const agency = () => trigger(all, service.world.keys.agency);

	test('a revoked grant among 50 clients neither stops nor hides the others', async () => {
		const { world } = service;
		const clients = Array.from({ length: 50 }, (_, index) =>
			world.addClient(world.agency, `Client ${index}`),
		);
		for (const client of clients) world.seedLeads(client, 3);
		const chosen = { event: 'newLead', watch: 'clients', clientIds: clients.map(({ id }) => id) };
		const node = pollRegistration({
			...trigger(chosen, world.keys.agency),
			durability: 'durableCursors',
		});
		await node.activate();
		await node.tick();
		const [first, second] = clients;
		if (first === undefined || second === undefined) throw new Error('no clients');
		world.revokeGrant(world.agency, first);
		const lead = world.addLead(second);
		const run = await node.tick();
		expect(run.items?.map(({ json }) => [json.id, json.client_id])).toEqual([[lead.id, second.id]]);
		expect(run.logs.some(({ message }) => message.includes(first.id))).toBe(true);
		const idle = await node.tick();
		expect(idle.error?.message).toContain(first.id);
		expect(idle.error?.message).not.toContain(second.id);
		const later = world.addLead(second);
		expect(idsOf(await node.tick())).toEqual([later.id]);
	});

	test('a new client joins with a baseline, and its next lead is delivered', async () => {
		const { world } = service;
		const node = pollRegistration({ ...agency(), durability: 'durableCursors' });
		await node.activate();
		await node.tick();
		const client = world.addClient(world.agency, 'Late Joiner');
		world.seedLeads(client, 30);
		expect((await node.tick()).items).toBeNull();
		const lead = world.addLead(client);
		const run = await node.tick();
		expect(run.items?.map(({ json }) => [json.client_id, json.client_name])).toEqual([
			[client.id, 'Late Joiner'],
		]);
		expect(idsOf(run)).toEqual([lead.id]);
	});

	test('a client whose grant ended leaves without an error', async () => {
		const { world } = service;
		const node = pollRegistration({ ...agency(), durability: 'durableCursors' });
		await node.activate();
		await node.tick();
		world.revokeGrant(world.agency, world.clientA);
		const run = await node.tick();
		expect(run.error).toBeUndefined();
		expect(run.items).toBeNull();
	});

	test('when the clients cannot be listed, the known ones are watched all the same', async () => {
		const { world } = service;
		const node = pollRegistration({ ...agency(), durability: 'durableCursors' });
		await node.activate();
		await node.tick();
		service.faults.status(500, { path: '/clients', count: Infinity });
		const lead = world.addLead(world.clientA);
		expect(idsOf(await node.tick())).toEqual([lead.id]);
		expect(await nextError(node)).toMatch(/something unexpected/);
	}, 30_000);
});

test('a poll that runs out of time goes on in the next one', async () => {
	service.world.seedLeads(service.world.own, 1_500);
	service.latency.global = 80;
	const node = pollRegistration({
		...trigger({ ...OWN, options: { emitExisting: true } }),
		durability: 'durableCursors',
		budgetMs: 800,
	});
	const delivered = new Set<unknown>();
	let count = 0;
	let polls = 0;
	const take = async (): Promise<void> => {
		const ids = idsOf(polls === 0 ? await node.activate() : await node.tick());
		polls += 1;
		count += ids.length;
		for (const id of ids) delivered.add(id);
	};
	// How much one poll reads in its time depends on the machine.
	while (delivered.size < 1_500 && polls < 200) await take();
	expect(polls).toBeGreaterThan(2);
	for (let more = 0; more < 3; more += 1) await take();
	expect(delivered.size).toBe(1_500);
	expect(count).toBe(1_500);
});

test('damaged state starts anew, says so, and delivers nothing twice', async () => {
	service.world.seedLeads(service.world.own, 120);
	const before = trigger({ ...OWN, options: { emitExisting: true } });
	const node = pollRegistration({ ...before, durability: 'durableCursors' });
	await node.activate();
	await node.tick();
	const damaged = JSON.parse(
		JSON.stringify(node.stored).replace(/"seen":"...../, '"seen":"AAAAA'),
	) as IDataObject;
	expect(damaged).not.toEqual(node.stored);
	const again = pollRegistration({
		...before,
		nodeId: 'another',
		durability: 'durableCursors',
		stored: damaged,
	});
	const polls = [await again.tick(), await again.tick(), await again.tick()];
	expect(polls.flatMap(idsOf)).toEqual([]);
	expect(polls.some(({ error }) => /damaged/.test(error?.message ?? ''))).toBe(true);
	const lead = service.world.addLead(service.world.own);
	expect(idsOf(await again.tick())).toEqual([lead.id]);
});

test.each([
	[
		'no client chosen',
		{ event: 'newLead', watch: 'clients', clientIds: [] },
		/Client Names or IDs/,
	],
	['a client that is no UUID', { event: 'newLead', watch: 'clients', clientIds: ['nope'] }, /UUID/],
	['no items allowed', { ...OWN, options: { maxItemsPerPoll: 0 } }, /Max Items per Poll/],
])('%s is refused before anything is sent', async (_, parameters, message) => {
	const run = await runPoll(trigger(parameters));
	expect(run.error?.message).toMatch(message);
	expect(service.requests).toHaveLength(0);
});

test('pages that hold less than they reach over, as after a filter, cost as much as full ones', async () => {
	service.world.seedLeads(service.world.own, 950);
	const even = (id: unknown) => parseInt(String(id).slice(-1), 16) % 2 === 0;
	service.faults.add(
		{
			kind: 'change',
			change: (envelope) => {
				const data = envelope.data as Array<{ id: string }>;
				return { ...envelope, data: data.filter(({ id }) => even(id)) } as never;
			},
		},
		{ path: '/leads', count: Infinity },
	);
	const node = pollRegistration({ ...trigger(), durability: 'durableCursors' });
	await node.activate();
	// For every page of 50 records, and for what pages share.
	expect(lists().length).toBeLessThanOrEqual(950 / 50 + 6);
	const id = `${service.world.uuid().slice(0, -1)}2`;
	service.world.addLead(service.world.own, { id });
	service.clearLog();
	expect(idsOf(await node.tick())).toEqual([id]);
	for (let poll = 0; poll < 12; poll += 1) expect((await node.tick()).items).toBeNull();
	expect(lists().length).toBeLessThanOrEqual(13 * 5);
});

test('a first page that was sent for another place is not taken for the whole list', async () => {
	service.world.seedLeads(service.world.own, 230);
	service.faults.add({ kind: 'change', change: asLastPage }, { path: '/leads', count: 4 });
	const node = pollRegistration({ ...trigger(), durability: 'durableCursors' });
	await node.activate();
	for (let poll = 0; poll < 4; poll += 1) expect((await node.tick()).items).toBeNull();
	const { id } = service.world.addLead(service.world.own);
	expect(idsOf(await node.tick())).toEqual([id]);
});
