/**
 * "Fetch Test Event": the newest records of the first account that has any, or an error that says
 * why there are none.
 */
import type { IDataObject } from 'n8n-workflow';

import { startService, type FakeService } from '../../../fake-service/index';
import { runPoll, stopInstance } from '../../support/engine';
import { giveLeadsWithoutIds, idsOf, OWN, triggerOf } from '../../support/kit/index';

let service: FakeService;
beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => await service.close());
afterAll(async () => await stopInstance());

const sample = async (parameters: IDataObject = OWN, key = service.world.keys.own) =>
	await runPoll({ ...triggerOf(service, { parameters, key }), mode: 'manual' });

const chosen = () => {
	const { clientA, clientB, clientC } = service.world;
	const clientIds = [clientA.id, clientB.id, clientC.id];
	return { event: 'newLead', watch: 'clients', clientIds };
};

test('shows the newest first, wherever the service puts them', async () => {
	const { world } = service;
	world.seedLeads(world.own, 250);
	const newest = world.own.leads
		.toArray()
		.toSorted((a, b) => Date.parse(b.created_at ?? '') - Date.parse(a.created_at ?? ''))
		.slice(0, 10)
		.map(({ id }) => id);
	for (const order of ['newest', 'oldest'] as const) {
		service.lists.order = order;
		expect(idsOf(await sample())).toEqual(newest);
	}
});

test.each([101, 200, 201, 1_000, 3_050])(
	'shows the newest of %i leads where they are the last, for a few requests',
	async (count) => {
		service.world.seedLeads(service.world.own, count);
		service.lists.order = 'oldest';
		const leads = service.world.own.leads.toArray();
		const newest = leads
			.toSorted((a, b) => Date.parse(b.created_at ?? '') - Date.parse(a.created_at ?? ''))
			.slice(0, 10)
			.map(({ id }) => id);
		expect(idsOf(await sample())).toEqual(newest);
		expect(service.requests.length).toBeLessThanOrEqual(16);
	},
);

test('goes on to the client that has something, past one that fails', async () => {
	const { world } = service;
	world.revokeGrant(world.agency, world.clientA);
	const lead = world.addLead(world.clientC);
	const run = await sample(chosen(), world.keys.agency);
	expect(run.items?.map(({ json }) => [json.id, json.client_id, json.client_name])).toEqual([
		[lead.id, world.clientC.id, world.clientC.fullName],
	]);
});

test.each([
	['newLead', 'There are no leads yet.'],
	['leadChanged', 'There are no leads yet.'],
	['newActivity', 'There is no activity yet.'],
	['postStatusChanged', 'There are no posts yet.'],
])('%s: says that there is nothing', async (event, words) => {
	const run = await sample({ event, watch: 'own' });
	expect(run.items).toBeNull();
	expect(run.error?.message).toBe(words);
	expect((run.error as { description?: string }).description).toMatch(/can be published all the/);
});

test('says that nothing fits the filters', async () => {
	service.world.seedLeads(service.world.own, 130);
	const run = await sample({ ...OWN, filters: { keyword: 'NEVER-SEEN' } });
	expect(run.error?.message).toBe('No lead matches these filters yet.');
	expect(service.requests).toHaveLength(2);
});

test('says how far it has looked when it has not seen everything', async () => {
	service.world.seedLeads(service.world.own, 1_500);
	const run = await sample({ ...OWN, filters: { keyword: 'NEVER-SEEN' } });
	expect(run.error?.message).toBe('No lead matches these filters yet, among the 1000 looked at.');
});

test('says how many clients could not be read when the others have nothing', async () => {
	const { world } = service;
	world.revokeGrant(world.agency, world.clientA);
	const run = await sample(chosen(), world.keys.agency);
	expect(run.error?.message).toBe('There are no leads yet. 1 of 3 clients could not be read.');
});

test('fails as the service says when nobody could be read', async () => {
	const { world } = service;
	for (const client of [world.clientA, world.clientB, world.clientC]) {
		world.revokeGrant(world.agency, client);
	}
	const run = await sample(chosen(), world.keys.agency);
	expect(run.error?.message).toMatch(/may not do this for this client/);
});

test('says that no client is there, and that a key may list none', async () => {
	const all = { event: 'newLead', watch: 'allClients' };
	const { world } = service;
	service.faults.status(403, { path: '/clients', count: 1 });
	expect((await sample(all, world.keys.agency)).error?.message).toMatch(/does not list clients/);
	for (const client of [world.clientA, world.clientB, world.clientC]) {
		world.revokeGrant(world.agency, client);
	}
	expect((await sample(all, world.keys.agency)).error?.message).toBe(
		'No client with an active grant is listed for this API key.',
	);
});

test.each([
	['leads', { event: 'newLead', filters: { hasEmail: true } }, 'No lead'],
	['activity', { event: 'newActivity', filters: { source: 'message' } }, 'No activity'],
])('does not say that there are no %s where the service filters', async (_, given, none) => {
	const run = await sample({ watch: 'own', ...given });
	expect(run.error?.message).toBe(`${none} matches these filters yet.`);
});

test('says that records without an ID cannot be watched', async () => {
	service.world.seedLeads(service.world.own, 3);
	giveLeadsWithoutIds(service);
	expect((await sample()).error?.message).toMatch(/^The leads have no ID/);
});

test('has the fields that the real items have', async () => {
	service.world.addLead(service.world.own);
	const [item] = (await sample({ event: 'leadChanged', watch: 'own' })).items ?? [];
	expect(item?.json).toMatchObject({ event: 'leadChanged', account: 'own', changed_fields: [] });
	expect(Object.keys(item?.json ?? {})[0]).toBe('id');
});
