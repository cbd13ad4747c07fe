/** The output items: the record as it is, and beside it what a CRM needs. */
import { dedupeKey } from '../../../nodes/LeadGenPublishing/watch/n8n/dedupeKey';
import { statusHash } from '../../../nodes/LeadGenPublishing/watch/store/fingerprint';
import {
	byTime,
	hasId,
	itemOf,
	type ItemSettings,
} from '../../../nodes/LeadGenPublishing/watch/n8n/items';
import { startService, type FakeService } from '../../../fake-service/index';
import { pollRegistration, stopInstance } from '../../support/engine';
import { inAnotherProcess, triggerOf } from '../../support/kit/index';

let service: FakeService;
beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => await service.close());
afterAll(async () => await stopInstance());

const CLIENT = '7d2f0a10-0000-4000-8000-00000000000a';
const settings: ItemSettings = {
	event: 'newLead',
	simplified: true,
	simplify: (record) => record,
	clientOf: () => ({ user_id: CLIENT, full_name: 'Ada', business_name: 'Ada Ltd' }),
	statuses: ['draft', 'scheduled', 'published'],
	detectedAt: '2030-01-01T00:00:00.000Z',
};
const lead = { name: 'Zed', id: 'lead-1', emails: { work: 'z@work.example' } };

describe('an item', () => {
	it('has the id first, the record, and then what is ours', () => {
		const item = itemOf({ account: 'own', record: lead, previousValue: undefined }, settings);
		expect(Object.keys(item)).toEqual([
			...['id', 'name', 'emails', 'account', 'event', 'detected_at', 'dedupe_key'],
		]);
		expect(item).toMatchObject({ ...lead, account: 'own', detected_at: settings.detectedAt });
	});

	it.each([
		[true, { client_id: CLIENT, client_name: 'Ada', account: 'client' }],
		[false, { client: { user_id: CLIENT, full_name: 'Ada' }, account: 'client' }],
	])('says whose it is, simplified %p', (simplified, whose) => {
		const one = { account: CLIENT, record: lead, previousValue: undefined };
		expect(itemOf(one, { ...settings, simplified })).toMatchObject(whose);
	});

	it('is simplified, if it is to be, and its key is that of the record as it came', () => {
		const simplify = () => ({ id: 'lead-1', simple: true });
		const one = { account: CLIENT, record: lead, previousValue: undefined };
		const [simple, raw] = [true, false].map((simplified) =>
			itemOf(one, { ...settings, simplified, simplify }),
		);
		expect([simple?.simple, raw?.simple, raw?.name]).toEqual([true, undefined, 'Zed']);
		const key = dedupeKey('newLead', { account: CLIENT, record: lead });
		expect([simple?.dedupe_key, raw?.dedupe_key]).toEqual([key, key]);
		const own = itemOf({ ...one, account: 'own2' }, settings);
		expect(own.dedupe_key).toBe(dedupeKey('newLead', { account: 'own', record: lead }));
	});

	it('never replaces a field of the record', () => {
		const record = { id: 'a', event: 'webinar', account: 'x', dedupe_key: 1, detected_at: null };
		const item = itemOf({ account: 'own', record, previousValue: undefined }, settings);
		expect(item).toMatchObject({ ...record, n8n_event: 'newLead', n8n_account: 'own' });
		expect(item.n8n_dedupe_key).toMatch(/^[0-9a-f]{32}$/);
	});

	it('of a further account of the same key is an own one', () => {
		const own = itemOf({ account: 'own', record: lead, previousValue: undefined }, settings);
		expect(itemOf({ account: 'own2', record: lead, previousValue: undefined }, settings)).toEqual(
			own,
		);
	});

	it.each([
		[statusHash('scheduled'), 'scheduled'],
		[statusHash('a word that nobody remembers'), null],
		[undefined, null],
	])('of a post with the former state %p was %p before', (previousValue, previous_status) => {
		const record = { id: 'p', status: 'published' };
		expect(
			itemOf(
				{ account: 'own', record, previousValue },
				{ ...settings, event: 'postStatusChanged' },
			),
		).toMatchObject({ changed_fields: ['status'], previous_status });
	});
});

describe('a record', () => {
	it.each([
		['a', true],
		[0, true],
		[7, true],
		['', false],
		[null, false],
		[undefined, false],
		[{}, false],
	])('with the ID %p can be told from others: %p', (id, expected) => {
		expect(hasId({ id })).toBe(expected);
	});
});

describe('items of several lists', () => {
	const of = (account: string, id: string, more: object = {}) => ({
		...{ account, record: { id, ...more }, previousValue: undefined },
	});
	const at = (minute: number) => ({ created_at: `2030-01-01T00:0${minute}:00Z` });
	const idsOf = (...given: ReturnType<typeof of>[]) =>
		byTime(given, 'newLead').map(({ record }) => record.id);

	it('come in the order of their time', () => {
		const lists = [of('a', '3', at(3)), of('a', '1', at(1)), of('b', '2', at(2))];
		expect(idsOf(...lists)).toEqual(['1', '2', '3']);
	});

	it('come as they are if one of them does not say when', () => {
		expect(idsOf(of('a', '3', at(3)), of('b', '2', at(2)), of('b', '1'))).toEqual(['3', '2', '1']);
		expect(idsOf(of('a', '3'), of('b', '2', at(2)), of('b', '1', at(1)))).toEqual(['3', '2', '1']);
	});

	it('come by the time of their change where changes are watched', () => {
		const [late, early] = [
			of('a', 'late', { ...at(1), updated_at: '2030-01-03' }),
			of('a', 'early', { ...at(2), updated_at: '2030-01-02' }),
		];
		expect(byTime([late, early], 'leadChanged')).toEqual([early, late]);
		expect(byTime([early, late], 'newLead')).toEqual([late, early]);
	});
});

describe('the dedupe key', () => {
	const key = (
		record: object,
		event: Parameters<typeof dedupeKey>[0] = 'newLead',
		account = 'own',
	) => dedupeKey(event, { account, record: record as Record<string, unknown> });

	it('reveals nothing and looks the same everywhere', () => {
		expect(key(lead)).toMatch(/^[0-9a-f]{32}$/);
		expect(key({ ...lead })).toBe(key(lead));
	});

	it('of a new record is the same however it looks by then', () => {
		expect(key({ ...lead, name: 'Other', updated_at: 'later' })).toBe(key(lead));
	});

	it.each([
		['another record', { ...lead, id: 'lead-2' }, 'newLead', 'own'],
		['another event', lead, 'leadChanged', 'own'],
		['another account', lead, 'newLead', CLIENT],
	] as const)('differs for %s', (_, record, event, account) => {
		expect(key(record, event, account)).not.toBe(key(lead));
	});

	it('does not depend on how a client is written', () => {
		expect(key(lead, 'newLead', CLIENT.toUpperCase())).toBe(key(lead, 'newLead', CLIENT));
	});

	it.each([
		['leadChanged', { qualification_status: 'qualified' }],
		['leadChanged', { updated_at: '2030-01-01' }],
		['leadChanged', { updatedAt: '2030-01-01' }],
		['postStatusChanged', { status: 'published' }],
		['postStatusChanged', { updated_at: '2030-01-01' }],
	] as const)('of %s differs for another version: %j', (event, change) => {
		expect(key({ ...lead, ...change }, event)).not.toBe(key(lead, event));
	});

	it.each([
		['leadChanged', { headline: 'x' }],
		['postStatusChanged', { text: 'x' }],
	] as const)('of %s is the same when nothing that counts differs: %j', (event, change) => {
		expect(key({ ...lead, ...change }, event)).toBe(key(lead, event));
	});
});

describe('in a workflow', () => {
	test('a changed lead says which of its fields have changed', async () => {
		const { world } = service;
		world.seedLeads(world.own, 20);
		const lead = world.addLead(world.own, { qualification_status: 'open', has_intent: false });
		const parameters = { event: 'leadChanged', watch: 'own' };
		const node = pollRegistration({
			...triggerOf(service, { parameters }),
			durability: 'inMemory',
		});
		await node.activate();
		world.patchLead(world.own, lead.id, { qualification_status: 'qualified', has_intent: true });
		const [item] = (await node.tick()).items ?? [];
		expect(item?.json).toMatchObject({
			id: lead.id,
			changed_fields: ['has_intent', 'qualification_status'],
		});
		expect(item?.json).not.toHaveProperty('previous_status');
	});

	test('a post says its former status, unusual words and restarts included', async () => {
		const { world } = service;
		const post = world.addPost(world.own, { status: 'scheduled' });
		const parameters = { event: 'postStatusChanged', watch: 'own' };
		const trigger = triggerOf(service, { parameters });
		const node = pollRegistration({ ...trigger, durability: 'durableCursors' });
		await node.activate();
		await node.tick();
		const change = (status: string) => world.patchPost(world.own, post.id, { status } as never);
		change('in_review');
		const first = (await node.tick()).items?.[0]?.json;
		expect(first).toMatchObject({ status: 'in_review', previous_status: 'scheduled' });
		const again = inAnotherProcess(trigger, 'durableCursors', node.stored);
		change('published');
		const second = (await again.tick()).items?.[0]?.json;
		expect(second).toMatchObject({ status: 'published', previous_status: 'in_review' });
	});

	test('a post that is first met as scheduled is told, a draft only once it moves on', async () => {
		const { world } = service;
		world.addPost(world.own, { status: 'published' });
		const parameters = { event: 'postStatusChanged', watch: 'own' };
		const node = pollRegistration({
			...triggerOf(service, { parameters }),
			durability: 'inMemory',
		});
		expect((await node.activate()).items).toBeNull();
		const scheduled = world.addPost(world.own, { status: 'scheduled' });
		const draft = world.addPost(world.own, { status: 'draft' });
		const run = await node.tick();
		expect(run.items?.map(({ json }) => [json.id, json.previous_status])).toEqual([
			[scheduled.id, null],
		]);
		world.patchPost(world.own, draft.id, { status: 'scheduled' });
		const next = await node.tick();
		expect(next.items?.map(({ json }) => [json.id, json.previous_status])).toEqual([
			[draft.id, 'draft'],
		]);
	});
});
