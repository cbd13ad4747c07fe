import { request } from 'undici';
import { ask, post } from '../../fake-service/asking';
import {
	startService,
	ROUTES,
	SCOPES,
	type FakeService,
	type Route,
} from '../../fake-service/index';

let service: FakeService;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.close());

const pathOf = (route: Route) =>
	route.direct
		.replace('{clientId}', service.world.clientA.id)
		.replace('{workspaceId}', service.world.own.workspaceId)
		.replace('{id}', 'c0ffee00-0000-4000-8000-000000000000');

test('4.1 the base answers without a key', async () => {
	const reply = await ask(service, '', { key: null });
	expect(reply.status).toBe(200);
	expect(reply.data.version).toBe('v1');
});

test('4.1 the base has one address: with a slash it is unknown', async () => {
	expect((await ask(service, '/', { key: null })).status).toBe(404);
});

test('GET /me needs a valid key only, and tells who it is', async () => {
	const reply = await ask(service, '/me', { key: service.world.keys.single['leads:read'] });
	expect(reply.status).toBe(200);
	expect(reply.data).toMatchObject({ user_id: service.world.own.id, scopes: ['leads:read'] });
	const agency = await ask(service, '/me', { key: service.world.keys.agencyTest });
	expect(agency.data.user_id).toBe(service.world.agency.id);
});

test('5.4 every route but the base answers 401 without a key, whatever else is wrong', async () => {
	for (const route of ROUTES.filter(({ scope }) => scope !== 'none')) {
		const reply = await ask(service, pathOf(route), { method: route.method, key: null });
		expect([route.id, reply.status]).toEqual([route.id, 401]);
		expect(reply.body.error?.code).toBe('unauthorized');
	}
});

test('5.4 unknown, malformed, revoked and inactive keys answer 401', async () => {
	const { unknown, revoked, inactive, own } = service.world.keys;
	for (const header of [
		`Bearer ${unknown}`,
		`Bearer ${revoked}`,
		`Bearer ${inactive}`,
		own,
		`Basic ${own}`,
		`Bearer  ${own}`,
		`Bearer ${own} more`,
		'Bearer sk_other_prefix',
		'Bearer ',
	]) {
		const reply = await ask(service, '/me', { key: null, headers: { authorization: header } });
		expect([header, reply.status]).toEqual([header, 401]);
	}
});

test('5.6 a key without the route’s scope answers 403, with it anything else', async () => {
	const { single, agencySingle } = service.world.keys;
	for (const route of ROUTES.filter(({ scope }) => scope !== 'none' && scope !== 'key')) {
		const keys = route.id.startsWith('clients.') ? agencySingle : single;
		for (const scope of SCOPES) {
			const question = { method: route.method, key: keys[scope] };
			const { status } = await ask(service, pathOf(route), question);
			const told = [route.id, scope, status === 403];
			expect(told).toEqual([route.id, scope, scope !== route.scope]);
		}
	}
});

test('5.7 an agency route needs scope and an active grant, in every row of the table', async () => {
	const { clientA, clientPaused, clientUngranted, stranger, keys } = service.world;
	for (const route of ROUTES.filter(({ agency }) => agency !== null)) {
		const status = async (client: string, key: string) => {
			const path = `/clients/${client}${pathOf(route)}`;
			return (await ask(service, path, { method: route.method, key })).status;
		};
		expect(await status(clientA.id, keys.agency)).not.toBe(403);
		expect(await status(clientA.id, keys.agencySingle['webhooks:write'])).toBe(403);
		expect(await status(clientPaused.id, keys.agency)).toBe(403);
		expect(await status(clientUngranted.id, keys.agency)).toBe(403);
		expect(await status(stranger.id, keys.agency)).toBe(403);
		expect(await status('nobody', keys.agency)).toBe(403);
		expect(await status(clientA.id, keys.own)).toBe(403);
		expect(await status(service.world.own.id, keys.own)).toBe(403);
	}
});

test('5.9 a grant’s status counts at once, its permissions never', async () => {
	const { agency, clientC, keys } = service.world;
	const posts = `/clients/${clientC.id}/activity`;
	expect(service.world.grantOf(agency, clientC)?.permissions).not.toContain('activity:read');
	expect((await ask(service, posts, { key: keys.agency })).status).toBe(200);
	service.world.revokeGrant(agency, clientC);
	expect((await ask(service, posts, { key: keys.agency })).status).toBe(403);
	service.world.setGrantStatus(agency, clientC, 'active');
	expect((await ask(service, posts, { key: keys.agency })).status).toBe(200);
});

test('5.7 a resource outside the subject is 403; one of a client by the direct path 404', async () => {
	const { stranger, clientA, clientB, clientUngranted, keys } = service.world;
	const status = async (path: string, key: string) => (await ask(service, path, { key })).status;
	const [foreign, theirs] = [stranger.posts.at(0)?.id, clientA.posts.at(0)?.id];
	expect(await status(`/posts/${foreign}`, keys.own)).toBe(403);
	expect(await status(`/posts/${theirs}`, keys.agency)).toBe(404);
	expect(await status(`/clients/${clientB.id}/posts/${theirs}`, keys.agency)).toBe(404);
	expect(await status(`/clients/${clientA.id}/posts/${theirs}`, keys.agency)).toBe(200);
	const hidden = clientUngranted.leadMagnets.at(0)?.id;
	expect(await status(`/clients/${clientA.id}/lead-magnets/${hidden}`, keys.agency)).toBe(403);
	service.settings.outsideSubjectStatus = 404;
	expect(await status(`/posts/${foreign}`, keys.own)).toBe(404);
	service.settings.outsideSubjectStatus = 403;
});

test('part 1: on direct paths an agency key sees the agency’s own account only', async () => {
	const { agency, keys } = service.world;
	const reply = await ask(service, '/leads?limit=100', { key: keys.agency });
	expect(reply.rows.map(({ id }) => id).sort()).toEqual(
		agency.leads
			.toArray()
			.map(({ id }) => id)
			.sort(),
	);
});

test('GET /clients lists the clients with an active grant, with the grant', async () => {
	const { clientA, clientB, clientC, keys } = service.world;
	const reply = await ask(service, '/clients', { key: keys.agency });
	const ids = reply.rows.map(({ user_id }) => user_id);
	expect(ids.sort()).toEqual([clientA.id, clientB.id, clientC.id].sort());
	expect(reply.rows[0]).toMatchObject({ account_status: 'active', grant: { status: 'active' } });
	const one = await ask(service, `/clients/${clientA.id}`, { key: keys.agency });
	expect(Object.keys(one.data)).toEqual([
		'user_id',
		'full_name',
		'business_name',
		'account_status',
		'grant',
	]);
	expect((await ask(service, '/clients')).status).toBe(403);
});

test('5.8 a valid X-Request-Id is echoed in body and header; others are made up', async () => {
	const headers = { 'x-request-id': 'Trace.1_2:3-4' };
	const reply = await ask(service, '/me', { headers });
	expect(reply.body.request_id).toBe('Trace.1_2:3-4');
	expect(reply.headers['x-request-id']).toBe('Trace.1_2:3-4');
	const plain = await ask(service, '/nowhere');
	expect(plain.body.request_id).toMatch(/^req_\w+$/);
	expect(plain.headers['x-request-id']).toBe(plain.body.request_id);
});

test('5.8 an invalid X-Request-Id is a bad request', async () => {
	for (const id of ['', 'a b', 'x'.repeat(129), 'ä', 'a/b']) {
		const reply = await ask(service, '', { key: null, headers: { 'x-request-id': id } });
		expect([id, reply.status]).toEqual([id, 400]);
		expect(reply.body.request_id).toMatch(/^req_/);
	}
});

test('part 1 rule 4: unsupported paths are not found, or not allowed if so set', async () => {
	const unsupported = ['accounts', 'users', 'lists', 'campaigns', 'organizations', 'team'];
	unsupported.push('workspaces', 'lead-magnet-posts', 'webhooks');
	for (const path of unsupported) {
		expect((await ask(service, `/${path}`)).body.error?.code).toBe('not_found');
		expect((await ask(service, `/${path}`, post({}))).status).toBe(404);
	}
	service.settings.unsupportedPaths = 'method_not_allowed';
	expect((await ask(service, '/webhooks')).body.error?.code).toBe('method_not_allowed');
	service.settings.unsupportedPaths = 'not_found';
	const outside = await request(new URL('/me', service.baseUrl));
	expect(outside.statusCode).toBe(404);
});

test('4.1 a documented path with another method is method_not_allowed', async () => {
	for (const route of ROUTES) {
		const reply = await ask(service, pathOf(route), { method: 'PUT' });
		expect([route.id, reply.status]).toEqual([route.id, 405]);
		expect(reply.body.error?.code).toBe('method_not_allowed');
	}
	service.settings.methodNotAllowedStatus = 404;
	expect((await ask(service, '/me', { method: 'DELETE' })).status).toBe(404);
	service.settings.methodNotAllowedStatus = 405;
});
