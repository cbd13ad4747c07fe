/** Keys, scopes, grants and paths, as parts 1, 4.1 and 5 of the document have them. */
import { request } from 'undici';

import { post } from '../../fake-service/asking';
import { ROUTES, SCOPES, type Route } from '../../fake-service/index';
import { conformance, each, refusal } from './conformance';

const kit = conformance();
const { ask, status } = kit;
const pathOf = (route: Route) =>
	route.direct
		.replace('{clientId}', kit.service.world.clientA.id)
		.replace('{workspaceId}', kit.service.world.own.workspaceId)
		.replace('{id}', 'c0ffee00-0000-4000-8000-000000000000');
const guarded = ROUTES.filter(({ scope }) => scope !== 'none');

test('4.1 the base answers without a key, and has one address', async () => {
	const reply = await ask('', { key: null });
	expect([reply.status, reply.data.version]).toEqual([200, 'v1']);
	expect(await status('/', { key: null })).toBe(404);
});

test('GET /me needs a valid key only, and tells who it is', async () => {
	const { own, agency, keys } = kit.service.world;
	const reply = await ask('/me', { key: keys.single['leads:read'] });
	expect(reply.status).toBe(200);
	expect(reply.data).toMatchObject({ user_id: own.id, scopes: ['leads:read'] });
	expect((await ask('/me', { key: keys.agencyTest })).data.user_id).toBe(agency.id);
});

test('5.4 every route but the base answers 401 without a key, whatever else is wrong', async () => {
	const asked = async (route: Route) =>
		refusal(await ask(pathOf(route), { method: route.method, key: null }));
	await each(guarded, asked, [401, 'unauthorized']);
});

test('5.4 unknown, malformed, revoked and inactive keys answer 401', async () => {
	const { unknown, revoked, inactive, own } = kit.service.world.keys;
	const bad = [unknown, revoked, inactive].map((key) => `Bearer ${key}`);
	const malformed = [own, `Basic ${own}`, `Bearer  ${own}`, `Bearer ${own} more`, 'Bearer '];
	const asked = async (authorization: string) =>
		await status('/me', { key: null, headers: { authorization } });
	await each([...bad, ...malformed, 'Bearer sk_other_prefix'], asked, 401);
});

test('5.6 a key without the route’s scope answers 403, with it anything else', async () => {
	const { single, agencySingle } = kit.service.world.keys;
	for (const route of guarded.filter(({ scope }) => scope !== 'key')) {
		const keys = route.id.startsWith('clients.') ? agencySingle : single;
		const isRefused = async (scope: (typeof SCOPES)[number]) =>
			(await status(pathOf(route), { method: route.method, key: keys[scope] })) === 403;
		const others = SCOPES.filter((scope) => scope !== route.scope);
		await each(others, isRefused, true);
		await each(
			SCOPES.filter((scope) => scope === route.scope),
			isRefused,
			false,
		);
	}
});

test('5.7 an agency route needs scope and an active grant, in every row of the table', async () => {
	const { own, clientA, clientPaused, clientUngranted, stranger, keys } = kit.service.world;
	for (const route of ROUTES.filter(({ agency }) => agency !== null)) {
		const asked = async ([client, key]: readonly [client: string, key: string]) =>
			await status(`/clients/${client}${pathOf(route)}`, { method: route.method, key });
		expect(await asked([clientA.id, keys.agency])).not.toBe(403);
		const unreached = [clientPaused.id, clientUngranted.id, stranger.id, 'nobody'];
		const wrongKeys = [keys.agencySingle['webhooks:write'], keys.own];
		await each(
			[
				...unreached.map((client) => [client, keys.agency] as const),
				...wrongKeys.map((key) => [clientA.id, key] as const),
				[own.id, keys.own],
			],
			asked,
			403,
		);
	}
});

test('5.9 a grant’s status counts at once, its permissions never', async () => {
	const { world } = kit.service;
	const { agency, clientC, keys } = world;
	const asked = async () => await status(`/clients/${clientC.id}/activity`, { key: keys.agency });
	expect(world.grantOf(agency, clientC)?.permissions).not.toContain('activity:read');
	expect(await asked()).toBe(200);
	world.revokeGrant(agency, clientC);
	expect(await asked()).toBe(403);
	world.setGrantStatus(agency, clientC, 'active');
	expect(await asked()).toBe(200);
});

test('5.7 a resource outside the subject is 403; one of a client by the direct path 404', async () => {
	const { stranger, clientA, clientB, clientUngranted, keys } = kit.service.world;
	const own = async (path: string) => await status(path, { key: keys.own });
	const agency = async (path: string) => await status(path, { key: keys.agency });
	const [foreign, theirs] = [stranger.posts.at(0)?.id, clientA.posts.at(0)?.id];
	expect(await own(`/posts/${foreign}`)).toBe(403);
	expect(await agency(`/posts/${theirs}`)).toBe(404);
	expect(await agency(`/clients/${clientB.id}/posts/${theirs}`)).toBe(404);
	expect(await agency(`/clients/${clientA.id}/posts/${theirs}`)).toBe(200);
	const hidden = clientUngranted.leadMagnets.at(0)?.id;
	expect(await agency(`/clients/${clientA.id}/lead-magnets/${hidden}`)).toBe(403);
	kit.service.settings.outsideSubjectStatus = 404;
	expect(await own(`/posts/${foreign}`)).toBe(404);
	kit.service.settings.outsideSubjectStatus = 403;
});

test('part 1: on direct paths an agency key sees the agency’s own account only', async () => {
	const { agency, keys } = kit.service.world;
	const { rows } = await ask('/leads?limit=100', { key: keys.agency });
	const own = agency.leads.toArray().map(({ id }) => id);
	expect(rows.map(({ id }) => id).sort()).toEqual(own.sort());
});

test('GET /clients lists the clients with an active grant, with the grant', async () => {
	const { clientA, clientB, clientC, keys } = kit.service.world;
	const reply = await ask('/clients', { key: keys.agency });
	const ids = reply.rows.map(({ user_id }) => user_id);
	expect(ids.sort()).toEqual([clientA.id, clientB.id, clientC.id].sort());
	expect(reply.rows[0]).toMatchObject({ account_status: 'active', grant: { status: 'active' } });
	const one = await ask(`/clients/${clientA.id}`, { key: keys.agency });
	expect(Object.keys(one.data)).toEqual([
		...['user_id', 'full_name', 'business_name', 'account_status', 'grant'],
	]);
	expect(await status('/clients')).toBe(403);
});

test('5.8 a valid X-Request-Id is echoed in body and header; others are made up', async () => {
	const idsOf = async (path: string, given?: string) => {
		const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
		const reply = await ask(path, { headers });
		return [reply.body.request_id, reply.headers['x-request-id']];
	};
	expect(await idsOf('/me', 'Trace.1_2:3-4')).toEqual(['Trace.1_2:3-4', 'Trace.1_2:3-4']);
	const [inBody, inHeader] = await idsOf('/nowhere');
	expect(inBody).toMatch(/^req_\w+$/);
	expect(inHeader).toBe(inBody);
	for (const id of ['', 'a b', 'x'.repeat(129), 'ä', 'a/b']) {
		const reply = await ask('', { key: null, headers: { 'x-request-id': id } });
		expect([id, reply.status]).toEqual([id, 400]);
		expect(reply.body.request_id).toMatch(/^req_/);
	}
});

test('part 1 rule 4: unsupported paths are not found, or not allowed if so set', async () => {
	const unsupported =
		'accounts users lists campaigns organizations team workspaces lead-magnet-posts webhooks';
	for (const question of [{}, post({})])
		await each(unsupported.split(' '), async (path) => refusal(await ask(`/${path}`, question)), [
			404,
			'not_found',
		]);
	kit.service.settings.unsupportedPaths = 'method_not_allowed';
	expect((await ask('/webhooks')).body.error?.code).toBe('method_not_allowed');
	kit.service.settings.unsupportedPaths = 'not_found';
	expect((await request(new URL('/me', kit.service.baseUrl))).statusCode).toBe(404);
});

test('4.1 a documented path with another method is method_not_allowed', async () => {
	const asked = async (route: Route) => refusal(await ask(pathOf(route), { method: 'PUT' }));
	await each(ROUTES, asked, [405, 'method_not_allowed']);
	kit.service.settings.methodNotAllowedStatus = 404;
	expect(await status('/me', { method: 'DELETE' })).toBe(404);
	kit.service.settings.methodNotAllowedStatus = 405;
});
