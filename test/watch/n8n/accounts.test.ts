import { sleep } from 'n8n-workflow';

import { readClients } from '../../../nodes/LeadGenPublishing/watch/n8n/accounts';
import { useClient } from '../../support/kit/index';
import { startService, type FakeService } from '../../../fake-service/index';

let service: FakeService;
beforeEach(async () => {
	service = await startService();
});
afterEach(async () => await service.close());

it('gives the clients when all of them are known, whatever hangs past the end of the list', async () => {
	fillUpTo(150);
	// Long enough for the pages after the second one to be requested.
	service.faults.add({ kind: 'delay', ms: 50 }, { when: ({ query }) => query.offset === '100' });
	service.faults.add(
		{ kind: 'delay', ms: 20_000 },
		{ count: Infinity, when: ({ query }) => Number(query.offset) >= 200 },
	);
	const start = Date.now();
	const { value } = await clients();
	expect(value).toHaveLength(150);
	expect(Date.now() - start).toBeLessThan(15_000);
	expect(service.requests.some(({ query }) => Number(query.offset) >= 200)).toBe(true);
});

it('asks for one page too many at most', async () => {
	fillUpTo(450);
	service.latency.global = 100;
	expect((await clients()).value).toHaveLength(450);
	expect(service.requests.length).toBeLessThanOrEqual(6);
});

it('reads a long list side by side', async () => {
	fillUpTo(1_350);
	service.latency.global = 200;
	expect((await clients()).value).toHaveLength(1_350);
	expect(service.requests.length).toBeLessThanOrEqual(15);
	const first = service.requests.find(({ query }) => query.offset === '100');
	const second = service.requests.find(({ query }) => query.offset === '200');
	expect(second?.startedAt).toBeLessThan(first?.endedAt ?? 0);
});

it('asks for no further page once nobody waits for the clients', async () => {
	fillUpTo(950);
	service.latency.global = 100;
	const alarm = new AbortController();
	const listed = clients(alarm.signal);
	await sleep(150);
	alarm.abort();
	expect((await listed).error).toBeDefined();
	const sent = service.requests.length;
	await sleep(200);
	expect(service.requests).toHaveLength(sent);
});

const clients = async (givenUp?: AbortSignal) =>
	await useClient(
		{ baseUrl: service.baseUrl, apiKey: service.world.keys.agency },
		async (client) => await readClients(client, { givenUp }),
	);

function fillUpTo(count: number): void {
	const { world } = service;
	const known = world.agency.grants.toArray().filter(({ status }) => status === 'active').length;
	for (let index = known; index < count; index += 1)
		world.addClient(world.agency, `Client ${index}`);
}
