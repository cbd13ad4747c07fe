/** Keys, scopes, grants, paths and request IDs, as parts 1, 4.1, 5 and 8 of the document have them. */
import { ROUTES, SCOPES, type Route } from '../../fake-service/index';
import { conformance } from './conformance';

const kit = conformance();
const { ask, expectAll } = kit;
const asked = ({ method, direct }: Route, before = '') => {
	const { clientA, own } = kit.service.world;
	const path = direct
		.replace('{clientId}', clientA.id)
		.replace('{workspaceId}', own.workspaceId)
		.replace('{id}', 'c0ffee00-0000-4000-8000-000000000000');
	return `${method} ${before}${path}`;
};
const guarded = ROUTES.filter(({ scope }) => scope !== 'none');

test('4.1 the base answers without a key, and has one address', async () => {
	const reply = await ask('GET ', { key: null });
	expect([reply.status, reply.data.version]).toEqual([200, 'v1']);
	expect((await ask('GET /', { key: null })).told).toBe('404 not_found');
});

test('5.4 every other route asks for a key first, whatever else is wrong', async () => {
	const withoutKey = async (route: Route) => await ask(asked(route), { key: null });
	await expectAll(guarded, withoutKey, '401 unauthorized');
});

test('5.4 unknown, malformed, revoked and inactive keys answer 401', async () => {
	const { unknown, revoked, inactive, own } = kit.service.world.keys;
	const bad = [unknown, revoked, inactive].map((key) => `Bearer ${key}`);
	const malformed = [own, `Basic ${own}`, `Bearer  ${own}`, `Bearer ${own} more`, 'Bearer '];
	await expectAll(
		[...bad, ...malformed, 'Bearer sk_other_prefix'],
		async (authorization) => await ask('GET /me', { key: null, headers: { authorization } }),
		'401 unauthorized',
	);
});

test('5.6 a key with every scope but the route’s is refused, one with that alone is not', async () => {
	const { keys, own, agency } = kit.service.world;
	const scoped = guarded.filter(({ scope }) => scope !== 'key');
	const owner = ({ id }: Route) => (id.startsWith('clients.') ? agency : own);
	const others = async (route: Route) => {
		const lacking = SCOPES.filter((scope) => scope !== route.scope);
		const key = kit.service.world.addKey(owner(route), 'svc_live_all_but_one', lacking);
		return await ask(asked(route), { key });
	};
	await expectAll(scoped, others, '403 forbidden');
	for (const route of scoped) {
		const single = owner(route) === agency ? keys.agencySingle : keys.single;
		const { status } = await ask(asked(route), { key: single[route.scope as 'posts:read'] });
		expect([route.id, status === 403]).toEqual([route.id, false]);
	}
	expect((await ask('GET /me', { key: keys.single['leads:read'] })).data).toMatchObject({
		...{ user_id: own.id, scopes: ['leads:read'] },
	});
});

test('5.7 an agency route needs scope and an active grant, in every row of the table', async () => {
	const { own, clientA, clientPaused, clientUngranted, stranger, keys } = kit.service.world;
	const unreached = [clientPaused.id, clientUngranted.id, stranger.id, 'nobody'];
	const refused = [
		...unreached.map((client) => [client, keys.agency] as const),
		...[keys.agencySingle['webhooks:write'], keys.own].map((key) => [clientA.id, key] as const),
		[own.id, keys.own] as const,
	];
	for (const route of ROUTES.filter(({ agency }) => agency !== null)) {
		const of = async ([client, key]: readonly [client: string, key: string]) =>
			await ask(asked(route, `/clients/${client}`), { key });
		expect((await of([clientA.id, keys.agency])).status).not.toBe(403);
		await expectAll(refused, of, '403 forbidden');
	}
});

test('5.9 a grant’s status counts at once, its permissions never', async () => {
	const { world } = kit.service;
	const { agency, clientC, keys } = world;
	const told = async () =>
		(await ask(`GET /clients/${clientC.id}/activity`, { key: keys.agency })).told;
	expect(world.grantOf(agency, clientC)?.permissions).not.toContain('activity:read');
	expect(await told()).toBe('200');
	world.revokeGrant(agency, clientC);
	expect(await told()).toBe('403 forbidden');
	world.setGrantStatus(agency, clientC, 'active');
	expect(await told()).toBe('200');
});

test('5.7 what is outside the subject is 403; what another route reaches is 404', async () => {
	const { stranger, agency, clientA, clientB, clientUngranted, keys } = kit.service.world;
	const as = async (key: string, path: string) => (await ask(`GET ${path}`, { key })).told;
	const [foreign, theirs] = [stranger.posts.at(0)?.id, clientA.posts.at(0)?.id];
	const hidden = clientUngranted.leadMagnets.at(0)?.id;
	expect(await as(keys.own, `/posts/${foreign}`)).toBe('403 forbidden');
	expect(await as(keys.agency, `/clients/${clientA.id}/lead-magnets/${hidden}`)).toMatch(/^403/);
	expect(await as(keys.agency, `/posts/${theirs}`)).toBe('404 not_found');
	expect(await as(keys.agency, `/clients/${clientB.id}/posts/${theirs}`)).toBe('404 not_found');
	expect(await as(keys.agency, `/clients/${clientA.id}/posts/${theirs}`)).toBe('200');
	const { rows } = await ask('GET /leads?limit=100', { key: keys.agency });
	const own = agency.leads.toArray().map(({ id }) => id);
	expect(rows.map(({ id }) => id).sort()).toEqual(own.sort());
});

test('GET /clients lists the clients with an active grant, for agencies', async () => {
	const { clientA, clientB, clientC, keys } = kit.service.world;
	const { rows } = await ask('GET /clients', { key: keys.agency });
	const ids = rows.map(({ user_id }) => user_id);
	expect(ids.sort()).toEqual([clientA.id, clientB.id, clientC.id].sort());
	expect((await ask('GET /clients')).told).toBe('403 forbidden');
});

test('5.8 a valid X-Request-Id is echoed in body and header, another one is refused', async () => {
	const idsOf = async (id: string) => {
		const reply = await ask('GET /me', { headers: { 'x-request-id': id } });
		return [reply.body.request_id, reply.headers['x-request-id']];
	};
	for (const id of ['Trace.1_2:3-4', 'x'.repeat(128)]) expect(await idsOf(id)).toEqual([id, id]);
	await expectAll(
		['', 'a b', 'x'.repeat(129), 'ä', 'a/b'],
		async (id) => await ask('GET ', { key: null, headers: { 'x-request-id': id } }),
		'400 bad_request',
	);
	const { body, headers } = await ask('GET /nowhere');
	expect(body.request_id).toMatch(/^req_\w+$/);
	expect(headers['x-request-id']).toBe(body.request_id);
});

test('part 1 rule 4 and 4.1: other paths are not found, other methods not allowed', async () => {
	const unsupported =
		'accounts users lists campaigns organizations team workspaces lead-magnet-posts webhooks';
	for (const method of ['GET', 'POST'])
		await expectAll(
			unsupported.split(' '),
			async (path) => await ask(`${method} /${path}`, { json: method === 'POST' ? {} : undefined }),
			'404 not_found',
		);
	const put = async (route: Route) => await ask(asked(route).replace(/^\w+/, 'PUT'));
	await expectAll(ROUTES, put, '405 method_not_allowed');
});

describe('part 8: a list', () => {
	const LISTS = ROUTES.filter(({ list }) => list !== undefined).map(({ direct }) => direct);

	test('has 50 records on a page, or 1 to 100, from an offset of 0 on', async () => {
		const { world } = kit.service;
		const { keys, agency, own, clientA } = world;
		const parents: Readonly<Record<string, string>> = {
			posts: world.addPost(agency).id,
			'lead-magnets': world.addLeadMagnet(agency).id,
		};
		const right = 'limit=1 limit=100 offset=0 offset=7&limit=3'.split(' ');
		const wrong =
			'limit=0 limit=101 limit=-1 limit=2.5 limit=ten limit= limit=5&limit=6 offset=-1 offset=1.5 ' +
			'offset=x offset= page=1 page_size=10 cursor=abc sort=created_at Limit=5';
		for (const list of [...LISTS, `/clients/${clientA.id}/leads`]) {
			const path = list.replace(/([\w-]+)\/\{id\}/, (_, of: string) => `${of}/${parents[of]}`);
			const get = async (query: string) => await ask(`GET ${path}?${query}`, { key: keys.agency });
			expect((await get('')).body.pagination).toEqual({ limit: 50, offset: 0, has_more: false });
			await expectAll(right, get, '200');
			await expectAll(wrong.split(' '), get, '400 bad_request');
		}
		expect(agency.leads.size).toBe(12);
		const last = await ask(`GET /leads?limit=6&offset=6`);
		expect(last.body.pagination).toEqual({ limit: 6, offset: 6, has_more: false });
		const ids = own.leads.toArray().map(({ id }) => id);
		expect(last.rows.map(({ id }) => id)).toEqual(ids.slice(0, 6).reverse());
		expect((await ask(`GET /leads?limit=5&offset=6`)).body.pagination?.has_more).toBe(true);
	});

	test('has no more records on a page than the service gives', async () => {
		kit.service.settings.limitCap = 4;
		const reply = await ask('GET /leads?limit=100');
		expect(reply.rows).toHaveLength(4);
		expect(reply.body.pagination).toEqual({ limit: 4, offset: 0, has_more: true });
		kit.service.settings.limitCap = null;
	});

	test('of leads takes has_email, one of activity source, and nothing else takes either', async () => {
		const values = ['1', 'yes', 'TRUE', ''].map((value) => `/leads?has_email=${value}`);
		const elsewhere = '/activity?has_email=true /leads?source=x /posts?has_email=true /me?limit=5';
		await expectAll(
			[...values, ...elsewhere.split(' '), '/activity?source='],
			async (path) => await ask(`GET ${path}`),
			'400 bad_request',
		);
	});
});
