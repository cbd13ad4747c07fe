/**
 * n8n delivers items and stores the state that came with them; when the state is lost (the process
 * dies in between, or the database goes back), the same records come again, and none is missing.
 */
import type { IDataObject } from 'n8n-workflow';

import { startService, type FakeService } from '../../fake-service/index';
import { pollRegistration, type PollRegistration } from '../support/engine';
import {
	adjustableClock,
	idsOf,
	inAnotherProcess,
	OWN,
	triggerOf,
	type TriggerSetup,
} from '../support/kit/index';

let service: FakeService;
let clock: ReturnType<typeof adjustableClock>;
beforeEach(async () => {
	service = await startService({ sample: 'none' });
	clock = adjustableClock();
});
afterEach(async () => {
	clock.restore();
	await service.close();
});
type Continue = (trigger: TriggerSetup, stored: IDataObject | undefined) => PollRegistration;
const WAYS: ReadonlyArray<[string, Continue]> = [
	['another process', (trigger, stored) => inAnotherProcess(trigger, 'durable', stored)],
	[
		'the same process',
		(trigger, stored) => pollRegistration({ ...trigger, durability: 'durable', stored }),
	],
];
const MINUTE = 60_000;

/** All that comes in the next minutes, poll by poll. */
async function take(node: PollRegistration, polls: number): Promise<unknown[][]> {
	const taken: unknown[][] = [];
	for (let poll = 0; poll < polls; poll++) {
		clock.advance(MINUTE);
		const run = await node.tick();
		expect(run.error).toBeUndefined();
		taken.push(idsOf(run));
	}
	return taken;
}
const sorted = (ids: readonly unknown[]) => [...ids].sort();

describe.each(WAYS)('%s goes on from the state before', (_, goOn) => {
	it('while "Emit Existing" delivers what was there', async () => {
		const { own } = service.world;
		service.world.seedLeads(own, 250);
		const all = own.leads.toArray().map(({ id }) => id);
		const options = { emitExisting: true, maxItemsPerPoll: 100 };
		const trigger = triggerOf(service, { parameters: { ...OWN, options } });
		const node = pollRegistration({ ...trigger, durability: 'durable' });
		const first = idsOf(await node.activate());
		expect(first).toHaveLength(100);
		const { stored } = node;
		const [lost = []] = await take(node, 1);
		expect(lost).toHaveLength(100);
		expect(node.stored).not.toEqual(stored);

		const rest = (await take(goOn(trigger, stored), 6)).flat();
		expect(sorted([...first, ...rest])).toEqual(sorted(all));
		expect(lost.every((id) => rest.includes(id))).toBe(true);
	});

	it('when leads have come in', async () => {
		const { own } = service.world;
		service.world.seedLeads(own, 120);
		const trigger = triggerOf(service);
		const node = pollRegistration({ ...trigger, durability: 'durable' });
		expect((await node.activate()).items).toBeNull();
		await take(node, 2);
		const { stored } = node;
		const news = [1, 2, 3].map(() => service.world.addLead(own).id);
		expect(sorted((await take(node, 1)).flat())).toEqual(sorted(news));
		news.push(service.world.addLead(own).id);

		const again = await take(goOn(trigger, stored), 4);
		expect(sorted(again.flat())).toEqual(sorted(news));
	});
});
