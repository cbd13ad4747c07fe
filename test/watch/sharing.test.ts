/** Several triggers that share an agency's clients, on n8n's own PollContext. */
import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { isInShare } from '../../nodes/LeadGenPublishing/watch/accounts';
import { startService, type FakeService } from '../../fake-service/index';
import { pollRegistration, runPoll } from '../support/engine';

const PARTS = 3;
let service: FakeService;
let apiKey: string;
let clients: string[];

beforeEach(async () => {
	service = await startService({ sample: 'none' });
	const { world } = service;
	const agency = world.addAccount('Agency with shares', { isAgency: true });
	apiKey = world.addKey(agency, 'svc_live_NOT_A_REAL_KEY_shares_0000', ['*']);
	clients = Array.from({ length: 12 }, (_, index) => world.addClient(agency, `Client ${index}`).id);
});
afterEach(async () => await service.close());
let triggers = 0;
function sharing(share: unknown, watched: Record<string, unknown> = { watch: 'allClients' }) {
	triggers += 1;
	return {
		node: LeadGenPublishingTrigger,
		credentialType: LeadGenPublishingApi,
		credentials: { baseUrl: service.baseUrl, apiKey },
		parameters: { event: 'newLead', ...watched, options: { share } },
		workflowId: `sharing-${triggers}`,
		nodeId: `sharing-${triggers}`,
	};
}
const register = (given: ReturnType<typeof sharing>) =>
	pollRegistration({ ...given, durability: 'inMemory' });
const partsOf = (watched?: Record<string, unknown>) =>
	Array.from({ length: PARTS }, (_, part) => register(sharing(`${part + 1} of ${PARTS}`, watched)));
const read = () =>
	service.requests.flatMap(({ path, clientId }) =>
		path.endsWith('/leads') && clientId !== null ? [clientId] : [],
	);

describe.each([
	['all clients', () => ({ watch: 'allClients' })],
	['chosen clients', () => ({ watch: 'clients', clientIds: clients })],
])('Of %s', (_, watched) => {
	test('each is read by exactly one of the triggers, and its leads come once', async () => {
		const nodes = partsOf(watched());
		const owners = new Map<string, number>();
		for (const [index, node] of nodes.entries()) {
			service.clearLog();
			expect((await node.activate()).error).toBeUndefined();
			// What a machine that stalls has left over when the time of the activation was up.
			for (let polls = 0; polls < 3 && read().length === 0; polls += 1) await node.tick();
			const mine = new Set(read());
			expect(mine.size).toBeGreaterThan(0);
			for (const client of mine) {
				expect(owners.has(client)).toBe(false);
				owners.set(client, index);
			}
		}
		expect(owners.size).toBe(clients.length);

		const leads = clients.map((id) => service.world.addLead(service.world.account(id)).id);
		const delivered = [];
		for (const node of nodes) {
			for (const { json } of (await node.tick()).items ?? []) delivered.push(json.id);
		}
		expect([...delivered].sort()).toEqual([...leads].sort());
	});
});

test('a list of clients that fails leaves each trigger with its own part', async () => {
	const node = register(sharing('2 of 3'));
	service.clearLog();
	await node.activate();
	const before = new Set(read());
	// Stored, so that the clients are known when they cannot be listed.
	const [client = ''] = before;
	const lead = service.world.addLead(service.world.account(client));
	expect((await node.tick()).items?.map(({ json }) => json.id)).toEqual([lead.id]);

	const failing = service.faults.status(500, { route: 'clients.list', count: Infinity });
	service.clearLog();
	await node.tick();
	expect(failing.hits).toBeGreaterThan(0);
	expect(new Set(read())).toEqual(before);
});

test.each(['undefined', 'null', '""', '"  "'])(
	'a share that an expression leaves at %s is not the share of all',
	async (nothing) => {
		const { error } = await runPoll(sharing(`={{ ${nothing} }}`));
		expect(error?.message).toContain(
			'The parameter "Options > Share of Clients" is an expression that gives nothing',
		);
		expect(service.requests).toEqual([]);
	},
);

test('a sample comes from the clients of the share', async () => {
	for (const id of clients) service.world.addLead(service.world.account(id));
	for (const share of ['1 of 3', '2 of 3', '3 of 3']) {
		service.clearLog();
		const { items } = await runPoll({ ...sharing(share), mode: 'manual' });
		expect(items).not.toBeNull();
		const sampled = new Set(read());
		const node = register(sharing(share));
		service.clearLog();
		await node.activate();
		const mine = new Set(read());
		for (const client of sampled) expect(mine).toContain(client);
	}
});

test.each([
	['allClients', 'No client with an active grant falls into this share'],
	['clients', 'None of the chosen clients falls into this share'],
])('a share of %s that nobody falls into is told, once, and in a sample', async (watch, words) => {
	const { world } = service;
	const agency = world.addAccount('Agency with one client', { isAgency: true });
	apiKey = world.addKey(agency, 'svc_live_NOT_A_REAL_KEY_shares_0001', ['*']);
	const { id } = world.addClient(agency, 'The only one');
	const part = isInShare(id, { part: 1, of: 2 }) ? 2 : 1;
	const empty = sharing(`${part} of 2`, { watch, clientIds: [id] });

	const { error } = await runPoll({ ...empty, mode: 'manual' });
	expect(error?.message).toBe(`${words}.`);
	expect((error as { description?: string } | undefined)?.description).toMatch(/Share of Clients/);

	const node = register(empty);
	expect((await node.activate()).error).toBeUndefined();
	expect((await node.tick()).error?.message).toBe(`${words}, so nothing is watched just now.`);
	expect((await node.tick()).error).toBeUndefined();
});

test.each([['0 of 3'], ['4 of 3'], ['a third']])(
	'"%s" is refused before anything is sent',
	async (share) => {
		for (const watched of [{ watch: 'allClients' }, { watch: 'clients', clientIds: clients }]) {
			service.clearLog();
			const { error } = await register(sharing(share, watched)).activate();
			expect(error?.message).toBe('The option "Share of Clients" is not a share');
			expect(service.requests).toHaveLength(0);
		}
	},
);
