import { setUpKit } from '../support/kit/index';

const kit = setUpKit();

it('Get API Info answers without a key', async () => {
	const [info] = await kit.items({ resource: 'account', operation: 'getApiInfo' });
	expect(info).toMatchObject({ json: { version: 'v1' }, pairedItem: { item: 0 } });
	expect(kit.sent()).toEqual(['GET ']);
	expect(kit.service.requests[0]?.headers.authorization).toBeUndefined();
	expect(JSON.stringify(kit.service.requests)).not.toContain(kit.service.world.keys.own);
});

it('Get API Info takes an answer without an envelope as it is', async () => {
	kit.service.faults.add({ kind: 'raw', status: 200, body: '{"name":"API","v":1}' });
	const [info] = await kit.records({ resource: 'account', operation: 'getApiInfo' });
	expect(info).toEqual({ name: 'API', v: 1 });
});
