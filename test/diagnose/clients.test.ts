/** How many clients are looked at, in how many requests, and how they are named. */
import { startService } from '../../fake-service/index';
import { diagnosisOf, giveClients } from './scene';

it.each([
	[1, '1 client read', 28],
	[10, '10 clients read', 37],
	[40, '40 clients read', 67],
	[300, '40 of 300 clients read', 66],
	[800, '40 of more than 500 clients read', 68],
])('%i clients: %s', async (clients, seen, requests) => {
	const service = await startService({ isStrict: false });
	giveClients(service, clients);
	const { summary, needing, facts } = await diagnosisOf(service, service.world.keys.agency);
	expect(summary.seen).toContain(`; ${seen};`);
	expect(needing).toEqual([]);
	expect(service.requests).toHaveLength(facts.requests);
	expect(facts.requests).toBeLessThanOrEqual(requests + 2);
	expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
	await service.close();
});

it('needs at most 80 requests for 40 clients whose lists are long and wrong', async () => {
	const service = await startService({ isStrict: false });
	giveClients(service, 40);
	const { agency, keys } = service.world;
	service.world.seedLeads(agency, 150);
	service.world.seedActivity(agency, 150);
	for (let index = 0; index < 150; index += 1) {
		service.world.addPost(agency, { text: `Post ${index}`, status: 'published' });
		service.world.addLeadMagnet(agency, { keyword: `WORD ${index}` });
	}
	// Every page comes from its end, so that each list looks wrong.
	service.faults.add(
		{
			kind: 'change',
			change: ({ data, ...rest }) => ({ ...rest, data: Array.isArray(data) ? data.reverse() : [] }),
		},
		{ when: ({ query }) => query.limit === '2', count: Infinity },
	);
	const { summary, needing } = await diagnosisOf(service, keys.agency);
	expect(needing.map(({ check }) => check)).toContain('Complete lists');
	expect(summary.seen).toContain('40 clients read');
	expect(service.requests.length).toBeLessThanOrEqual(80);
	await service.close();
});

it('names three refused clients far down the list, and their IDs', async () => {
	const service = await startService({ isStrict: false });
	giveClients(service, 40);
	const { agency } = service.world;
	const refused = agency.grants
		.toArray()
		.map(({ client }) => service.world.account(client))
		.filter(({ fullName }) => ['Client 10', 'Client 20', 'Client 30'].includes(fullName));
	for (const { id } of refused)
		service.faults.add({ kind: 'error', status: 403 }, { clientId: id, count: Infinity });
	const { needing } = await diagnosisOf(service, service.world.keys.agency);
	await service.close();
	expect(needing.map(({ check, means }) => `${check}: ${means}`)).toEqual([
		expect.stringMatching(
			/^Clients: The service denies access to these clients: (Client \d0(, | and )?){3}\.$/,
		),
	]);
	const ids = (clients: ReadonlyArray<{ client_id: string }>) =>
		clients.map(({ client_id: id }) => id).sort();
	expect(ids(needing[0]?.clients ?? [])).toEqual(refused.map(({ id }) => id).sort());
});

it('names a client of whose lists only one is refused', async () => {
	const service = await startService({ isStrict: false });
	giveClients(service, 2);
	service.faults.add(
		{ kind: 'error', status: 403 },
		{ when: ({ path }) => /\/clients\/[^/]+\/leads$/.test(path), count: Infinity },
	);
	const { needing } = await diagnosisOf(service, service.world.keys.agency);
	await service.close();
	expect(needing.map(({ check }) => check)).toEqual(['Clients']);
});

it('looks at one client if its ID is given', async () => {
	const service = await startService();
	const { clientB, keys } = service.world;
	const { summary } = await diagnosisOf(service, keys.agency, { clientId: clientB.id });
	const asked = service.requests.flatMap(({ clientId }) => clientId ?? []);
	await service.close();
	expect([...new Set(asked)]).toEqual([clientB.id]);
	expect(summary.seen).toContain('; 1 client read;');
});

it('tries the next list of a client if no account shows the first one', async () => {
	const service = await startService({ isStrict: false });
	const { agency, clientA, keys } = service.world;
	// The key may read activity only, and the first client is closed.
	service.faults.add(
		{ kind: 'error', status: 403 },
		{ path: /posts|leads|magnets/, count: Infinity },
	);
	for (const { id } of [agency, clientA])
		service.faults.add({ kind: 'error', status: 403 }, { clientId: id, count: Infinity });
	service.faults.add({ kind: 'error', status: 403 }, { path: '/activity', count: Infinity });
	const { summary, needing } = await diagnosisOf(service, keys.agency);
	await service.close();
	expect(summary.means).toContain('2 of 3 clients, with activity');
	expect(needing.map(({ check }) => check)).toEqual(['Scopes', 'Clients']);
});

it.each([403, 404] as const)(
	'an agency that works only for clients learns that it cannot reach the chosen one (%i)',
	async (status) => {
		const service = await startService({ isStrict: false });
		const { agency, clientB, keys } = service.world;
		for (const { id } of [agency, clientB])
			service.faults.add({ kind: 'error', status }, { clientId: id, count: Infinity });
		service.faults.add(
			{ kind: 'error', status },
			{
				when: ({ path }) => /^\/(posts|leads|lead-magnets|activity)/.test(path),
				count: Infinity,
			},
		);
		const { needing } = await diagnosisOf(service, keys.agency, { clientId: clientB.id });
		await service.close();
		expect(needing.map(({ means }) => means)).toEqual([
			`The service does not show this client to the key: ${clientB.id}.`,
		]);
	},
);
