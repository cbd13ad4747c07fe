/**
 * The trigger on n8n's own PollContext, in each way that n8n stores its state. The state passes
 * through JSON.
 */
import type { IDataObject } from 'n8n-workflow';

import { startService, type FakeService } from '../../fake-service/index';
import { pollRegistration, runPoll, type PollDurability } from '../support/engine';
import { idsOf, inAnotherProcess, OWN, triggerOf } from '../support/kit/index';

let service: FakeService;
beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => await service.close());
const DURABILITIES: readonly PollDurability[] = ['inMemory', 'durable', 'durableCursors'];

const lists = () => service.requests.filter(({ path }) => /(leads|activity|posts)$/.test(path));
const sorted = (ids: readonly unknown[]) => [...ids].sort();
/** This many existing leads of the own account, and a published trigger. */
async function published(durability: PollDurability, count = 150, more: IDataObject = {}) {
	const { world } = service;
	world.seedLeads(world.own, count);
	const trigger = triggerOf(service, { parameters: { ...OWN, ...more } });
	const node = pollRegistration({ ...trigger, durability });
	const add = () => world.addLead(world.own).id;
	return { trigger, node, add, first: await node.activate() };
}

describe.each(DURABILITIES)('with n8n keeping state %s', (durability) => {
	test('what comes after it was published is delivered, once, whenever n8n restarts', async () => {
		const { trigger, node, add, first } = await published(durability, 250);
		expect(first.items).toBeNull();
		expect(lists()).toHaveLength(3);
		const added = Array.from({ length: 1_000 }, add);
		expect(sorted(idsOf(await node.tick()))).toEqual(sorted(added));
		expect((await node.tick()).items).toBeNull();
		const id = add();
		const again = inAnotherProcess(trigger, durability, node.stored);
		expect(idsOf(await again.tick())).toEqual([id]);
		expect((await again.tick()).items).toBeNull();
	});

	test('a state that was lost, or went back, repeats what it did not know, and misses nothing', async () => {
		const options = { emitExisting: true, maxItemsPerPoll: 100 };
		const { trigger, node, first, add } = await published(durability, 250, { options });
		expect(first.items).toHaveLength(100);
		const { stored } = node;
		const lost = idsOf(await node.tick());
		expect(lost).toHaveLength(100);
		const added = add();
		const again = inAnotherProcess(trigger, durability, stored);
		const rest: unknown[] = [];
		for (let polls = 0; polls < 5; polls++) rest.push(...idsOf(await again.tick()));
		expect(lost.every((id) => rest.includes(id))).toBe(true);
		const all = [...idsOf(first), ...rest];
		expect(new Set(all).size).toBe(251);
		expect(all).toHaveLength(251);
		expect(all).toContain(added);
	});

	test('the last batch comes again after a restart, with the same keys, if that is asked for', async () => {
		const options = { afterRestart: 'redeliverLast' };
		const { trigger, node, add } = await published(durability, 150, { options });
		const ids = [add(), add()];
		const keysOf = ({ items }: Awaited<ReturnType<typeof node.tick>>) =>
			(items ?? []).map(({ json }) => json.dedupe_key);
		const batch = await node.tick();
		expect(sorted(idsOf(batch))).toEqual(sorted(ids));
		const later = add();
		// Killed after the state was stored, but before the execution was created.
		const again = inAnotherProcess(trigger, durability, node.stored);
		const second = await again.tick();
		expect(idsOf(second)).toEqual([...idsOf(batch), later]);
		expect(keysOf(second).slice(0, 2)).toEqual(keysOf(batch));
		expect((await again.tick()).items).toBeNull();
	});
});

test('the state holds no personal data, and no key', async () => {
	const { world } = service;
	const { node } = await published('durableCursors', 5);
	const emails = { submitted: 'zelda@canary.example', work: null, personal: null };
	const { id } = world.addLead(world.own, { name: 'Zelda Canary', emails });
	const [item] = (await node.tick()).items ?? [];
	expect(item?.json).toMatchObject({ event: 'newLead', id, email: 'zelda@canary.example' });
	const stored = JSON.stringify(node.stored);
	for (const secret of [id, 'Zelda', 'canary.example', world.keys.own])
		expect(stored).not.toContain(secret);
});

test('of polls that each have a context of their own and the usual time, only three may be activations', async () => {
	const trigger = triggerOf(service);
	const poll = async () => await runPoll({ ...trigger, activation: 'init' });
	service.faults.status(403, { path: '/leads', count: Infinity });
	for (let polls = 0; polls < 3; polls++) expect((await poll()).error).toBeUndefined();
	const { error: told } = await poll();
	expect(told?.message).toContain('API key is not allowed to do this');
});

test('a test event shows a few leads and leaves no trace', async () => {
	service.world.seedLeads(service.world.own, 50);
	const staticData = { watch: { some: 'state' } };
	const run = await runPoll({ ...triggerOf(service), mode: 'manual', staticData });
	expect(run.items).toHaveLength(10);
	expect(run.changed).toBe(false);
	expect(run.staticData).toEqual(staticData);
});

describe('the service', () => {
	const polled = async (parameters: IDataObject) => {
		const trigger = triggerOf(service, { parameters: { watch: 'own', ...parameters } });
		const node = pollRegistration({ ...trigger, durability: 'durableCursors' });
		await node.activate();
		await node.tick();
		return node;
	};

	test('narrows new activity by source, and the trigger by keyword', async () => {
		const { world } = service;
		const filters = { source: 'comment', keyword: 'guide' };
		const node = await polled({ event: 'newActivity', filters });
		const { activity } = world.comment(world.own, 'GUIDE');
		world.comment(world.own, 'OTHER');
		expect(idsOf(await node.tick())).toEqual([activity.id]);
		expect(lists().every(({ query }) => query.source === 'comment')).toBe(true);
	});

	test('has an email for a lead later, which is new to the filter for it then', async () => {
		const { world } = service;
		const emails = { submitted: null, work: null, personal: null };
		const { id } = world.addLead(world.own, { emails });
		const node = await polled({ event: 'newLead', filters: { hasEmail: true } });
		// Its creation time holds it back until two complete checks have ended.
		await node.tick();
		world.patchLead(world.own, id, { emails: { ...emails, work: 'new@work.example' } });
		expect(idsOf(await node.tick())).toEqual([id]);
	});
});
