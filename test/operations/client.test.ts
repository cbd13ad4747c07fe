import { byId, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const get = (id: string) => ({ resource: 'client', operation: 'get', clientId: byId(id) });

it('[client.get] gives the client with its grant', async () => {
	const { clientA } = kit.service.world;
	const [client] = await kit.items(get(clientA.id));
	expect(client?.json).toMatchObject({
		user_id: clientA.id,
		full_name: clientA.fullName,
		grant: { status: 'active', permissions: expect.any(Array) as unknown },
	});
	expect(client?.pairedItem).toEqual({ item: 0 });
	expect(kit.sent()).toEqual([`GET /clients/${clientA.id}`]);
});

it('[client.get] [code forbidden] names scope and grant where there is none', async () => {
	const failure = await kit.failure(get(kit.service.world.clientUngranted.id));
	expect(failure.error).toContain('No active grant for this client');
	expect(failure.message).toContain('needs the scope clients:read');
	expect(failure.message).toContain('active grant');
	expect(failure.details).toMatchObject({ http_status: 403, code: 'forbidden' });
});

it('[client.getAll] gives one item for each client', async () => {
	const clients = await kit.items({ resource: 'client', operation: 'getAll', returnAll: true });
	const { clientA, clientB, clientC } = kit.service.world;
	expect(clients.map(({ json }) => json.user_id).sort()).toEqual(
		[clientA.id, clientB.id, clientC.id].sort(),
	);
	expect(clients.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
	expect(kit.sent()).toEqual(['GET /clients?limit=100&offset=0']);
});

it('[client.getAll] [code forbidden] says that only agency keys can', async () => {
	const failure = await kit.failure(
		{ resource: 'client', operation: 'getAll' },
		{ credentials: { baseUrl: kit.service.baseUrl, apiKey: kit.service.world.keys.own } },
	);
	expect(failure.message).toContain('Only agency keys can list clients.');
});
