/**
 * A 429 for one list applies to the key: no list of the trigger is read before the time is over.
 */
import { LeadGenPublishingApi } from '../../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishingTrigger } from '../../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { startService, type FakeService } from '../../service/index';
import { pollRegistration, runPoll, stopInstance } from '../../support/engine';
import { adjustableClock, idsOf, triggerOf } from '../../support/kit/index';

let service: FakeService;
beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});
afterAll(async () => await stopInstance());

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
});
