import { byId, setUpKit, subjectOf } from '../support/kit/index';
import { listSearch } from '../support/engine';

const kit = setUpKit({ listInactiveGrants: true });

const search = async (method: string, more: Record<string, unknown> = {}) => {
	const { keys } = kit.service.world;
	return await listSearch({
		...subjectOf({
			baseUrl: kit.service.baseUrl,
			apiKey: more.own === true ? keys.own : keys.agency,
		}),
		parameters: { resource: 'post', operation: 'get', actAs: 'own' },
		method,
		...more,
	});
};

describe('clients', () => {
	it('come with person and business, active grants first', async () => {
		const { results } = await search('searchClients');
		expect(results.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['Ada Marlowe · Ada Marlowe Ltd']),
		);
		expect(results).toHaveLength(4);
		expect(results.at(-1)?.name).toBe(
			'Pia Pausen · Pia Pausen Ltd (not accessible: no active grant)',
		);
		expect(results.find(({ name }) => name.startsWith('Ada'))?.value).toBe(
			kit.service.world.clientA.id,
		);
	});

	it('are found by a part of either name', async () => {
		const { results } = await search('searchClients', { filter: 'MARLOWE LTD' });
		expect(results.map(({ name }) => name.split(' · ')[0])).toEqual(['Ada Marlowe']);
	});

	it('are found by their ID', async () => {
		const { clientC } = kit.service.world;
		const { results } = await search('searchClients', { filter: clientC.id });
		expect(results.map(({ value }) => value)).toEqual([clientC.id]);
	});

	it('tell a plain key why there are none', async () => {
		await expect(search('searchClients', { own: true })).rejects.toThrow(
			/may not do this: Client routes need an agency key.*scope clients:read.*Only agency keys/,
		);
	});
});

describe('posts and lead magnets', () => {
	it.each([
		['searchPosts', 'posts'],
		['searchLeadMagnets', 'lead-magnets'],
	])('%s looks where "Act As" points to', async (method, path) => {
		const { clientA } = kit.service.world;
		await search(method, { parameters: { actAs: 'client', clientId: byId(clientA.id) } });
		expect(kit.sent()[0]).toBe(`GET /clients/${clientA.id}/${path}?limit=100&offset=0`);
	});

	it('ask for the client first, and send nothing until there is one', async () => {
		const parameters = { actAs: 'client', clientId: byId('') };
		await expect(search('searchPosts', { parameters })).rejects.toThrow(
			'No client is chosen yet. Choose "Client" first',
		);
		expect(kit.service.requests).toEqual([]);
	});

	it.each([null, '', ' ', 'team', '={{ $json.who }}'])(
		'do not fall to the own account when "Act As" is %p beside a client',
		async (actAs) => {
			const { clientA } = kit.service.world;
			const parameters = { actAs, clientId: byId(clientA.id) };
			await expect(search('searchPosts', { parameters })).rejects.toThrow('"Act As" gives neither');
			expect(kit.service.requests).toEqual([]);
		},
	);

	it('ends when the service promises more but sends nothing', async () => {
		kit.service.faults.add({ kind: 'emptyPage' }, { count: Infinity });
		expect(await search('searchPosts', { own: true })).toEqual({ results: [] });
		expect(kit.service.requests).toHaveLength(12);
	});

	it('goes on behind a page that is empty', async () => {
		kit.service.faults.add({ kind: 'emptyPage' });
		for (let post = 0; post < 120; post += 1) kit.service.world.addPost(kit.account('own'));
		const { results } = await search('searchPosts', { own: true });
		expect(results.length).toBeGreaterThan(10);
	});
});
