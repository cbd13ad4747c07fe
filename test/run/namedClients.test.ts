/** "Client" set to By Name: the list of clients is read once per run, and each item finds its own. */
import type { IDataObject } from 'n8n-workflow';

import { setUpKit, type Parameters } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });

const create = (client: string, more: Parameters = {}): Parameters => ({
	...kit.as('client', { operation: 'create', text: '={{ $json.text }}', status: 'draft' }),
	clientId: { __rl: true, mode: 'name', value: client },
	...more,
});
const rows = (...clients: unknown[]) => ({
	items: clients.map((client, index) => ({
		json: { client, text: `Text ${index}` } as IDataObject,
	})),
	onError: 'continueErrorOutput' as const,
});
const readsOfClients = () => kit.sent().filter((one) => /\/clients\?/.test(one));

it('sends each row for the client with its name, and reads the clients once', async () => {
	const { clientA, clientB } = kit.service.world;
	const names = [clientA.fullName, clientB.fullName.toUpperCase(), ` ${clientA.fullName} `];
	const run = await kit.run(create('={{ $json.client }}'), rows(...names));
	const ids = (run.outputs[0] ?? []).map(({ json }) => json.client_id);
	expect(ids).toEqual([clientA.id, clientB.id, clientA.id]);
	expect(readsOfClients()).toHaveLength(1);
});

it('fails only the rows whose name is empty or unknown, and names Get Many', async () => {
	const { clientA } = kit.service.world;
	const run = await kit.run(
		create('={{ $json.client }}'),
		rows('', clientA.fullName, 'Nobody', undefined),
	);
	expect(run.outputs[0]).toHaveLength(1);
	expect((run.outputs[1] ?? []).map(({ json }) => json.error)).toEqual([
		expect.stringContaining('"Client" is empty'),
		expect.stringContaining('"Client" is not the name of a client'),
		expect.stringContaining('"Client" is empty'),
	]);
	expect(run.outputs[1]?.[1]?.json.message).toContain('Client > Get Many');
	expect(kit.writes()).toHaveLength(1);
});

it('does not read clients for the own account, whatever "Client" still has', async () => {
	const { name } = { name: kit.service.world.clientA.fullName };
	await kit.run(create(name, { actAs: 'own' }), rows('x'));
	expect(readsOfClients()).toEqual([]);
});

it('fails every row if the clients cannot be read, and sends nothing', async () => {
	kit.service.faults.status(403, { method: 'GET', path: '/clients' });
	const run = await kit.run(create('={{ $json.client }}'), rows('Ada', 'Bob'));
	expect(run.outputs[1]).toHaveLength(2);
	expect(kit.writes()).toEqual([]);
});
