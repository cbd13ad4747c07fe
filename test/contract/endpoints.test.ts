/**
 * Every endpoint and every agency variant is really reached by its operation, on n8n's engine,
 * and by what the document says: method, path, and the scope that it takes to get there.
 */
import {
	endpointNames,
	ENDPOINTS,
	type EndpointName,
} from '../../nodes/LeadGenPublishing/api/endpoints';
import { prepare } from './everyOperation';
import { setUpKit } from '../support/kit/index';

const kit = setUpKit();

const ALL = endpointNames.map((name) => [name, ENDPOINTS[name].method] as const);
const AGENCY = ALL.filter(([name]) => ENDPOINTS[name].agency);

const reach = async (name: EndpointName, method: string, agency: boolean) => {
	const { parameters, items, path } = await prepare(kit.service, name, { agency });
	kit.service.clearLog();
	const results = await kit.items(parameters, { items });
	const arrived = kit.service.requests.filter((one) => one.method === method && one.path === path);
	expect(arrived).toHaveLength(1);
	expect(arrived[0]?.status).toBeLessThan(300);
	expect(results.length).toBeGreaterThan(0);
	expect(results.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
	return kit.service.requests;
};

it.each(ALL)('[%s] arrives as %s, and gives paired items', async (name, method) => {
	await reach(name, method, false);
});

it.each(AGENCY)(
	'[%s agency] arrives as %s below the client, and only there',
	async (name, method) => {
		const requests = await reach(name, method, true);
		const { clientA } = kit.service.world;
		expect(requests.every(({ path }) => path.startsWith(`/clients/${clientA.id}/`))).toBe(true);
	},
);

it.each(ALL.filter(([name]) => ENDPOINTS[name].scope.includes(':')))(
	'[code forbidden] %s needs exactly the scope of the table',
	async (name) => {
		const { single, agencySingle } = kit.service.world.keys;
		const { scope } = ENDPOINTS[name];
		const keys = name.startsWith('client.') ? agencySingle : single;
		const other = scope === 'posts:read' ? 'leads:read' : 'posts:read';
		const { parameters, items } = await prepare(kit.service, name);
		const { baseUrl } = kit.service;
		const failure = await kit.failure(parameters, {
			items,
			credentials: { baseUrl, apiKey: keys[other] },
		});
		expect(failure.details).toMatchObject({ http_status: 403, code: 'forbidden' });
		if (failure.error.includes('lacks the scope'))
			expect(failure.message).toMatch(/The key needs the scope [a-z_]+:(read|write) /);
		const last = kit.service.requests.at(-1);
		expect(last?.status).toBe(403);
	},
);
