/**
 * What must not stop a trigger nor hide the items of others: restarts, refusals, slowness,
 * departures.
 */
import type { IDataObject } from 'n8n-workflow';

import {
	FORGOTTEN_AFTER_MS,
	forgetDepartedLists,
} from '../../../nodes/LeadGenPublishing/watch/store/departed';
import { openList } from '../../../nodes/LeadGenPublishing/watch/store/listState';
import { startService, type FakeService } from '../../../fake-service/index';
import { pollRegistration, stopInstance, type PollDurability } from '../../support/engine';
import { newLeads, scannedState, START, uuids } from '../pollHelpers';
import {
	giveLeadsWithoutIds,
	idsOf,
	inAnotherProcess,
	OWN,
	triggerOf,
} from '../../support/kit/index';

let service: FakeService;
beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => await service.close());
afterAll(async () => await stopInstance());

const two = () => {
	const { world } = service;
	const parameters = {
		event: 'newLead',
		watch: 'clients',
		clientIds: [world.clientA.id, world.clientB.id],
	};
	return triggerOf(service, { parameters, key: world.keys.agency });
};
const DURABILITIES: readonly PollDurability[] = ['inMemory', 'durable', 'durableCursors'];

describe.each(['activate', 'update', 'init'] as const)('an activation by %s', (how) => {
	test.each(DURABILITIES)(
		'goes through with one revoked client among two, kept %s',
		async (durability) => {
			const { world } = service;
			const trigger = two();
			const node = pollRegistration({ ...trigger, durability });
			await node.activate();
			world.addLead(world.clientB);
			await node.tick();
			world.revokeGrant(world.agency, world.clientA);
			const lead = world.addLead(world.clientB);
			const again = inAnotherProcess(trigger, durability, node.stored);
			const first = await again.activate(how);
			expect(first.error).toBeUndefined();
			expect(idsOf(first)).toEqual([lead.id]);
			const reported = await again.tick();
			expect(reported.error?.message).toContain(world.clientA.id);
			const next = world.addLead(world.clientB);
			expect(idsOf(await again.tick())).toEqual([next.id]);
		},
	);

	test('owes a failure to the next poll when there is nothing to deliver', async () => {
		const { world } = service;
		const trigger = two();
		world.revokeGrant(world.agency, world.clientA);
		const node = pollRegistration({ ...trigger, durability: 'inMemory' });
		expect((await node.activate(how)).error).toBeUndefined();
		expect((await node.tick()).error?.message).toContain(world.clientA.id);
		expect((await node.tick()).error).toBeUndefined();
	});
});

describe('nothing at all can be read, for good', () => {
	const refused = () => triggerOf(service, { key: service.world.keys.revoked });

	test('a person who publishes is told', async () => {
		const run = await pollRegistration({ ...refused(), durability: 'inMemory' }).activate();
		expect(run.error?.message).toMatch(/key was not accepted/);
	});

	test.each(['init', 'leadershipChange'] as const)(
		'n8n is not told at %s, since it would give the workflow up; each poll tells it',
		async (how) => {
			const { world } = service;
			const node = pollRegistration({ ...refused(), durability: 'inMemory' });
			expect((await node.activate(how)).error).toBeUndefined();
			expect((await node.tick()).error?.message).toMatch(/key was not accepted/);
			world.setKeyStatus(world.keys.revoked, 'active');
			expect((await node.tick()).error).toBeUndefined();
		},
	);

	test('parameters that are wrong do not end the workflow at the start of n8n either', async () => {
		const parameters = { event: 'newLead', watch: 'clients', clientIds: [] };
		const node = pollRegistration({
			...triggerOf(service, { parameters }),
			durability: 'inMemory',
		});
		const first = await node.activate('init');
		expect(first.error).toBeUndefined();
		expect(first.logs.some(({ message }) => /Client Names or IDs/.test(message))).toBe(true);
		expect((await node.tick()).error?.message).toMatch(/Client Names or IDs/);
	});

	test('two clients that are both revoked keep a person from publishing', async () => {
		const { world } = service;
		world.revokeGrant(world.agency, world.clientA);
		world.revokeGrant(world.agency, world.clientB);
		const run = await pollRegistration({ ...two(), durability: 'inMemory' }).activate();
		expect(run.error?.message).toMatch(/2 accounts could not be read/);
	});
});

describe('an error', () => {
	test('names each client once, with its name', async () => {
		const { world } = service;
		const node = pollRegistration({ ...two(), durability: 'durableCursors' });
		await node.activate();
		await node.tick();
		world.revokeGrant(world.agency, world.clientA);
		world.revokeGrant(world.agency, world.clientB);
		const { error } = await node.tick();
		expect(error?.message).toMatch(/^The leads of 2 accounts could not be read: /);
		for (const { id, fullName } of [world.clientA, world.clientB]) {
			expect(error?.message.split(id)).toHaveLength(2);
			expect(error?.message).toContain(`${fullName} (${id})`);
		}
	});

	test('of one client says whose records they are', async () => {
		const { world } = service;
		const node = pollRegistration({ ...two(), durability: 'durableCursors' });
		await node.activate();
		await node.tick();
		world.revokeGrant(world.agency, world.clientA);
		const { fullName, id } = world.clientA;
		expect((await node.tick()).error?.message).toMatch(
			new RegExp(`^The leads of ${fullName} \\(${id}\\) could not be read\\. The API key may not`),
		);
	});
});

describe('All Clients', () => {
	const all = { event: 'newLead', watch: 'allClients' };

	test('with a key that may list none says what to do', async () => {
		const trigger = triggerOf(service, { parameters: all });
		service.faults.status(403, { path: '/clients', count: Infinity });
		const run = await pollRegistration({ ...trigger, durability: 'inMemory' }).activate();
		expect(run.error?.message).toMatch(/"All Clients", but the service does not list clients/);
		expect((run.error as { description?: string }).description).toMatch(/"Own Account"/);
	});

	test('without any client says so once, and goes on when one comes', async () => {
		const { world } = service;
		for (const client of [world.clientA, world.clientB, world.clientC]) {
			world.revokeGrant(world.agency, client);
		}
		const trigger = triggerOf(service, { parameters: all, key: world.keys.agency });
		const node = pollRegistration({ ...trigger, durability: 'durableCursors' });
		expect((await node.activate()).error).toBeUndefined();
		expect((await node.tick()).error?.message).toMatch(/No client with an active grant/);
		expect((await node.tick()).error).toBeUndefined();
		const client = world.addClient(world.agency, 'First Of All');
		await node.tick();
		const lead = world.addLead(client);
		expect(idsOf(await node.tick())).toEqual([lead.id]);
	});
});

test('publishing ends within its time, and the next polls go on with the first scan', async () => {
	service.world.seedLeads(service.world.own, 3_000);
	service.latency.global = 900;
	const node = pollRegistration({ ...triggerOf(service), durability: 'inMemory' });
	const since = Date.now();
	const first = await node.activate();
	expect(first.error).toBeUndefined();
	expect(Date.now() - since).toBeLessThan(20_000);
	expect(Date.now() - since).toBeGreaterThan(8_000);
	service.latency.global = 0;
	await node.tick();
	const lead = service.world.addLead(service.world.own);
	expect(idsOf(await node.tick())).toEqual([lead.id]);
}, 60_000);

test('a client that hangs holds the items of the others back for seconds, not for minutes', async () => {
	const { world } = service;
	const node = pollRegistration({ ...two(), durability: 'durableCursors' });
	await node.activate();
	await node.tick();
	service.faults.add(
		{ kind: 'delay', ms: 60_000 },
		{ when: ({ path }) => path.includes(world.clientA.id), count: Infinity },
	);
	const lead = world.addLead(world.clientB);
	const since = Date.now();
	expect(idsOf(await node.tick())).toEqual([lead.id]);
	expect(Date.now() - since).toBeLessThan(30_000);
}, 60_000);

test('items of several clients come in the order of their time', async () => {
	const { world } = service;
	const node = pollRegistration({ ...two(), durability: 'durableCursors' });
	await node.activate();
	await node.tick();
	const at = (minute: number) => ({ created_at: `2026-01-01T10:0${minute}:00Z` });
	const first = world.addLead(world.clientA, at(1));
	const second = world.addLead(world.clientB, at(2));
	const third = world.addLead(world.clientA, at(3));
	expect(idsOf(await node.tick())).toEqual([first.id, second.id, third.id]);
});

test('records without an ID are announced once, in words', async () => {
	service.world.seedLeads(service.world.own, 3);
	giveLeadsWithoutIds(service);
	const node = pollRegistration({ ...triggerOf(service), durability: 'durableCursors' });
	expect((await node.activate()).error).toBeUndefined();
	expect((await node.tick()).error?.message).toMatch(/3 records have no ID/);
	expect((await node.tick()).error).toBeUndefined();
});

test('half an hour is a pace for complete checks', async () => {
	const parameters = { ...OWN, options: { completeCheckEvery: 0.5 } };
	service.world.seedLeads(service.world.own, 950);
	const node = pollRegistration({ ...triggerOf(service, { parameters }), durability: 'inMemory' });
	await node.activate();
	const clock = jest.spyOn(Date, 'now');
	const now = Date.now();
	try {
		clock.mockReturnValue(now + 15 * 60_000);
		service.clearLog();
		await node.tick();
		// Half of the time has passed, so half of the list is due.
		expect(service.requests.length).toBeGreaterThanOrEqual(5);
	} finally {
		clock.mockRestore();
	}
});

describe('lists that are no longer watched', () => {
	const ids = uuids(10);
	const state = scannedState(ids);
	const none = { away: {}, forgotten: [] };
	const key = 'scope.own';
	const WEEK = 7 * 24 * 3_600_000;
	const given = (now: number, watched: string[] = []) => ({
		...{ watched: new Set(watched), width: newLeads.width, now },
	});

	/** After polls in which they were not watched, a week apart. */
	const awayFor = (ms: number) => {
		let { departures } = forgetDepartedLists(state, none, given(START));
		for (let past = WEEK; past < ms; past += WEEK)
			({ departures } = forgetDepartedLists(state, departures, given(START + past)));
		return forgetDepartedLists(state, departures, given(START + ms));
	};

	test('stay for a month, then leave', () => {
		const left = forgetDepartedLists(state, none, given(START));
		expect(left.departures.away).toEqual({ [key]: START });
		const before = awayFor(FORGOTTEN_AFTER_MS - 1);
		expect(before.state.lists[key]).toBeDefined();
		expect(before.changed).toBe(false);
		const after = forgetDepartedLists(state, before.departures, given(START + FORGOTTEN_AFTER_MS));
		expect(after.state.lists[key]).toBeUndefined();
		expect(after.departures.away).toEqual({});
		expect(JSON.stringify(after.departures)).not.toContain(key);
	});

	test('that come back within the month go on', () => {
		const left = forgetDepartedLists(state, none, given(START));
		const back = forgetDepartedLists(state, left.departures, given(START + 1_000, [key]));
		expect(back.departures).toEqual(none);
		expect(back.changed).toBe(true);
		expect(back.state.lists[key]).toEqual(state.lists[key]);
	});

	test('that come back later begin without a flood, whatever the settings', () => {
		const gone = awayFor(FORGOTTEN_AFTER_MS);
		const back = forgetDepartedLists(
			gone.state,
			gone.departures,
			given(START + 2 * FORGOTTEN_AFTER_MS, [key]),
		);
		const opened = openList(back.state.lists[key], newLeads.width);
		expect(opened.kind === 'ok' && opened.value.progress.quietly).toBe(true);
		expect(back.departures.forgotten).toEqual([]);
	});

	test('do not mind a clock that jumps', () => {
		const future = { away: { [key]: START + 10 * FORGOTTEN_AFTER_MS }, forgotten: [] };
		const now = forgetDepartedLists(state, future, given(START));
		expect(now.departures.away).toEqual({ [key]: START });
	});

	test('are not forgotten while the clients cannot be listed', async () => {
		const { world } = service;
		const trigger = triggerOf(service, {
			parameters: { event: 'newLead', watch: 'allClients' },
			key: world.keys.agency,
		});
		const node = pollRegistration({ ...trigger, durability: 'durableCursors' });
		await node.activate();
		await node.tick();
		service.faults.status(500, { path: '/clients', count: Infinity });
		await node.tick();
		world.addLead(world.clientA);
		await node.tick();
		const extras = ((node.stored?.watch ?? {}) as IDataObject).extras as IDataObject;
		expect((extras.departures as IDataObject).away).toEqual({});
	}, 30_000);
});
