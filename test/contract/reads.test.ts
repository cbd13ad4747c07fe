/**
 * What every read promises: unchanged fields, and all pages. An operation that does nothing else
 * needs no test of its own.
 */
import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import type { Json, JsonObject } from '../../fake-service/index';
import { isList, prepare } from './everyOperation';
import { setUpKit } from '../support/kit/index';

const kit = setUpKit();
afterEach(() => void (kit.service.settings.limitCap = null));

const reads = endpointNames.filter((name) => ENDPOINTS[name].method === 'GET');
const lists = reads.filter(isList);

it.each(reads)('%s passes on every field unchanged, including unknown ones', async (name) => {
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
		// Operations without this option do not know it.
		simplify: false,
	});
	expect(shown.length).toBeGreaterThan(0);
	expect(records).toEqual(shown);
});

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
