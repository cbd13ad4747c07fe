/**
 * With Act As: Client, every item says whose it is. Covers all operations that can act for a
 * client, on n8n's engine against the fake service.
 */
import { findOperation, isAgency } from '../../nodes/LeadGenPublishing/operations/index';
import type { JsonObject } from '../../fake-service/types';
import { prepare, type OperationName } from './everyOperation';
import { operations } from './forms';
import { byId, setUpKit } from '../support/kit/index';

const kit = setUpKit();

const forClients = operations.filter(({ operation }) => isAgency(operation));
const namesOf = (those: typeof operations) => those.map(({ name }) => name as OperationName);
const names = namesOf(forClients);
const lists = namesOf(
	forClients.filter(({ operation }) => operation.fields.some(({ name }) => name === 'simplify')),
);
const plain = names.filter((name) => !lists.includes(name));
/** Operations with flat items: simplified records, and the user's own items. */
const flat = [...lists, 'schedule.nextFreeSlot'];

const run = async (
	name: OperationName,
	{ agency = true, ...more }: Record<string, unknown> = {},
) => {
	const { parameters, items } = await prepare(kit.service, name, { agency: agency === true });
	return await kit.records({ ...parameters, ...more }, { items });
};

/** Adds fields to every record that the service responds with. */
const answerWith = (fields: JsonObject) =>
	kit.service.faults.add(
		{
			kind: 'change',
			change: (envelope) => ({
				...envelope,
				data: Array.isArray(envelope.data)
					? envelope.data.map((record) => ({ ...(record as JsonObject), ...fields }))
					: { ...(envelope.data as JsonObject), ...fields },
			}),
		},
		{ count: Infinity, path: /^\/clients\/[^/]+\/./ },
	);

const hasFewFields = (name: string): boolean => {
	const [resource, operation] = name.split('.');
	return findOperation(resource, operation).simplification?.fields !== undefined;
};

const clientId = () => kit.service.world.clientA.id;

// The pages and the hint for programs say so. Once n8n keeps such a client, it can be an error.
it('n8n drops a client that is given without Act As', async () => {
	await kit.records({ resource: 'post', operation: 'getAll', clientId: byId(clientId()) });
	expect(kit.sent()).toEqual([expect.stringMatching(/^GET [/]posts[?]/)]);
});

it.each(names)('%s names the client in every item, and only for a client', async (name) => {
	const records = await run(name);
	expect(records.length).toBeGreaterThan(0);
	const isFlat = flat.includes(name);
	for (const record of records) {
		expect(isFlat ? record.client_id : record.client).toEqual(
			isFlat ? clientId() : { user_id: clientId() },
		);
		expect('client' in record).not.toBe('client_id' in record);
		// After the fields of the record: its ID stays in its place.
		expect(Object.keys(record).at(-1)).toBe(isFlat ? 'client_id' : 'client');
	}
	for (const record of await run(name, { agency: false }))
		expect(Object.keys(record).filter((one) => /^client(_id)?$/.test(one))).toEqual([]);
	if (!lists.includes(name)) return;
	for (const record of await run(name, { simplify: false })) {
		expect(record).toMatchObject({ client: { user_id: clientId() } });
		expect(record).not.toHaveProperty('client_id');
	}
});

it.each(lists)('%s leaves fields of the record as they are', async (name) => {
	const theirs = { client_id: 'theirs', n8n_client_id: 'too', client_name: 'Someone' };
	answerWith(theirs);
	for (const record of await run(name)) {
		// Some records are reduced to a few fields, none of which has such a name.
		expect(record).toMatchObject(
			hasFewFields(name) ? { client_id: clientId() } : { ...theirs, n8n_client_id_2: clientId() },
		);
	}
	kit.service.faults.clear();
	answerWith({ client: 'theirs' });
	for (const record of await run(name, { simplify: false })) {
		expect(record).toMatchObject({ client: 'theirs', n8n_client: { user_id: clientId() } });
	}
});

it.each(plain.filter((name) => !/delete|archive|upload$|nextFreeSlot/.test(name)))(
	'%s leaves a client that the record names as it is',
	async (name) => {
		answerWith({ client: { name: 'theirs' } });
		for (const record of await run(name)) {
			expect(record).toMatchObject({
				client: { name: 'theirs' },
				n8n_client: { user_id: clientId() },
			});
		}
	},
);

describe('an item on the error output', () => {
	it.each(names)('%s names the client in its details', async (name) => {
		kit.service.faults.status(409, { count: Infinity });
		const { parameters, items } = await prepare(kit.service, name, { agency: true });
		const { details } = await kit.failure(parameters, { items });
		expect(details.client_id).toBe(clientId());
	});

	it('is also named if nothing was sent', async () => {
		const { details } = await kit.failure({
			...{ resource: 'post', operation: 'create', text: '={{ "" }}' },
			...kit.as('client'),
		});
		expect(details).toMatchObject({ code: 'invalid_input', client_id: clientId() });
		expect(kit.service.requests).toEqual([]);
	});

	it('does not guess one that was not given', async () => {
		const { details } = await kit.failure({
			...{ resource: 'post', operation: 'getAll', actAs: 'client' },
			clientId: { __rl: true, mode: 'id', value: 'no ID' },
		});
		expect(details).not.toHaveProperty('client_id');
	});
});
