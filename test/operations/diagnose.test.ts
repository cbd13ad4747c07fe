/** Account > Diagnose: what it asks, what it says, and what it never does. */
import type { Account, Effect } from '../../fake-service/index';
import { setUpKit, type Parameters } from '../support/kit/index';

const kit = setUpKit();

const DIAGNOSE = { resource: 'account', operation: 'diagnose' };
const as = (apiKey: string) => ({ credentials: { baseUrl: kit.service.baseUrl, apiKey } });
const diagnosed = async (given: Parameters = {}, apiKey = kit.service.world.keys.own) =>
	await kit.records({ ...DIAGNOSE, ...given }, as(apiKey));
type Items = Awaited<ReturnType<typeof diagnosed>>;
const needingAPerson = (items: Items) =>
	items.filter(({ result }) => result === 'failed' || result === 'differs');

it.each([
	['agency', true],
	['own', false],
] as const)(
	'reports nothing wrong and nothing secret with the key of %s',
	async (whose, writes) => {
		const { world, baseUrl } = kit.service;
		const apiKey = world.keys[whose];
		const [item] = await diagnosed({ output: 'report', alsoTryWrites: writes }, apiKey);
		const report = String(item?.report);
		expect(report.replaceAll(/\d+ ms/g, '… ms')).toMatchSnapshot();
		expect(kit.writes().length > 0).toBe(writes);
		const held = [world.own, world.agency, world.clientA].flatMap((account: Account) => [
			...[account.id, account.fullName],
			...account.leads.toArray().flatMap((lead) => [lead.id, lead.name, lead.network_profile_url]),
			...account.posts.toArray().flatMap(({ id, text }) => [id, text]),
			...account.activity.toArray().flatMap(({ id, content }) => [id, content]),
		]);
		expect([apiKey, baseUrl, ...held].filter((text) => report.includes(text))).toEqual([]);
	},
);

describe('the number of requests', () => {
	const withClients = async (clients: number): Promise<Items> => {
		const { world } = kit.service;
		for (let index = world.agency.grants.size - 1; index < clients; index += 1)
			world.addClient(world.agency, `Client ${index}`);
		kit.service.clearLog();
		return await diagnosed({}, world.keys.agency);
	};

	it.each([
		[3, 34, '3 clients, 3'],
		[10, 58, '10 clients, 10'],
		[101, 58, '100 clients and more, 10'],
	])('for %i clients is %i: the first ten are looked at', async (clients, requests, seen) => {
		const items = await withClients(clients);
		expect(kit.service.requests).toHaveLength(requests);
		const grants = items.find(({ check }) => check === 'Grants');
		expect(grants?.seen).toBe(`${seen} looked at, 0 with a grant that is not active`);
	});

	it.each([429, 503])(
		'is 80 where every second one has to be repeated after a %i',
		async (status) => {
			let sent = 0;
			const when = (): boolean => (sent += 1) > 2 && sent % 2 === 0;
			kit.service.faults.add({ kind: 'error', status, retryAfter: 0 }, { when, count: Infinity });
			const items = await withClients(10);
			expect(items[0]?.seen).toMatch(/ with 80 requests: /);
			expect(kit.service.requests).toHaveLength(80);
		},
	);

	it('is the same for several items, which get the same checks', async () => {
		const items = await kit.items(DIAGNOSE, { items: [{ json: {} }, { json: {} }] });
		const [first, second] = [0, 1].map((item) =>
			items.flatMap(({ pairedItem, json }) =>
				(pairedItem as { item: number }).item === item ? [json] : [],
			),
		);
		expect(first?.length).toBeGreaterThan(40);
		expect(first).toEqual(second);
		expect(kit.service.requests).toHaveLength(17);
	});

	it('is two where the key is not accepted, writes included, which say why', async () => {
		const items = await diagnosed({ alsoTryWrites: true }, kit.service.world.keys.revoked);
		expect(needingAPerson(items).map(({ check }) => check)).toEqual(['Summary', 'Key']);
		expect(kit.service.requests).toHaveLength(2);
		const written = items.filter(({ check }) => String(check).startsWith('Write:'));
		expect(written).toHaveLength(12);
		expect(written.filter(({ seen }) => seen !== 'no answer')).toEqual([]);
	});

	it.each<[string, Effect, Effect | undefined, boolean]>([
		['refuses to say whose the key is', { kind: 'error', status: 403 }, undefined, true],
		['fails', { kind: 'error', status: 503 }, undefined, false],
		['gives it as a page', { kind: 'html', status: 200 }, undefined, true],
		['gives all as pages', { kind: 'html', status: 200 }, { kind: 'html', status: 200 }, false],
	])('is two or more where the service %s', async (...[, subject, base, goesOn]) => {
		kit.service.faults.add(subject, { path: '/me', count: Infinity });
		if (base !== undefined) kit.service.faults.add(base, { path: '', count: Infinity });
		await diagnosed({ options: { maxWaitSeconds: 0 } });
		expect(kit.service.requests.length > 2).toBe(goesOn);
	});
});

it('looks at one client in place of the first ten', async () => {
	const { clientB, keys } = kit.service.world;
	await diagnosed({ options: { clientId: clientB.id } }, keys.agency);
	const clients = kit.service.requests.flatMap(({ clientId, route }) =>
		clientId === null || route === 'clients.get' ? [] : [clientId],
	);
	expect([...new Set(clients)]).toEqual([clientB.id]);
});

it('a key without a single scope for what is read hears which are missing', async () => {
	const items = await diagnosed({}, kit.service.world.keys.single['webhooks:write']);
	const failed = needingAPerson(items).slice(1);
	const scopeIn = (text: unknown) => /scope (\w+:read)/.exec(String(text))?.[1];
	expect(failed.map(({ check, do_next: next }) => `${check} ${scopeIn(next)}`)).toEqual([
		'Access: GET /posts posts:read',
		'Access: GET /lead-magnets lead_magnets:read',
		'Access: GET /leads leads:read',
		'Access: GET /activity activity:read',
	]);
});

describe('Also Try Writes', () => {
	const writes = { alsoTryWrites: true };
	const held = () => {
		const { posts, leadMagnets, media } = kit.service.world.own;
		const active = leadMagnets.toArray().filter(({ status }) => status === 'active');
		return [posts.size, active.length, media.size];
	};
	const gone = (items: Items) =>
		items.find(({ check }) => check === 'Write: what was made is gone');

	it('leaves the account as it was', async () => {
		const before = held();
		const items = await diagnosed(writes);
		expect(needingAPerson(items)).toEqual([]);
		expect(items.filter(({ check }) => String(check).startsWith('Write:'))).toHaveLength(12);
		expect(held()).toEqual(before);
		const statuses = kit.writes().map(({ json }) => (json as { status?: string } | null)?.status);
		expect(statuses.filter((status) => status !== undefined)).toEqual(['draft']);
		// Whoever finds one that stayed knows where it comes from.
		const made = kit.writes().filter(({ path }) => /\/(posts|lead-magnets|upload-url)$/.test(path));
		expect(made.map(({ body }) => /diagnosis/.test(body))).toEqual([true, true, true]);
	});

	it('finds its draft at the end of a list of several pages', async () => {
		const { orders, settings } = kit.service;
		orders.posts = 'oldest';
		settings.limitCap = 2;
		const items = await diagnosed(writes);
		delete orders.posts;
		settings.limitCap = null;
		const found = items.find(({ check }) => check === 'Write: a draft is found again');
		expect(found).toMatchObject({ result: 'holds', seen: 'by its note' });
	});

	it.each(['posts.create', 'posts.get', 'posts.update', 'leadMagnets.create', 'media.uploadUrl'])(
		'leaves it as it was when %s fails, and when its answer is lost',
		async (route) => {
			const before = held();
			for (const after of [false, true]) {
				const isRead = route === 'posts.get';
				kit.service.faults.add(
					{ kind: 'error', status: isRead ? 403 : 500, after },
					{ route, ...(isRead ? {} : { when: ({ json }) => json !== undefined }) },
				);
				const items = await diagnosed(writes);
				// What may have been made and is not found is not said to be gone.
				const isUnknown = !after && /create/.test(route);
				expect(gone(items)).toMatchObject({
					result: isUnknown ? 'differs' : 'holds',
					seen: `0 left, ${Number(isUnknown)} that may have been made and were not found`,
				});
				expect(held()).toEqual(before);
				kit.service.faults.clear();
			}
		},
	);

	it('knows what is gone though the answer to its removal was lost', async () => {
		const before = held();
		for (const route of ['posts.delete', 'leadMagnets.archive'])
			kit.service.faults.add({ kind: 'error', status: 502, after: true }, { route });
		expect(gone(await diagnosed(writes))).toMatchObject({ result: 'holds' });
		expect(held()).toEqual(before);
	});

	it('tidies up when the run is stopped', async () => {
		const before = held();
		kit.service.faults.add({ kind: 'delay', ms: 50 }, { route: 'posts.update' });
		const { status } = await kit.run(
			{ ...DIAGNOSE, ...writes },
			{ abortWhen: () => kit.writes().some(({ method }) => method === 'PATCH') },
		);
		expect(status).toBe('canceled');
		while (held().join() !== before.join()) await new Promise((done) => setTimeout(done, 20));
	});

	it('names what is left where it cannot be removed', async () => {
		const { world, faults } = kit.service;
		faults.add({ kind: 'error', status: 403 }, { route: 'posts.delete', count: 9 });
		const items = await diagnosed(writes);
		const id = world.own.posts.at(-1)?.id ?? '';
		expect(gone(items)).toMatchObject({ result: 'failed', left: [`draft ${id}`] });
		world.removePost(world.own, id);
	});

	it.each(['={{ true }}', "={{ $fromAI('sure') }}"])('is not set by %s', async (alsoTryWrites) => {
		const failure = await kit.failure({ ...DIAGNOSE, alsoTryWrites });
		expect(failure.error).toContain('for a person to decide');
		expect(kit.sent()).toEqual([]);
	});
});
