/** Changing a filter begins anew: what was there does not come as new, whichever way it is changed. */
import type { IDataObject } from 'n8n-workflow';

import { startService, type FakeService } from '../../fake-service/index';
import { pollRegistration, type PollDurability } from '../support/engine';
import { idsOf, OWN, triggerOf } from '../support/kit/index';

let service: FakeService;
beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => await service.close());
const WITHOUT: IDataObject = { hasEmail: false };
const WITH: IDataObject = { hasEmail: true };
const addresses = { submitted: null, work: null, personal: null };
const CASES: ReadonlyArray<[string, IDataObject, IDataObject, PollDurability]> = [
	['Has Email off is removed', WITHOUT, {}, 'inMemory'],
	['Has Email off is removed', WITHOUT, {}, 'durableCursors'],
	['Has Email off is added', {}, WITHOUT, 'inMemory'],
	['Has Email is turned on', WITHOUT, WITH, 'inMemory'],
	['Has Email is turned off', WITH, WITHOUT, 'durable'],
];

it.each(CASES)('when %s: from %j to %j (%s)', async (_, before, after, durability) => {
	const { world } = service;
	world.seedLeads(world.own, 40);
	for (let count = 0; count < 5; count++) world.addLead(world.own, { emails: addresses });
	const trigger = triggerOf(service, { parameters: { ...OWN, filters: before } });
	const node = pollRegistration({ ...trigger, durability });
	await node.activate();
	await node.tick();
	await node.tick();
	const parameters = { ...OWN, filters: after };
	const changed = pollRegistration({ ...trigger, parameters, durability, stored: node.stored });
	const got = [await changed.activate(), await changed.tick(), await changed.tick()];
	expect(got.flatMap((one) => idsOf(one))).toEqual([]);
	const lead = world.addLead(world.own, after === WITHOUT ? { emails: addresses } : {});
	expect(idsOf(await changed.tick())).toEqual([lead.id]);
});
