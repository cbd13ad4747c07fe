/** Account > Diagnose: what it asks, how often, and what it puts out. */
import type { Account, Effect } from '../../fake-service/index';
import { setUpKit } from '../support/kit/index';
import { as, DIAGNOSE, diagnosed, reported, type Items } from './scene';

const kit = setUpKit();

it.each([
	['agency', true],
	['own', false],
] as const)('a healthy account gets one sentence, with the key of %s', async (whose, writes) => {
	const { keys } = kit.service.world;
	const items = await diagnosed(kit, { alsoTryWrites: writes }, keys[whose]);
	expect(items).toHaveLength(1);
	expect(items[0]?.means).toBe(
		whose === 'agency'
			? 'No check found a problem. These work: your own account, 3 clients, posts, lead magnets, leads and activity.'
			: 'No check found a problem. These work: your own account, posts, lead magnets, leads and activity.',
	);
	expect(kit.writes().length > 0).toBe(writes);
});

it.each([
	['agency', true],
	['own', false],
] as const)('the report holds nothing secret, with the key of %s', async (whose, writes) => {
	const { world, baseUrl } = kit.service;
	const apiKey = world.keys[whose];
	const [item] = await diagnosed(kit, { output: 'report', alsoTryWrites: writes }, apiKey);
	const report = String(item?.report);
	expect(report.replaceAll(/\d+ ms/g, '… ms')).toMatchSnapshot();
	const held = [world.own, world.agency, world.clientA].flatMap((account: Account) => [
		...[account.id, account.fullName],
		...account.leads.toArray().flatMap((lead) => [lead.id, lead.name, lead.network_profile_url]),
		...account.posts.toArray().flatMap(({ id, text }) => [id, text]),
		...account.activity.toArray().flatMap(({ id, content }) => [id, content]),
	]);
	expect([apiKey, baseUrl, ...held].filter((text) => report.includes(text))).toEqual([]);
});

it('shows all checks if they are wanted', async () => {
	const items = await diagnosed(kit, { show: 'all' });
	expect(items.length).toBeGreaterThan(40);
	expect(reported(items)).toEqual([]);
	const blocks = items
		.slice(1)
		.filter(({ result }) => result === 'ok')
		.map(({ block }) => block);
	expect([...new Set(blocks)]).toEqual(['work', 'data', 'document']);
	const network = items.find(({ check }) => check === "n8n's own network");
	expect(network).toMatchObject({ result: 'ok', seen: 'http://localhost:9/ was tried' });
});

describe('the number of requests', () => {
	// The other tests look at three clients.
	const kit = setUpKit({ skipsWaits: true });
	const withClients = async (clients: number, given = {}): Promise<Items> => {
		const { world } = kit.service;
		for (const client of [world.clientB, world.clientC])
			world.setGrantStatus(world.agency, client, clients === 1 ? 'revoked' : 'active');
		// An earlier test may have added more.
		for (const { id } of world.agency.grants.toArray().slice(Math.max(3, clients)))
			world.agency.grants.remove(id);
		for (let index = world.agency.grants.size - 1; index < clients; index += 1)
			world.addClient(world.agency, `Client ${index}`);
		kit.service.clearLog();
		return await diagnosed(kit, { show: 'all', ...given }, world.keys.agency);
	};
	const sent = () => kit.service.requests.length + kit.service.storageRequests.length;

	it.each([
		[1, false],
		[1, true],
		[3, false],
		[3, true],
		[10, false],
		[10, true],
		[100, false],
		[100, true],
	])('for %i clients (writes: %s) is never above 80', async (clients, alsoTryWrites) => {
		const items = await withClients(clients, { alsoTryWrites });
		expect([clients, alsoTryWrites, sent()]).toMatchSnapshot();
		expect(sent()).toBeLessThanOrEqual(80);
		expect(reported(items)).toEqual([]);
		// The request into n8n's own network does not arrive at the service.
		expect(items[0]?.seen).toMatch(new RegExp(`^${sent() + 1} requests`));
	});

	it.each([
		[429, false],
		[503, false],
		[429, true],
		[503, true],
	])(
		'is at most 80 where every second one is answered by %i (writes: %s)',
		async (status, alsoTryWrites) => {
			let count = 0;
			const when = (): boolean => (count += 1) > 2 && count % 2 === 0;
			kit.service.faults.add({ kind: 'error', status, retryAfter: 0 }, { when, count: Infinity });
			await withClients(10, { alsoTryWrites });
			expect(sent()).toBeLessThanOrEqual(80);
			expect(sent()).toBeGreaterThan(60);
		},
	);

	it('is the same for several items, which get the same checks', async () => {
		const items = await kit.items(
			{ ...DIAGNOSE, show: 'all' },
			{ items: [{ json: {} }, { json: {} }] },
		);
		const [first, second] = [0, 1].map((item) =>
			items.flatMap(({ pairedItem, json }) =>
				(pairedItem as { item: number }).item === item ? [json] : [],
			),
		);
		expect(first?.length).toBeGreaterThan(40);
		expect(first).toEqual(second);
		expect(kit.service.requests.length).toBeLessThan(40);
	});

	it('is two where the key is not accepted, writes included, and one thing is said', async () => {
		const items = await diagnosed(kit, { alsoTryWrites: true }, kit.service.world.keys.revoked);
		expect(reported(items)).toEqual(['Key: needs_you']);
		expect(kit.service.requests).toHaveLength(2);
	});

	it.each<[string, Effect, Effect | undefined, boolean]>([
		['refuses to say whose the key is', { kind: 'error', status: 403 }, undefined, true],
		['fails', { kind: 'error', status: 503 }, undefined, false],
		['gives it as a page', { kind: 'html', status: 200 }, undefined, true],
		['gives all as pages', { kind: 'html', status: 200 }, { kind: 'html', status: 200 }, false],
	])('is two or more where the service %s', async (...[, subject, base, goesOn]) => {
		kit.service.faults.add(subject, { path: '/me', count: Infinity });
		if (base !== undefined) kit.service.faults.add(base, { path: '', count: Infinity });
		await diagnosed(kit, { options: { maxWaitSeconds: 0 } });
		expect(kit.service.requests.length > 2).toBe(goesOn);
	});
});

it('looks at one client in place of the first ten', async () => {
	const { clientB, keys } = kit.service.world;
	await diagnosed(kit, { options: { clientId: clientB.id } }, keys.agency);
	const clients = kit.service.requests.flatMap(({ clientId }) => clientId ?? []);
	expect([...new Set(clients)]).toEqual([clientB.id]);
});

it('one list that never answers takes nothing from the others', async () => {
	kit.service.faults.add({ kind: 'hang' }, { path: '/activity', count: Infinity });
	const items = await diagnosed(kit, { show: 'all', options: { maxWaitSeconds: 1 } });
	expect(reported(items)).toEqual(['Requests: needs_you']);
	expect(items.find(({ check }) => check === 'Complete lists')?.seen).toContain(
		'leads: 12 records',
	);
});

describe('Also Try Writes', () => {
	it.each(['={{ true }}', "={{ $fromAI('sure') }}"])('is not set by %s', async (alsoTryWrites) => {
		const failure = await kit.failure({ ...DIAGNOSE, alsoTryWrites });
		expect(failure.error).toContain('must be turned on or off in the node itself');
		expect(kit.sent()).toEqual([]);
	});
});

it('is refused where the credential is wrong', async () => {
	const failure = await kit.failure(DIAGNOSE, as({ ...kit.service, baseUrl: 'nowhere' }, 'key'));
	expect(failure.error).toContain('is not a valid URL');
});
