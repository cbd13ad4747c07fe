/**
 * What every read promises, from the table: fields untouched, all pages, and no ID that is none.
 * An operation that does nothing else needs no test of its own.
 */
import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import type { Json, JsonObject } from '../../fake-service/index';
import { isList, prepare } from './everyOperation';
import { byId, type Parameters, setUpKit } from '../support/kit/index';

const kit = setUpKit();
afterEach(() => void (kit.service.settings.limitCap = null));

const reads = endpointNames.filter((name) => ENDPOINTS[name].method === 'GET');
const lists = reads.filter(isList);
const isLocator = (value: unknown) =>
	typeof value === 'object' && value !== null && '__rl' in value;

const withId = async (name: (typeof reads)[number], id: string): Promise<Parameters> => {
	const { parameters } = await prepare(kit.service, name);
	const entries = Object.entries(parameters);
	return Object.fromEntries(
		entries.map(([key, value]) => [key, isLocator(value) ? byId(id) : value]),
	);
};

it.each(reads)(
	'%s passes on every field as it is, also those that nobody knew of',
	async (name) => {
		let shown: Json[] = [];
		const extended = (record: Json): JsonObject => ({
			...(record as JsonObject),
			brand_new: { a: [1, null, ''], b: null },
		});
		kit.service.faults.add({
			kind: 'change',
			change: ({ data, ...envelope }) => {
				shown = [data ?? null].flat().map(extended);
				return { ...envelope, data: Array.isArray(data) ? shown : (shown[0] ?? null) };
			},
		});
		const { parameters } = await prepare(kit.service, name);
		const records = await kit.records({
			...parameters,
			// Operations without it do not know it.
			simplify: false,
		});
		expect(shown.length).toBeGreaterThan(0);
		expect(records).toEqual(shown);
	},
);

it.each(lists)('%s reads all pages, however small the service makes them', async (name) => {
	const { parameters } = await prepare(kit.service, name);
	const all = { ...parameters, returnAll: true };
	const atOnce = await kit.records(all);
	expect(atOnce.length).toBeGreaterThan(2);
	kit.service.clearLog();
	kit.service.settings.limitCap = 2;
	expect(await kit.records(all)).toEqual(atOnce);
	expect(kit.service.requests.length).toBeGreaterThan(1);
});

const withIds = reads.filter((name) => ENDPOINTS[name].path.includes('{'));

it.each(withIds)('%s sends no ID that is none', async (name) => {
	const parameters = await withId(name, '../me');
	kit.service.clearLog();
	const { error, details } = await kit.failure(parameters);
	expect(error).toContain('is not an ID');
	expect(details).toMatchObject({ code: 'invalid_input' });
	expect(kit.service.requests).toEqual([]);
});

it.each(withIds)('%s says that a record is not there', async (name) => {
	const parameters = await withId(name, '00000000-0000-4000-8000-000000000000');
	const { details } = await kit.failure(parameters);
	expect([403, 404]).toContain(details.http_status);
	expect(kit.service.requests).toHaveLength(1);
});
