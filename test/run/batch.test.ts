import { byId, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const LEADS = { resource: 'lead', operation: 'getAll', limit: 1 };
const input = (count: number, json: (index: number) => Record<string, unknown> = () => ({})) =>
	Array.from({ length: count }, (_, index) => ({ json: { index, ...json(index) } as never }));

describe('one failing item', () => {
	it('takes no other along, and goes to the error output with its own input', async () => {
		const posts = Array.from({ length: 5 }, () => kit.service.world.addPost(kit.service.world.own));
		kit.service.faults.status(404, { path: `/posts/${posts[2]?.id}` });
		const { outputs, error } = await kit.run(
			{ resource: 'post', operation: 'get', postId: byId('={{ $json.id }}') },
			{
				items: input(5, (index) => ({ id: posts[index]?.id })),
				onError: 'continueErrorOutput',
			},
		);
		expect(error).toBeUndefined();
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 3, 4].map((item) => ({ item })),
		);
		expect(outputs[1]).toHaveLength(1);
		expect(outputs[1]?.[0]).toMatchObject({
			pairedItem: { item: 2 },
			json: { index: 2, id: posts[2]?.id, details: { http_status: 404, code: 'not_found' } },
		});
	});

	it('with a bad parameter sends nothing for itself, and the others go on', async () => {
		const { outputs } = await kit.run(
			{ ...LEADS, limit: '={{ $json.limit }}' },
			{
				items: input(3, (index) => ({ limit: index === 1 ? 'many' : 1 })),
				onError: 'continueErrorOutput',
			},
		);
		expect(outputs[0]).toHaveLength(2);
		expect(outputs[1]?.[0]?.json.error).toBe('The parameter "Limit" must be a number');
		expect(kit.service.requests).toHaveLength(2);
	});

	it('stays in the one output with "Continue"', async () => {
		kit.service.faults.status(404, { nth: 1 });
		const { outputs } = await kit.run(LEADS, { onError: 'continueRegularOutput' });
		expect(outputs[0]?.[0]?.json.details).toMatchObject({ code: 'not_found' });
	});

	it('with a credential that cannot be used fails every item, and sends nothing', async () => {
		const { outputs } = await kit.run(LEADS, {
			items: input(2),
			onError: 'continueErrorOutput',
			credentials: { baseUrl: 'http://api.example.com', apiKey: 'svc_live_0000' },
		});
		expect(outputs[0]).toEqual([]);
		expect(outputs[1]).toHaveLength(2);
		expect(outputs[1]?.[0]?.json.error).toContain('must start with https://');
		expect(kit.service.requests).toEqual([]);
	});
});

it('expressions per item serve many clients in one run', async () => {
	const { clientA, clientB, clientC } = kit.service.world;
	const clients = [clientA, clientB, clientC, clientA];
	const items = await kit.items(
		{ ...LEADS, actAs: 'client', clientId: byId('={{ $json.client }}'), simplify: false },
		{ items: input(4, (index) => ({ client: clients[index]?.id })) },
	);
	expect(kit.sent().sort()).toEqual(
		clients.map(({ id }) => `GET /clients/${id}/leads?limit=1&offset=0`).sort(),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(clients.map((_, item) => ({ item })));
	items.forEach(({ json }, index) => {
		expect(clients[index]?.leads.get(String(json.id))).toBeDefined();
	});
});

it('own account and client may stand side by side in one run', async () => {
	const { clientA, keys } = kit.service.world;
	await kit.items(
		{ ...LEADS, actAs: '={{ $json.actAs }}', clientId: byId('={{ $json.client }}') },
		{
			items: input(2, (index) => ({
				actAs: index ? 'client' : 'own',
				client: index ? clientA.id : null,
			})),
			credentials: { baseUrl: kit.service.baseUrl, apiKey: keys.agency },
		},
	);
	expect(kit.sent().sort()).toEqual([
		`GET /clients/${clientA.id}/leads?limit=1&offset=0`,
		'GET /leads?limit=1&offset=0',
	]);
});

describe('expressions', () => {
	it('of one item that fail are the failure of this item alone, many items away too', async () => {
		const post = kit.service.world.addPost(kit.service.world.own);
		const { outputs, error } = await kit.run(
			{
				resource: 'post',
				operation: 'get',
				postId: byId(`={{ $json.index % 40 === 30 ? $('Nowhere').item : '${post.id}' }}`),
			},
			{ items: input(120), onError: 'continueErrorOutput' },
		);
		expect(error).toBeUndefined();
		expect(outputs[0]).toHaveLength(117);
		expect(outputs[1]?.map(({ pairedItem }) => pairedItem)).toEqual(
			[30, 70, 110].map((item) => ({ item })),
		);
		expect(kit.service.requests).toHaveLength(117);
	});
});

it('nothing is under way any more when the node ends', async () => {
	const { world } = kit.service;
	world.seedLeads(world.own, Math.max(0, 1_000 - world.own.leads.toArray().length));
	kit.service.latency.path('/leads', 20);
	await kit.items({ ...LEADS, limit: undefined, returnAll: true });
	const [sent, open] = [
		kit.service.requests.length,
		kit.service.requests.filter(({ endedAt }) => endedAt === null),
	];
	await new Promise((resolve) => setTimeout(resolve, 60));
	kit.service.latency.clear();
	expect(open).toEqual([]);
	expect(kit.service.requests).toHaveLength(sent);
});

describe('"Stop execution"', () => {
	it('ends a run of reads at once, even with continue-on-fail', async () => {
		kit.service.faults.add({ kind: 'hang' }, { count: Infinity });
		const start = Date.now();
		const run = await kit.run(LEADS, {
			items: input(30),
			onError: 'continueErrorOutput',
			abortWhen: () => kit.service.requests.length > 0,
		});
		expect(run.status).toBe('canceled');
		expect(Date.now() - start).toBeLessThan(20_000);
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(kit.service.requests.length).toBeLessThanOrEqual(10);
	});

	it('ends a run of writes between two items', async () => {
		kit.service.latency.global = 60;
		const run = await kit.run(
			{ resource: 'post', operation: 'create', text: 'x' },
			{
				items: input(50),
				onError: 'continueErrorOutput',
				abortWhen: () => kit.service.requests.length > 1,
			},
		);
		kit.service.latency.global = 0;
		expect(run.status).toBe('canceled');
		const sent = kit.service.requests.length;
		expect(sent).toBeLessThan(50);
		await new Promise((resolve) => setTimeout(resolve, 150));
		expect(kit.service.requests.length).toBe(sent);
	});
});
