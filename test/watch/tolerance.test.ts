/**
 * A failure that may pass by itself makes no failed execution before the third in a row; everything
 * else does at once.
 */
import type { IDataObject } from 'n8n-workflow';

import type { Effect } from '../../fake-service/faults';
import { startService, type FakeService } from '../../fake-service/index';
import { pollRegistration, runPoll, type PollRun } from '../support/engine';
import { adjustableClock, idsOf, inAnotherProcess, OWN, triggerOf } from '../support/kit/index';

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
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const error = (status: number): Effect => ({ kind: 'error', status });
const always = { count: Infinity };
const leadsOf = ({ id }: { id: string }) => ({ path: `/clients/${id}/leads`, ...always });

async function watching(
	parameters: IDataObject = OWN,
	key = service.world.keys.own,
	budgetMs?: number,
) {
	const trigger = triggerOf(service, { parameters, key });
	const node = pollRegistration({ ...trigger, durability: 'durableCursors', budgetMs });
	await node.activate();
	await node.tick();
	return { trigger, node };
}

const watchingClients = async () => {
	const { clientA, clientB, keys } = service.world;
	const clientIds = [clientA.id, clientB.id];
	return await watching({ event: 'newLead', watch: 'clients', clientIds }, keys.agency);
};

/** The polls of the next minutes, each of which may fail. */
async function polls(node: Pick<ReturnType<typeof pollRegistration>, 'tick'>, count: number) {
	const runs: PollRun[] = [];
	for (let poll = 0; poll < count; poll++) {
		clock.advance(5 * MINUTE);
		runs.push(await node.tick());
	}
	return runs;
}
const failed = (runs: readonly PollRun[]) => runs.map((run) => run.error !== undefined);
const warnings = ({ logs }: PollRun) =>
	logs.filter(({ level }) => level === 'warn').map(({ message }) => message);

describe.each<[string, Effect]>([
	['429', error(429)],
	['429 with a minute to wait', { kind: 'error', status: 429, retryAfter: 60 }],
	['500', error(500)],
	['502 as a page', { kind: 'html', status: 502 }],
	['503', error(503)],
	['520', { kind: 'raw', status: 520, body: 'Unknown error' }],
	['a lost connection', { kind: 'reset' }],
	['half an answer', { kind: 'cut' }],
])('%s', (_, effect) => {
	it('is told by the third poll in a row that meets it', async () => {
		const { node } = await watching();
		service.faults.add(effect, { path: '/leads', ...always });
		const runs = await polls(node, 3);
		expect(failed(runs)).toEqual([false, false, true]);
		expect(runs.map(({ items }) => items)).toEqual([null, null, null]);
	}, 60_000);
});

it('one that is read in between begins anew', async () => {
	const { node } = await watching();
	for (let outage = 0; outage < 2; outage++) {
		service.faults.add(error(503), { path: '/leads', ...always });
		expect(failed(await polls(node, 2))).toEqual([false, false]);
		service.faults.clear();
		expect(failed(await polls(node, 1))).toEqual([false]);
	}
	service.faults.add(error(503), { path: '/leads', ...always });
	expect(failed(await polls(node, 3))).toEqual([false, false, true]);
});

it('no answer in time is told by the third poll in a row as well', async () => {
	const { node } = await watching(OWN, service.world.keys.own, 2_000);
	service.faults.add({ kind: 'hang' }, { path: '/leads', ...always });
	expect(failed(await polls(node, 3))).toEqual([false, false, true]);
}, 60_000);

it.each([401, 403, 404, 501])('a %d is told at once', async (status) => {
	const { node } = await watching();
	service.faults.add(error(status), { path: '/leads', ...always });
	expect(failed(await polls(node, 1))).toEqual([true]);
});

it('the log has each of them, from the first on', async () => {
	const { node } = await watching();
	service.faults.add(error(503), { path: '/leads', ...always });
	const [first, second, third] = (await polls(node, 3)).map(warnings);
	expect(first).toEqual([
		expect.stringMatching(
			/^The list of the own account failed .* so this poll does not fail \(1 in a row\)\.$/,
		),
	]);
	expect(second).toEqual([expect.stringContaining('(2 in a row)')]);
	expect(third).toEqual([expect.not.stringContaining('in a row')]);
});

it('a wait of an hour is told at once, one of less is not', async () => {
	for (const [retryAfter, told] of [
		[3_599, false],
		[3_600, true],
	] as const) {
		const { node } = await watching();
		service.faults.rateLimit(retryAfter, { path: '/leads' });
		expect(failed(await polls(node, 1))).toEqual([told]);
		clock.advance(2 * HOUR);
	}
});

it('a failure that has gone on for an hour is told by the next poll, the second or not', async () => {
	const { node } = await watching();
	service.faults.add(error(500), { path: '/leads', ...always });
	expect(failed(await polls(node, 1))).toEqual([false]);
	clock.advance(HOUR);
	expect(failed(await polls(node, 1))).toEqual([true]);
});

describe('each list', () => {
	it('counts by itself, and is not named while it is tolerated', async () => {
		const { clientA, clientB } = service.world;
		const { node } = await watchingClients();
		service.faults.add(error(500), leadsOf(clientA));
		expect(failed(await polls(node, 1))).toEqual([false]);
		service.faults.add(error(500), leadsOf(clientB));
		expect(failed(await polls(node, 1))).toEqual([false]);
		const [third] = await polls(node, 1);
		expect(third?.error?.message).toContain(clientA.id);
		expect(third?.error?.message).not.toContain(clientB.id);
		expect(JSON.stringify(third?.error)).not.toContain(clientB.id);
		const [fourth] = await polls(node, 1);
		expect(fourth?.error?.message).toMatch(/The leads of 2 accounts could not be read/);
	});

	it('is tolerated beside another one that is refused', async () => {
		const { world, faults } = service;
		const { node } = await watchingClients();
		faults.add(error(500), leadsOf(world.clientA));
		world.revokeGrant(world.agency, world.clientB);
		const [run] = await polls(node, 1);
		expect(run?.error?.message).toContain(world.clientB.id);
		expect(run?.error?.message).not.toContain(world.clientA.id);
	});

	it('that reached the third while others delivered is told by the next poll', async () => {
		const { world, faults } = service;
		const { node } = await watchingClients();
		faults.add(error(500), leadsOf(world.clientA));
		for (let poll = 0; poll < 3; poll++) {
			const lead = world.addLead(world.clientB);
			const [run] = await polls(node, 1);
			expect(run && idsOf(run)).toEqual([lead.id]);
		}
		// Its pause is not over: it is told without being read again.
		const run = await node.tick();
		expect(run.error?.message).toContain(world.clientA.id);
	});

	it('that was tolerated while others delivered is not told after it has recovered', async () => {
		const { world, faults } = service;
		const { node } = await watchingClients();
		faults.add(error(500), leadsOf(world.clientA));
		world.addLead(world.clientB);
		await polls(node, 1);
		expect((await node.tick()).error).toBeUndefined();
		faults.clear();
		expect(failed(await polls(node, 2))).toEqual([false, false]);
	});
});

describe('what is asked beside the lists', () => {
	it('the list of clients is told by the third', async () => {
		const all = { event: 'newLead', watch: 'allClients' };
		const { node } = await watching(all, service.world.keys.agency);
		for (let outage = 0; outage < 2; outage++) {
			service.faults.add(error(503), { path: '/clients', ...always });
			const runs = await polls(node, 4);
			expect(failed(runs)).toEqual([false, false, true, true]);
			expect(warnings(runs[0] as PollRun)[0]).toMatch(/\(1 in a row\)/);
			service.faults.clear();
			expect(failed(await polls(node, 1))).toEqual([false]);
		}
		service.faults.add(error(403), { path: '/clients', ...always });
		expect(failed(await polls(node, 1))).toEqual([true]);
	});

	it('so is the owner of a key that was replaced, and what decides it', async () => {
		const { world, faults } = service;
		world.seedLeads(world.own, 3);
		const { trigger, node } = await watching();
		faults.add(error(503), { path: '/me', ...always });
		faults.add(error(503), { path: '/leads', ...always });
		const credentials = { ...trigger.credentials, apiKey: world.keys.agency };
		const swapped = inAnotherProcess(trigger, 'durableCursors', node.stored, { credentials });
		expect(failed(await polls(swapped, 3))).toEqual([false, false, true]);
		faults.clear();
		expect((await polls(swapped, 1))[0]?.error?.message).toMatch(/another account/);
		// The first failure of the new list is its own.
		faults.add(error(503), { path: '/leads', ...always });
		expect(failed(await polls(swapped, 3))).toEqual([false, false, true]);
	});
});

describe('the count', () => {
	it('goes on in the next process where n8n keeps what a poll without items has learned', async () => {
		const { trigger, node } = await watching();
		service.faults.add(error(500), { path: '/leads', ...always });
		await polls(node, 2);
		const next = inAnotherProcess(trigger, 'durableCursors', node.stored);
		// The third, which is not told while n8n starts, but then at once.
		expect((await next.activate('init')).error).toBeUndefined();
		expect((await next.tick()).error?.message).toMatch(/something unexpected/);
	});

	it('does not outlive the failures', async () => {
		const { trigger, node } = await watching();
		service.faults.add(error(500), { path: '/leads', ...always });
		await polls(node, 2);
		service.faults.clear();
		await polls(node, 1);
		service.faults.add(error(500), { path: '/leads', ...always });
		const next = inAnotherProcess(trigger, 'durableCursors', node.stored);
		expect(failed(await polls(next, 3))).toEqual([false, false, true]);
	});

	it('takes up to 120 characters', async () => {
		const { node } = await watching();
		const before = JSON.stringify(node.stored).length;
		service.faults.add(error(500), { path: '/leads', ...always });
		await polls(node, 2);
		expect(JSON.stringify(node.stored).length - before).toBeLessThan(120);
	});

	it.each(['inMemory', 'durable'] as const)(
		'reaches three in one process (%s)',
		async (durability) => {
			const node = pollRegistration({ ...triggerOf(service), durability });
			await node.activate();
			service.faults.add(error(500), { path: '/leads', ...always });
			expect(failed(await polls(node, 3))).toEqual([false, false, true]);
		},
	);
});

describe('somebody who waits', () => {
	it('for a test event is told at once', async () => {
		service.world.seedLeads(service.world.own, 3);
		service.faults.add(error(503), { path: '/leads', ...always });
		const run = await runPoll({ ...triggerOf(service), mode: 'manual' });
		expect(run.error?.message).toMatch(/service/);
	});

	it('for the publishing is not kept from it by what may pass, though the rest is refused', async () => {
		const { world, faults } = service;
		faults.add(error(503), leadsOf(world.clientA));
		world.revokeGrant(world.agency, world.clientB);
		const clientIds = [world.clientA.id, world.clientB.id];
		const parameters = { event: 'newLead', watch: 'clients', clientIds };
		const trigger = triggerOf(service, { parameters, key: world.keys.agency });
		const node = pollRegistration({ ...trigger, durability: 'inMemory' });
		expect((await node.activate()).error).toBeUndefined();
		expect((await node.tick()).error?.message).toContain(world.clientB.id);
	});

	it('counts the poll of the publishing as the first', async () => {
		service.faults.add(error(503), { path: '/leads', ...always });
		const node = pollRegistration({ ...triggerOf(service), durability: 'inMemory' });
		expect((await node.activate()).error).toBeUndefined();
		expect(failed(await polls(node, 2))).toEqual([false, true]);
	});
});
