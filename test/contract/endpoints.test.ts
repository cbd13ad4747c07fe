/**
 * Each operation reaches its endpoint, on n8n's engine, as the document says: method, path and
 * scope. `sent.test.ts` has what the operations send for clients.
 */
import { endpointNames, ENDPOINTS } from '../../nodes/LeadGenPublishing/api/endpoints';
import { prepare } from './everyOperation';
import { setUpKit } from '../support/kit/index';

const kit = setUpKit();

it.each(endpointNames)('%s arrives once, and gives paired items', async (name) => {
	const { parameters, items, path } = await prepare(kit.service, name);
	kit.service.clearLog();
	const results = await kit.items(parameters, { items });
	const { method } = ENDPOINTS[name];
	const arrived = kit.service.requests.filter((one) => one.method === method && one.path === path);
	expect(arrived.map(({ status }) => Number(status) < 300)).toEqual([true]);
	expect(results.length).toBeGreaterThan(0);
	expect(results.filter(({ pairedItem }) => JSON.stringify(pairedItem) !== '{"item":0}')).toEqual(
		[],
	);
});

it.each(endpointNames.filter((name) => ENDPOINTS[name].scope.includes(':')))(
	'%s needs exactly the scope of the table',
	async (name) => {
		const { single, agencySingle } = kit.service.world.keys;
		const keys = name.startsWith('client.') ? agencySingle : single;
		const other = ENDPOINTS[name].scope === 'posts:read' ? 'leads:read' : 'posts:read';
		const { parameters, items } = await prepare(kit.service, name);
		const credentials = { baseUrl: kit.service.baseUrl, apiKey: keys[other] };
		const failure = await kit.failure(parameters, { items, credentials });
		expect(failure.details).toMatchObject({ http_status: 403, code: 'forbidden' });
		if (failure.error.includes('lacks the scope'))
			expect(failure.message).toMatch(/The key needs the scope [a-z_]+:(read|write) /);
		expect(kit.service.requests.at(-1)?.status).toBe(403);
	},
);
