/** Account > Diagnose: what it asks, what it says, and what it never does. */
import { startService, type Account, type FakeService } from '../../fake-service/index';
import { setUpKit, type Parameters } from '../support/kit/index';

const kit = setUpKit();

type Key = 'own' | 'agency';
const as = (key: string) => ({
	credentials: { baseUrl: kit.service.baseUrl, apiKey: key },
});
const diagnosed = async (parameters: Parameters = {}, key: Key = 'own') =>
	await kit.records(
		{ resource: 'account', operation: 'diagnose', ...parameters },
		as(kit.service.world.keys[key]),
	);
type Items = Awaited<ReturnType<typeof diagnosed>>;
const resultsOf = (items: Items) =>
	Object.fromEntries(items.map(({ check, result }) => [String(check), String(result)]));
const needingAPerson = (items: Items) =>
	items.filter(({ result }) => result === 'failed' || result === 'differs');

describe('on the service as documented', () => {
	it.each(['own', 'agency'] as const)('finds nothing with the key of %s', async (key) => {
		const items = await diagnosed({}, key);
		expect(needingAPerson(items)).toEqual([]);
		expect(items[0]).toMatchObject({ check: 'Summary', result: 'holds' });
		expect(kit.writes()).toEqual([]);
	});

	it('finds nothing by other names of service and network, and does not tell them', async () => {
		const words = { service: 'acme_io2', network: 'pronet' };
		const service = await startService({ words });
		const { baseUrl, world } = service;
		const credentials = { baseUrl, apiKey: world.keys.agency };
		const parameters = { resource: 'account', operation: 'diagnose' };
		const items = await kit.records(parameters, { credentials });
		await service.close();
		expect(needingAPerson(items)).toEqual([]);
		expect(JSON.stringify(items)).not.toMatch(/acme|pronet/i);
	});

	it('says for each check what it means, and what to do where there is something', async () => {
		for (const { check, means, seen } of await diagnosed())
			expect([check, String(means).length > 10, String(seen).length > 0]).toEqual([
				check,
				true,
				true,
			]);
	});

	it('shows no key, address, name, text or ID in the report', async () => {
		const [item] = await diagnosed({ output: 'report' }, 'agency');
		const report = String(item?.report);
		const { world, baseUrl } = kit.service;
		const held = [world.agency, world.clientA].flatMap((account: Account) => [
			account.id,
			account.fullName,
			...account.leads
				.toArray()
				.flatMap(({ id, name, network_profile_url: url }) => [id, name, url]),
			...account.posts.toArray().flatMap(({ id, text }) => [id, text]),
			...account.activity.toArray().flatMap(({ id, content }) => [id, content]),
		]);
		expect(report).toContain('| holds | Key | accepted |');
		expect([world.keys.agency, baseUrl, ...held].filter((text) => report.includes(text))).toEqual(
			[],
		);
	});
});

describe('the number of requests', () => {
	const agencyOf = async (clients: number): Promise<FakeService> => {
		const { world } = kit.service;
		const before = world.agency.grants.size - 1;
		for (let index = before; index < clients; index += 1)
			world.addClient(world.agency, `Client ${index}`);
		kit.service.clearLog();
		await diagnosed({}, 'agency');
		return kit.service;
	};

	it.each([
		[3, 34],
		[10, 58],
		[100, 58],
	])('for %i clients is %i', async (clients, requests) => {
		expect((await agencyOf(clients)).requests).toHaveLength(requests);
	});

	it('is the same for several items, which get the same checks', async () => {
		const items = await kit.items(
			{ resource: 'account', operation: 'diagnose' },
			{ items: [{ json: {} }, { json: {} }] },
		);
		const [first, second] = [0, 1].map((item) =>
			items.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item),
		);
		expect(first?.length).toBeGreaterThan(40);
		expect(first?.map(({ json }) => json)).toEqual(second?.map(({ json }) => json));
		expect(kit.service.requests).toHaveLength(17);
	});

	it('is two where the key is not accepted', async () => {
		const items = await kit.records(
			{ resource: 'account', operation: 'diagnose' },
			as(kit.service.world.keys.revoked),
		);
		expect(needingAPerson(items).map(({ check }) => check)).toEqual(['Summary', 'Key']);
		expect(kit.service.requests).toHaveLength(2);
	});
});

it('looks at one client in place of the first ten', async () => {
	const { id } = kit.service.world.clientB;
	await diagnosed({ options: { clientId: id } }, 'agency');
	const clients = kit.service.requests.flatMap(({ clientId, route }) =>
		clientId === null || route === 'clients.get' ? [] : [clientId],
	);
	expect([...new Set(clients)]).toEqual([id]);
});

it('a key without a single scope for what is read hears which are missing', async () => {
	const { single } = kit.service.world.keys;
	const items = await kit.records(
		{ resource: 'account', operation: 'diagnose' },
		as(single['webhooks:write']),
	);
	const failed = needingAPerson(items).slice(1);
	const scopeIn = (text: unknown) => /scope (\w+:read)/.exec(String(text))?.[1];
	expect(failed.map(({ check, do_next: next }) => [check, scopeIn(next)])).toEqual([
		['Access: GET /posts', 'posts:read'],
		['Access: GET /lead-magnets', 'lead_magnets:read'],
		['Access: GET /leads', 'leads:read'],
		['Access: GET /activity', 'activity:read'],
	]);
});

describe('Also Try Writes', () => {
	const writes = { alsoTryWrites: true };
	const holdings = ({ posts, leadMagnets, media }: Account) => [
		posts.size,
		leadMagnets.toArray().filter(({ status }) => status === 'active').length,
		media.size,
	];

	it('leaves the account as it was', async () => {
		const { own } = kit.service.world;
		const before = holdings(own);
		const items = await diagnosed(writes);
		expect(needingAPerson(items)).toEqual([]);
		expect(items.filter(({ check }) => String(check).startsWith('Write:'))).toHaveLength(12);
		expect(holdings(own)).toEqual(before);
		for (const { json } of kit.writes())
			expect(['draft', undefined]).toContain((json as { status?: string } | undefined)?.status);
	});

	it.each(['posts.create', 'posts.get', 'posts.update', 'leadMagnets.create', 'media.uploadUrl'])(
		'leaves it as it was when %s fails, and when its answer is lost',
		async (route) => {
			const { own } = kit.service.world;
			const before = holdings(own);
			for (const after of [false, true]) {
				const isWrite = (request: { json: unknown }) => request.json !== undefined;
				kit.service.faults.add(
					{ kind: 'error', status: route === 'posts.get' ? 403 : 500, after },
					{ route, ...(route === 'posts.get' ? {} : { when: isWrite }) },
				);
				const items = await diagnosed({ ...writes, options: { maxWaitSeconds: 1 } });
				// What may have been made and is not found is not said to be gone.
				const isUnknown = !after && /create/.test(route);
				expect(resultsOf(items)['Write: what was made is gone']).toBe(
					isUnknown ? 'differs' : 'holds',
				);
				expect(holdings(own)).toEqual(before);
				kit.service.faults.clear();
			}
		},
	);

	it('tidies up when the run is stopped', async () => {
		const { own } = kit.service.world;
		const before = holdings(own);
		kit.service.faults.add({ kind: 'delay', ms: 50 }, { route: 'posts.update' });
		const { status } = await kit.run(
			{ resource: 'account', operation: 'diagnose', ...writes },
			{ abortWhen: () => kit.writes().some(({ method }) => method === 'PATCH') },
		);
		expect(status).toBe('canceled');
		while (holdings(own).join() !== before.join())
			await new Promise((done) => setTimeout(done, 20));
	});

	it('names what is left where it cannot be removed', async () => {
		const { own } = kit.service.world;
		kit.service.faults.add({ kind: 'error', status: 403 }, { route: 'posts.delete', count: 9 });
		const items = await diagnosed(writes);
		const draft = own.posts.at(-1);
		expect(items.find(({ check }) => check === 'Write: what was made is gone')).toMatchObject({
			result: 'failed',
			left: [`draft ${draft?.id}`],
		});
		kit.service.world.removePost(own, draft?.id ?? '');
	});

	it.each(['={{ true }}', "={{ $fromAI('sure') }}"])('is not set by %s', async (alsoTryWrites) => {
		const failure = await kit.failure({
			resource: 'account',
			operation: 'diagnose',
			alsoTryWrites,
		});
		expect(failure.error).toContain('for a person to decide');
		expect(kit.sent()).toEqual([]);
	});
});
