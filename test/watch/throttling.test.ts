/**
 * A 429 for one list applies to the key: no list of the trigger is read before the time is over.
 */
import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { startService, type FakeService } from '../../fake-service/index';
import { pollRegistration, runPoll } from '../support/engine';
import { adjustableClock, idsOf, inAnotherProcess, triggerOf } from '../support/kit/index';

let service: FakeService;
beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});
const HOUR = 3_600_000;
const later = (ms: number) => {
	const then = Date.now() + ms;
	jest.spyOn(Date, 'now').mockImplementation(() => then);
};

async function throttled(retryAfter: number) {
	const { world, faults } = service;
	const clients = [
		world.clientA,
		...Array.from({ length: 19 }, (_, index) => world.addClient(world.agency, `Client ${index}`)),
	];
	const node = pollRegistration({
		node: LeadGenPublishingTrigger,
		credentialType: LeadGenPublishingApi,
		credentials: { baseUrl: service.baseUrl, apiKey: world.keys.agency },
		parameters: { event: 'newLead', watch: 'clients', clientIds: clients.map(({ id }) => id) },
		workflowId: `throttled-${retryAfter}`,
		durability: 'inMemory',
	});
	await node.activate();
	await node.tick();
	faults.rateLimit(retryAfter, { path: `/clients/${world.clientA.id}/leads` });
	service.clearLog();
	const { error } = await node.tick();
	service.clearLog();
	return { node, error };
}

test('the next polls within the wait send nothing, and the first one after it reads on', async () => {
	const { node, error } = await throttled(600);
	expect(error).toBeUndefined();
	for (let polls = 0; polls < 3; polls += 1) expect((await node.tick()).error).toBeUndefined();
	expect(service.requests).toEqual([]);
	const lead = service.world.addLead(service.world.clientA);
	later(601_000);
	const found = [...((await node.tick()).items ?? []), ...((await node.tick()).items ?? [])];
	expect(service.requests.length).toBeGreaterThan(10);
	expect(found.map(({ json }) => json.id)).toEqual([lead.id]);
});

test('a year is not believed: after a day the lists are read again', async () => {
	const { node, error } = await throttled(366 * 24 * 3_600);
	const { failure } = error as unknown as { failure: { retryAfterMs: number } };
	expect(failure.retryAfterMs).toBeLessThanOrEqual(24 * HOUR);
	later(23 * HOUR);
	await node.tick();
	expect(service.requests).toEqual([]);
	jest.restoreAllMocks();
	later(25 * HOUR);
	await node.tick();
	expect(service.requests.length).toBeGreaterThan(0);
});

test('its requests say that a poll has sent them, and nothing of whom they are about', async () => {
	const { node } = await throttled(1);
	later(HOUR);
	await node.tick();
	for (const { headers } of service.requests)
		expect(headers['x-request-id']).toMatch(/^n8n:poll:[0-9a-f]{20}$/);
});

describe('a service that asks to wait again and again', () => {
	const MINUTE = 60_000;
	const always = { count: Infinity };
	const durability = 'durableCursors' as const;
	let clock: ReturnType<typeof adjustableClock>;
	beforeEach(() => (clock = adjustableClock()));

	test.each([429, 503])('for one client (%i) leaves the others their turn', async (status) => {
		const { world, faults } = service;
		const { clientA, clientB, clientC } = world;
		const clientIds = [clientA, clientB, clientC].map(({ id }) => id);
		const parameters = { event: 'newLead', watch: 'clients', clientIds };
		const trigger = triggerOf(service, { key: world.keys.agency, parameters });
		const node = pollRegistration({ ...trigger, durability });
		await node.activate();
		await node.tick();
		const path = `/clients/${clientB.id}/leads`;
		faults.add({ kind: 'error', status, retryAfter: 600 }, { path, ...always });
		await node.tick();
		const lead = world.addLead(clientA);
		const got: unknown[] = [];
		for (let poll = 0; poll < 60; poll += 1) {
			clock.advance(MINUTE + 500);
			got.push(...idsOf(await node.tick()));
		}
		expect(got).toEqual([lead.id]);
	});

	test('in a test by hand keeps no poll from reading', async () => {
		const { world, faults } = service;
		const trigger = triggerOf(service);
		const node = pollRegistration({ ...trigger, durability });
		await node.activate();
		await node.tick();
		faults.rateLimit(86_400, { path: '/leads' });
		expect((await runPoll({ ...trigger, mode: 'manual' })).error).toBeDefined();
		const lead = world.addLead(world.own);
		expect(idsOf(await node.tick())).toEqual([lead.id]);
	});

	test('is asked at once when the workflow is switched on', async () => {
		const { world, faults } = service;
		const trigger = triggerOf(service);
		await pollRegistration({ ...trigger, durability }).activate();
		// As n8n's durable scheduler polls, in the same process.
		const node = pollRegistration({ ...trigger, durability, budgetMs: 36_000 });
		await node.tick();
		faults.rateLimit(86_400, { path: '/leads' });
		await node.tick();
		const lead = world.addLead(world.own);
		clock.advance(MINUTE);
		expect((await node.tick()).items).toBeNull();
		const again = pollRegistration({ ...trigger, durability, stored: node.stored });
		expect(idsOf(await again.activate())).toEqual([lead.id]);
	});

	/** What comes of the polls of so many minutes. */
	async function minutes(node: ReturnType<typeof pollRegistration>, count: number) {
		const found = { errors: [] as string[], ids: [] as unknown[] };
		for (let poll = 0; poll < count; poll += 1) {
			clock.advance(MINUTE);
			const run = await node.tick();
			found.ids.push(...idsOf(run));
			if (run.error) found.errors.push(run.error.message);
		}
		return found;
	}
	const alone = /^The service asked to be left alone for an hour or more, so no list is read/;

	test.each([429, 503])('when asked for the owner (%i) says so and reads first', async (status) => {
		const { world, faults } = service;
		faults.add({ kind: 'error', status, retryAfter: 7_200 }, { path: '/me', ...always });
		const node = pollRegistration({ ...triggerOf(service), durability });
		expect((await node.activate()).error).toBeUndefined();
		expect((await minutes(node, 119)).errors).toEqual([expect.stringMatching(alone)]);
		await minutes(node, 2);
		const lead = world.addLead(world.own);
		expect(await minutes(node, 110)).toEqual({ errors: [], ids: [lead.id] });
	});

	/** A trigger that has found out whose key it has. */
	async function withKnownOwner() {
		service.world.seedLeads(service.world.own, 3);
		const trigger = triggerOf(service);
		const first = pollRegistration({ ...trigger, durability });
		await first.activate();
		await first.tick();
		return { trigger, first };
	}

	test('when asked for the owner of another key lets the records decide', async () => {
		const { world, faults } = service;
		const { trigger, first } = await withKnownOwner();
		faults.add({ kind: 'error', status: 429, retryAfter: 3_600 }, { path: '/me', ...always });
		const lead = world.addLead(world.own);
		const apiKey = world.addKey(world.own, 'svc_live_rotated_0123456789', ['*']);
		const credentials = { ...trigger.credentials, apiKey };
		const node = pollRegistration({ ...trigger, credentials, durability, stored: first.stored });
		const { errors, ids } = await minutes(node, 65);
		expect([errors.length, ids]).toEqual([1, [lead.id]]);
	});

	test('when asked for the owner of another key is asked up to five times', async () => {
		const { world, faults } = service;
		const { trigger, first } = await withKnownOwner();
		faults.add({ kind: 'error', status: 503, retryAfter: 3_600 }, { path: '/me', ...always });
		const credentials = { ...trigger.credentials, apiKey: world.keys.agency };
		const node = pollRegistration({ ...trigger, credentials, durability, stored: first.stored });
		await minutes(node, 7 * 61);
		const lead = world.addLead(world.agency);
		expect((await minutes(node, 65)).ids).toEqual([lead.id]);
	});

	test.each([7_200, 86_400])('for %i s when asked for names reads first', async (retryAfter) => {
		const { world, faults } = service;
		const { clientA, keys } = world;
		faults.add({ kind: 'error', status: 429, retryAfter }, { path: '/clients', ...always });
		const parameters = { event: 'newLead', watch: 'clients', clientIds: [clientA.id] };
		const trigger = triggerOf(service, { key: keys.agency, parameters });
		const node = pollRegistration({ ...trigger, durability });
		await node.activate();
		const wait = retryAfter / 60;
		expect((await minutes(node, wait - 1)).errors).toEqual([expect.stringMatching(alone)]);
		for (let round = 0; round < 5; round += 1) {
			const lead = world.addLead(clientA);
			expect(await minutes(node, 20)).toEqual({ errors: [], ids: [lead.id] });
		}
	});

	test('when asked for the clients reads those that are known', async () => {
		const { world, faults } = service;
		const { clientA, keys } = world;
		const parameters = { event: 'newLead', watch: 'allClients' };
		const trigger = triggerOf(service, { key: keys.agency, parameters });
		const node = pollRegistration({ ...trigger, durability });
		await node.activate();
		await node.tick();
		faults.add({ kind: 'error', status: 429, retryAfter: 600 }, { path: '/clients', ...always });
		await node.tick();
		const lead = world.addLead(clientA);
		expect((await minutes(node, 12)).ids).toEqual([lead.id]);
	});

	test('when asked for the clients reads new ones, and none that have left', async () => {
		const { world, faults } = service;
		const { agency, clientA, clientB, keys } = world;
		const parameters = { event: 'newLead', watch: 'allClients' };
		const trigger = triggerOf(service, { key: keys.agency, parameters });
		const node = pollRegistration({ ...trigger, durability });
		await node.activate();
		await node.tick();
		world.setGrantStatus(agency, clientB, 'paused');
		const added = world.addClient(agency, 'Added');
		await node.tick();
		const wait = { kind: 'error', status: 429, retryAfter: 3_600 } as const;
		faults.add(wait, { path: '/clients', ...always });
		expect((await minutes(node, 59)).errors).toHaveLength(1);
		await minutes(node, 2);
		service.clearLog();
		const lead = world.addLead(added);
		expect(await minutes(node, 50)).toEqual({ errors: [], ids: [lead.id] });
		const read = service.requests.map(({ path }) => path);
		expect(read.some((path) => path.includes(clientA.id))).toBe(true);
		expect(read.some((path) => path.includes(clientB.id))).toBe(false);
		// Another process knows of those that left by what was stored.
		const other = inAnotherProcess(trigger, durability, node.stored);
		await other.tick();
		clock.advance(61 * MINUTE);
		service.clearLog();
		await other.tick();
		const again = service.requests.map(({ path }) => path);
		expect(again.some((path) => path.includes(clientA.id))).toBe(true);
		expect(again.some((path) => path.includes(clientB.id))).toBe(false);
	});

	test('for a day while there is something to deliver is told by the next poll', async () => {
		const { world, faults } = service;
		const { clientA, clientB, keys } = world;
		const clientIds = [clientA.id, clientB.id];
		const parameters = { event: 'newLead', watch: 'clients', clientIds };
		const trigger = triggerOf(service, { key: keys.agency, parameters });
		const node = pollRegistration({ ...trigger, durability });
		await node.activate();
		await node.tick();
		// News of one arrive with the other's refusal.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const lead = world.addLead(clientA);
		faults.rateLimit(86_400, { path: `/clients/${clientB.id}/leads` });
		expect(idsOf(await node.tick())).toEqual([lead.id]);
		const { errors } = await minutes(node, 60);
		expect(errors).toEqual([expect.stringMatching(alone)]);
	});
});
