/** Another key in the credential: the same account continues, another one starts over. */
import type { IDataObject } from 'n8n-workflow';

import { startService, type FakeService } from '../../../fake-service/index';
import { pollRegistration, stopInstance, type PollRun } from '../../support/engine';
import {
	identityOf,
	compareIdentities,
} from '../../../nodes/LeadGenPublishing/watch/store/identity';
import {
	idsOf,
	inAnotherProcess,
	OWN,
	triggerOf,
	type TriggerSetup,
} from '../../support/kit/index';

let service: FakeService;
beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => await service.close());
afterAll(async () => await stopInstance());

const DURABILITY = 'durableCursors' as const;
/** Another account with a key and existing leads of its own. */
const other = () => service.world.agency;

async function settled(trigger: TriggerSetup) {
	const node = pollRegistration({ ...trigger, durability: DURABILITY });
	await node.activate();
	await node.tick();
	return node;
}

const rotatedKey = () =>
	service.world.addKey(service.world.own, 'svc_live_rotated_0123456789', ['*']);

/** The same workflow in the same n8n, with another key in the credential. */
const withKey = (trigger: TriggerSetup, key: string, stored: IDataObject | undefined) =>
	pollRegistration({
		...trigger,
		credentials: { ...trigger.credentials, apiKey: key },
		durability: DURABILITY,
		stored,
	});

/** Replaces the answer to `GET /me`. */
function meAnswers(change: (data: Record<string, unknown>) => Record<string, unknown>): void {
	service.faults.add(
		{
			kind: 'change',
			change: (envelope) =>
				({ ...envelope, data: change(envelope.data as Record<string, unknown>) }) as never,
		},
		{ path: '/me', count: Infinity },
	);
}

/** So many pages are blank. */
const blankPages = (count: number) =>
	service.faults.add(
		{
			kind: 'change',
			change: (envelope) =>
				({
					...envelope,
					data: [],
					pagination: { limit: 100, offset: 0, has_more: true },
				}) as never,
		},
		{ path: '/leads', count },
	);

test("an empty page that announces more does not make another account's old leads new", async () => {
	const { world } = service;
	world.seedLeads(world.own, 3);
	world.seedLeads(other(), 5);
	meAnswers(() => ({ plan: 'pro' }));
	const trigger = triggerOf(service);
	const node = await settled(trigger);
	blankPages(1);
	const swapped = withKey(trigger, world.keys.agency, node.stored);
	const first = await swapped.tick();
	expect(first.items).toBeNull();
	expect(toldOrLogged(first)).toMatch(/API key was replaced/);
	expect((await swapped.tick()).items).toBeNull();
	expect((await swapped.tick()).items).toBeNull();
	const lead = world.addLead(other());
	expect(idsOf(await swapped.tick())).toEqual([lead.id]);
}, 30_000);

test.each([
	['an empty list', 0, 3],
	['a list of which nothing is known', 4, 3],
	['nothing remembered that can be read', 4, 0],
])(
	'with %s and no answer of GET /me, whose the key is stays open until it answers',
	async (_, theirs, mine) => {
		const { world, faults } = service;
		world.seedLeads(world.own, mine);
		world.seedLeads(other(), theirs);
		const trigger = triggerOf(service);
		const node = await settled(trigger);
		faults.add({ kind: 'error', status: 500 }, { path: '/me', count: Infinity });
		const stored = mine > 0 ? node.stored : withDamagedLists(node.stored);
		const swapped = withKey(trigger, world.keys.agency, stored);
		for (let polls = 0; polls < 5; polls++) {
			const run = await swapped.tick();
			expect(run.items).toBeNull();
			expect(run.error === undefined).toBe(polls < 2);
			expect(toldOrLogged(run)).toMatch(/did not answer to which account it belongs/);
		}
		faults.clear();
		expect((await swapped.tick()).error?.message).toMatch(/another account/);
		const lead = world.addLead(other());
		expect(idsOf(await swapped.tick())).toEqual([lead.id]);
		const back = withKey(trigger, world.keys.own, swapped.stored);
		const missed = world.addLead(world.own);
		if (mine > 0)
			expect([await back.tick(), await back.tick()].flatMap(idsOf)).toEqual([missed.id]);
	},
	30_000,
);

test('of two lists of one account the present one goes on', async () => {
	const { world } = service;
	world.seedLeads(world.own, 1);
	const trigger = triggerOf(service);
	const node = await settled(trigger);
	// Nothing tells who owns the second key, and no known record is shown.
	for (const { id } of world.own.leads.toArray()) world.own.leads.remove(id);
	world.addLead(world.own);
	service.faults.add({ kind: 'error', status: 500 }, { path: '/me', count: 10 });
	const second = withKey(trigger, rotatedKey(), node.stored);
	expect(idsOf(await decided(second))).toEqual([]);
	service.faults.clear();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 3_600_000);
	await second.tick();
	clock.mockRestore();
	const third = withKey(trigger, world.keys.own, second.stored);
	expect(idsOf(await third.tick())).toEqual([]);
	const lead = world.addLead(world.own);
	expect(idsOf(await third.tick())).toEqual([lead.id]);
}, 30_000);

test('a service whose pages stay empty is taken at its word after five polls', async () => {
	const { world } = service;
	world.seedLeads(world.own, 3);
	meAnswers(() => ({ plan: 'pro' }));
	const trigger = triggerOf(service);
	const node = await settled(trigger);
	blankPages(Infinity);
	const rotated = withKey(trigger, rotatedKey(), node.stored);
	for (let polls = 0; polls < 5; polls++) {
		const run = await rotated.tick();
		expect(run.error === undefined).toBe(polls < 2);
		expect(toldOrLogged(run)).toMatch(/API key was replaced/);
	}
	expect((await rotated.tick()).error?.message).toMatch(/another account/);
}, 30_000);

/** The first poll after the owner of the key is decided. */
async function decided(node: ReturnType<typeof withKey>) {
	for (let polls = 0; ; polls++) {
		const run = await node.tick();
		if (polls === 5 || !/did not answer to which/.test(toldOrLogged(run))) return run;
	}
}

/** What a poll says, in its error or in the log. */
const toldOrLogged = ({ error, logs }: Pick<PollRun, 'error' | 'logs'>): string =>
	[error?.message ?? '', ...logs.map(({ message }) => message)].join('\n');

function withDamagedLists(stored: IDataObject | undefined): IDataObject {
	const state = structuredClone(stored) as { watch: { lists: Record<string, { set: string }> } };
	for (const list of Object.values(state.watch.lists)) list.set = `x${list.set}`;
	return state as unknown as IDataObject;
}

describe.each([
	['as the service answers', () => undefined],
	['that shows nothing of the account', () => meAnswers(() => ({ plan: 'pro' }))],
	[
		'whose id is in an object, beside what changes each time',
		() => {
			let asked = 0;
			meAnswers(({ user_id }) => ({
				user: { id: user_id },
				api_key: { id: `key-${(asked += 1)}` },
				requests_left: 1_000 - asked,
				now: new Date().toISOString(),
			}));
		},
	],
	[
		'that fails',
		() => service.faults.add({ kind: 'error', status: 500 }, { path: '/me', count: Infinity }),
	],
])('with an answer of GET /me %s', (_, prepare) => {
	beforeEach(() => void prepare());

	test('a rotated key loses nothing and repeats nothing', async () => {
		const { world } = service;
		world.seedLeads(world.own, 150);
		const trigger = triggerOf(service);
		const node = await settled(trigger);
		const lead = world.addLead(world.own);
		const rotated = withKey(trigger, rotatedKey(), node.stored);
		expect(idsOf(await rotated.tick())).toEqual([lead.id]);
		expect((await rotated.tick()).error).toBeUndefined();
		const next = world.addLead(world.own);
		expect(idsOf(await rotated.tick())).toEqual([next.id]);
	}, 30_000);

	test("another account's key floods nothing, says so, and goes on; and back again", async () => {
		const { world } = service;
		world.seedLeads(world.own, 120);
		world.seedLeads(other(), 250);
		const parameters = { ...OWN, options: { emitExisting: true } };
		const trigger = triggerOf(service, { parameters });
		const node = pollRegistration({ ...trigger, durability: DURABILITY });
		await node.activate();
		await node.tick();
		await node.tick();
		const swapped = withKey(trigger, world.keys.agency, node.stored);
		const first = await decided(swapped);
		expect(first.items).toBeNull();
		expect(first.error?.message).toMatch(/another account.*counts as known/);
		expect((await swapped.tick()).error).toBeUndefined();
		const lead = world.addLead(other());
		expect(idsOf(await swapped.tick())).toEqual([lead.id]);

		const missed = world.addLead(world.own);
		const back = withKey(trigger, world.keys.own, swapped.stored);
		const polls = [await back.tick(), await back.tick()];
		expect(polls.flatMap(idsOf)).toEqual([missed.id]);
		expect(polls.some(({ error }) => /watched before/.test(error?.message ?? ''))).toBe(true);
	}, 30_000);

	test('a credential that was made anew is the same account, in a new process too', async () => {
		const { world } = service;
		world.seedLeads(world.own, 30);
		const trigger = triggerOf(service);
		const node = await settled(trigger);
		const lead = world.addLead(world.own);
		const credentials = { ...trigger.credentials, apiKey: rotatedKey() };
		const anew = inAnotherProcess(trigger, DURABILITY, node.stored, { credentials });
		expect(idsOf(await anew.tick())).toEqual([lead.id]);
	}, 30_000);
});

test('who it is, is asked once per key, and nothing of it is stored in clear', async () => {
	const { world } = service;
	world.seedLeads(world.own, 5);
	const trigger = triggerOf(service);
	const node = await settled(trigger);
	world.addLead(world.own);
	await node.tick();
	await node.tick();
	expect(service.requests.filter(({ path }) => path === '/me')).toHaveLength(1);
	const stored = JSON.stringify(node.stored);
	expect(stored).not.toContain(world.own.id);
	expect(stored).not.toContain(world.keys.own);
});

test('a client is watched under its own name, whoever has the key', async () => {
	const { world } = service;
	world.seedLeads(world.clientA, 130);
	const parameters = { event: 'newLead', watch: 'clients', clientIds: [world.clientA.id] };
	const trigger = triggerOf(service, { parameters, key: world.keys.agency });
	const node = await settled(trigger);
	const lead = world.addLead(world.clientA);
	const rotated = withKey(trigger, world.keys.agencyTest, node.stored);
	expect(idsOf(await rotated.tick())).toEqual([lead.id]);
	expect(service.requests.some(({ path }) => path === '/me')).toBe(false);
});

test('a new account whose records cannot be read just now is not guessed at', async () => {
	const { world } = service;
	meAnswers(() => ({ plan: 'pro' }));
	world.seedLeads(world.own, 20);
	world.seedLeads(other(), 20);
	const trigger = triggerOf(service);
	const node = await settled(trigger);
	const swapped = withKey(trigger, world.keys.agency, node.stored);
	const fault = service.faults.add({ kind: 'error', status: 500 }, { path: '/leads', count: 4 });
	expect(fault).toBeDefined();
	const first = await swapped.tick();
	expect(first.items).toBeNull();
	expect(toldOrLogged(first)).toMatch(/something unexpected/);
	service.faults.clear();
	meAnswers(() => ({ plan: 'pro' }));
	const run = await swapped.tick();
	expect(run.items).toBeNull();
	expect(run.error?.message).toMatch(/another account/);
}, 30_000);

test('records that hang do not hold up the publishing while they are asked whose they are', async () => {
	meAnswers(() => ({ plan: 'pro' }));
	const { world, faults } = service;
	world.seedLeads(world.own, 20);
	const trigger = triggerOf(service);
	const node = await settled(trigger);
	faults.add({ kind: 'hang' }, { path: '/leads', count: Infinity });
	const swapped = pollRegistration({
		...trigger,
		credentials: { ...trigger.credentials, apiKey: rotatedKey() },
		durability: DURABILITY,
		stored: node.stored,
		budgetMs: 2_000,
	});
	const began = Date.now();
	const run = await swapped.tick();
	expect(Date.now() - began).toBeLessThan(20_000);
	expect(toldOrLogged(run)).toMatch(/did not answer|no answer|could not be/i);
	faults.clear();
	meAnswers(() => ({ plan: 'pro' }));
	const lead = world.addLead(world.own);
	expect(idsOf(await swapped.tick())).toEqual([lead.id]);
}, 60_000);

test.each([
	['another word', { list: 'owm' }],
	['nothing', { list: '' }],
	['a list that was never there', { list: 'own7' }],
	['no owner', { owners: {} }],
	['another credential', { credential: 'x' }],
])('damage to whose the key is neither stops nor floods: %s', async (_, damage) => {
	const { world } = service;
	world.seedLeads(world.own, 20);
	const trigger = triggerOf(service, { parameters: { ...OWN, options: { emitExisting: true } } });
	const node = await settled(trigger);
	const stored = structuredClone(node.stored) as { watch: { extras: { own: IDataObject } } };
	Object.assign(stored.watch.extras.own, damage);
	const lead = world.addLead(world.own);
	const again = inAnotherProcess(trigger, DURABILITY, stored as unknown as IDataObject);
	const runs = [await again.activate('init'), await again.tick(), await again.tick()];
	expect(runs.map(({ error }) => error?.message)).toEqual([undefined, undefined, undefined]);
	expect(runs.flatMap(idsOf)).toEqual([lead.id]);
});

describe('the identity in an answer', () => {
	const ID = '3b0f5a52-6c3e-4c4e-9d43-0a7d9f3d6c11';
	it.each([
		['an ID of the user', { user_id: ID, id: 'other' }, 'user_id'],
		['in other letters', { userId: ID }, 'user_id'],
		['below the user', { user: { id: ID }, id: 'key-1' }, 'user_id'],
		['below the data', { data: { account: { id: ID } } }, 'account_id'],
		['a number', { account_id: 7 }, 'account_id'],
		['a bare ID', { id: ID, name: 'Ada' }, 'id'],
		['an address', { email: 'Ada@Example.com', name: 'Ada' }, 'email'],
	])('is %s', (_, answer, kind) => {
		expect(identityOf(answer)?.kind).toBe(kind);
	});

	it.each([
		['nothing', {}],
		['what changes', { now: '2030-01-01T00:00:00Z', count: 7, request_id: 'req_1' }],
		['what belongs to the key', { api_key: { id: 'k1' }, key_id: 'k1', token: { sub: 'x' } }],
		['an empty ID', { id: ' ', user_id: null }],
		['lists', { ids: ['a'], users: [{ id: ID }] }],
		['a request', { id: 'req_123' }],
	])('is not in %s', (_, answer) => {
		expect(identityOf(answer)).toBeUndefined();
	});

	it('does not depend on the order of the answer, nor on capitals', () => {
		const one = identityOf({ a: { account_id: ID }, account_id: 'x' });
		expect(identityOf({ account_id: 'X', a: { account_id: ID } })).toEqual(one);
	});

	it('differs for certain only by what an owner cannot change', () => {
		const of = (answer: Record<string, unknown>) => identityOf(answer);
		expect(compareIdentities(of({ id: 'a' }), of({ id: 'a' }))).toBe('same');
		expect(compareIdentities(of({ id: 'a' }), of({ id: 'b' }))).toBe('different');
		expect(compareIdentities(of({ id: 'a' }), of({ user_id: 'a' }))).toBe('unknown');
		expect(compareIdentities(of({ email: 'a@b.c' }), of({ email: 'b@b.c' }))).toBe('unknown');
		expect(compareIdentities(of({ email: 'a@b.c' }), of({ email: 'A@b.c' }))).toBe('same');
		expect(compareIdentities(undefined, of({ id: 'a' }))).toBe('unknown');
	});
});
