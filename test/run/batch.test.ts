import { byId, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const LEADS = { resource: 'lead', operation: 'getAll', limit: 1 };
const as = (clientId: string) => ({ actAs: 'client', clientId: byId(clientId) });
const input = (count: number, json: (index: number) => Record<string, unknown> = () => ({})) =>
	Array.from({ length: count }, (_, index) => ({ json: { index, ...json(index) } as never }));

const mostAtOnce = (times: ReadonlyArray<{ startedAt: number; endedAt: number }>): number =>
	Math.max(
		...times.map(
			({ startedAt }) =>
				times.filter((other) => other.startedAt <= startedAt && other.endedAt > startedAt).length,
		),
	);

describe('parallel reads', () => {
	it('keep the order of the items and their pairs, however the answers come', async () => {
		const posts = Array.from({ length: 30 }, (_, index) =>
			kit.service.world.addPost(kit.service.world.own, { text: `Post ${index}` }),
		);
		posts.forEach(({ id }, index) => {
			if (index % 3 === 0) kit.service.latency.path(`/posts/${id}`, 60 - index);
		});
		const items = await kit.items(
			{ resource: 'post', operation: 'get', postId: byId('={{ $json.id }}') },
			{ items: input(30, (index) => ({ id: posts[index]?.id })) },
		);
		kit.service.latency.clear();
		expect(items.map(({ json }) => json.text)).toEqual(posts.map(({ text }) => text));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(posts.map((_, item) => ({ item })));
	});

	it('are really sent side by side, but not more than ten', async () => {
		kit.service.latency.global = 30;
		await kit.items(LEADS, { items: input(40) });
		kit.service.latency.global = 0;
		const times = kit.service.requests.map(({ startedAt, endedAt }) => ({
			startedAt,
			endedAt: endedAt ?? Infinity,
		}));
		const most = mostAtOnce(times);
		expect(most).toBeGreaterThan(2);
		expect(most).toBeLessThanOrEqual(10);
	});

	/** A client of two pages of leads, and a page behind them that takes its time. */
	const slowPastTheEnd = (ms: number) => {
		const { service } = kit;
		const account = service.world.addClient(service.world.agency, 'Client of slow pages');
		service.world.seedLeads(account, 150);
		const isSlow = ({ query }: { query: Record<string, string> }) => query.offset === '200';
		service.faults.add({ kind: 'delay', ms }, { count: Infinity, when: isSlow });
		return { account, isSlow };
	};

	it.each([
		['come', undefined],
		['fail', 403],
	] as const)('do not pile up slow pages that nobody needs when lists %s', async (_, status) => {
		const { service } = kit;
		const { account, isSlow } = slowPastTheEnd(600);
		if (status !== undefined) {
			const when = ({ query }: { query: Record<string, string> }) => query.offset === '100';
			service.faults.status(status, { count: Infinity, when });
		}
		const { outputs } = await kit.run(
			{ ...LEADS, limit: undefined, returnAll: true, ...as(account.id) },
			{ items: input(60), onError: 'continueErrorOutput' },
		);
		expect(outputs.map((items) => items?.length)).toEqual(status ? [0, 60] : [60 * 150, 0]);
		const times = service.requests.filter(isSlow).map(({ startedAt, endedAt }) => ({
			startedAt,
			endedAt: endedAt ?? Infinity,
		}));
		expect(times.length).toBeGreaterThan(30);
		// Ten that are left over, and ten of items that run.
		expect(mostAtOnce(times)).toBeLessThanOrEqual(20);
	});

	it('begin no other list once the run has failed, though many wait for their turn', async () => {
		const { service } = kit;
		const { account } = slowPastTheEnd(4_000);
		const stranger = '00000000-0000-4000-8000-000000000009';
		service.faults.add({ kind: 'delay', ms: 1_200 }, { path: `/clients/${stranger}/leads` });
		const { error } = await kit.run(
			{ ...LEADS, limit: undefined, returnAll: true, ...as('={{ $json.client }}') },
			{ items: input(40, (index) => ({ client: index === 9 ? stranger : account.id })) },
		);
		expect(error).toMatchObject({ context: { itemIndex: 9 } });
		const failed = service.requests.find(({ path }) => path.includes(stranger))?.endedAt ?? 0;
		expect(failed).toBeGreaterThan(0);
		// Until the node has heard of it, an item under way may ask for its next page.
		const heard = failed + 1_000;
		expect(service.requests.filter(({ startedAt }) => startedAt > heard)).toEqual([]);
	});

	it('give several records of one item the same pair', async () => {
		const items = await kit.items({ ...LEADS, limit: 3 }, { items: input(2) });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1, 1, 1].map((item) => ({ item })),
		);
	});
});

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

	it('stops the run without "Continue", and names the item', async () => {
		kit.service.faults.status(404, { nth: 2 });
		const { error } = await kit.run(LEADS, { items: input(3) });
		expect(error?.message).toContain('found nothing there');
		expect(error).toMatchObject({ context: { itemIndex: expect.any(Number) as unknown } });
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

	it('of a write are evaluated when its turn comes', async () => {
		kit.service.latency.global = 30;
		const posts = await kit.records(
			{ resource: 'post', operation: 'create', text: '={{ String($now.toMillis()) }}' },
			{ items: input(3) },
		);
		kit.service.latency.global = 0;
		const [first = 0, second = 0, third = 0] = posts.map(({ text }) => Number(text));
		expect(second - first).toBeGreaterThanOrEqual(25);
		expect(third - second).toBeGreaterThanOrEqual(25);
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
