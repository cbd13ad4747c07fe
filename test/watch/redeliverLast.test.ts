/**
 * At-least-once delivery as an option, on n8n's own PollContext, in each way that n8n stores the
 * state.
 */
import type { IDataObject } from 'n8n-workflow';

import { startService, type FakeService } from '../../fake-service/index';
import { pollRegistration, type PollDurability } from '../support/engine';
import { idsOf, inAnotherProcess, OWN, triggerOf } from '../support/kit/index';

let service: FakeService;
beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => await service.close());
const DURABILITIES: readonly PollDurability[] = ['inMemory', 'durable', 'durableCursors'];
const options = { afterRestart: 'redeliverLast' };
const keysOf = (run: { items: Array<{ json: IDataObject }> | null }) =>
	(run.items ?? []).map(({ json }) => json.dedupe_key);

describe.each(DURABILITIES)('with n8n keeping state %s', (durability) => {
	test('the last batch comes again after a restart, with the same keys', async () => {
		const { world } = service;
		world.seedLeads(world.own, 150);
		const trigger = triggerOf(service, { parameters: { ...OWN, options } });
		const node = pollRegistration({ ...trigger, durability });
		await node.activate();
		world.addLead(world.own);
		world.addLead(world.own);
		const first = await node.tick();
		expect(first.items).toHaveLength(2);
		const later = world.addLead(world.own);
		// Killed after the state was stored and before the execution was created.
		const again = inAnotherProcess(trigger, durability, node.stored);
		const second = await again.tick();
		expect(idsOf(second)).toEqual([...idsOf(first), later.id]);
		expect(keysOf(second).slice(0, 2)).toEqual(keysOf(first));
		expect((await again.tick()).items).toBeNull();
	});

	test('in several accounts, a few per poll', async () => {
		const { world } = service;
		const parameters = {
			event: 'newLead',
			watch: 'clients',
			clientIds: [world.clientA.id, world.clientB.id],
			options: { ...options, maxItemsPerPoll: 2 },
		};
		const trigger = triggerOf(service, { parameters, key: world.keys.agency });
		const node = pollRegistration({ ...trigger, durability });
		await node.activate();
		const added = [world.clientA, world.clientB, world.clientA, world.clientB].map(
			(client) => world.addLead(client).id,
		);
		const lost = idsOf(await node.tick());
		expect(lost).toHaveLength(2);
		const again = inAnotherProcess(trigger, durability, node.stored);
		const got: unknown[] = [];
		for (let poll = 0; poll < 4; poll++) got.push(...idsOf(await again.tick()));
		expect(got).toHaveLength(4);
		expect(new Set(got)).toEqual(new Set(added));
	});

	test('of changed leads, with what had changed', async () => {
		const { world } = service;
		world.seedLeads(world.own, 20);
		const lead = world.addLead(world.own, { qualification_status: 'open' });
		const parameters = { event: 'leadChanged', watch: 'own', options };
		const trigger = triggerOf(service, { parameters });
		const node = pollRegistration({ ...trigger, durability });
		await node.activate();
		await node.tick();
		world.patchLead(world.own, lead.id, { qualification_status: 'qualified' });
		const first = await node.tick();
		const again = inAnotherProcess(trigger, durability, node.stored);
		const second = await again.tick();
		expect(second.items?.map(({ json }) => [json.id, json.changed_fields])).toEqual([
			[lead.id, ['qualification_status']],
		]);
		expect(keysOf(second)).toEqual(keysOf(first));
		expect((await again.tick()).items).toBeNull();
	});

	test('not where it was switched off in between', async () => {
		const { world } = service;
		world.seedLeads(world.own, 20);
		const trigger = triggerOf(service, { parameters: { ...OWN, options } });
		const node = pollRegistration({ ...trigger, durability });
		await node.activate();
		await node.tick();
		world.addLead(world.own);
		expect((await node.tick()).items).toHaveLength(1);
		const off = inAnotherProcess(trigger, durability, node.stored, { parameters: OWN });
		await off.activate();
		expect((await off.tick()).items).toBeNull();
		expect(JSON.stringify(off.stored)).not.toContain('batches');
		const again = inAnotherProcess(trigger, durability, off.stored);
		expect((await again.activate()).items).toBeNull();
		expect((await again.tick()).items).toBeNull();
	});

	test('not unless it was asked for', async () => {
		const { world } = service;
		world.seedLeads(world.own, 20);
		const trigger = triggerOf(service);
		const node = pollRegistration({ ...trigger, durability });
		await node.activate();
		world.addLead(world.own);
		await node.tick();
		const again = inAnotherProcess(trigger, durability, node.stored);
		expect((await again.tick()).items).toBeNull();
		expect(JSON.stringify(node.stored)).not.toContain('batches');
	});
});

test('with durable cursors, a later poll of the process confirms the batch in what is stored', async () => {
	const { world } = service;
	const trigger = triggerOf(service, { parameters: { ...OWN, options } });
	const node = pollRegistration({ ...trigger, durability: 'durableCursors' });
	await node.activate();
	await node.tick();
	world.addLead(world.own);
	await node.tick();
	const clock = jest.spyOn(Date, 'now');
	const now = Date.now();
	try {
		clock.mockReturnValue(now + 60_000);
		await node.tick();
	} finally {
		clock.mockRestore();
	}
	const again = inAnotherProcess(trigger, 'durableCursors', node.stored);
	expect((await again.tick()).items).toBeNull();
});

test('what else could be meant is refused', async () => {
	const parameters = { ...OWN, options: { afterRestart: 'sometimes' } };
	const node = pollRegistration({ ...triggerOf(service, { parameters }), durability: 'inMemory' });
	expect((await node.activate()).error?.message).toMatch(/"Options > After a Restart"/);
});
