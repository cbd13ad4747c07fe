// What a diagnosis has seen, as shapes alone: the fake service can answer in them.

import type { Fields, Shapes } from '../../fake-service/shapes';
import type { EndpointName } from '../../nodes/LeadGenPublishing/api/endpoints';
import { isRecord, type JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	DOCUMENTED_WORDS,
	PROFILE_URL,
	profileUrlField,
} from '../../nodes/LeadGenPublishing/api/wire';
import type { Asked, Facts, ListName } from '../../nodes/LeadGenPublishing/diagnose/facts';
import { typeOf } from '../../nodes/LeadGenPublishing/diagnose/judge/documented';
import { Evidence } from '../../nodes/LeadGenPublishing/diagnose/judge/evidence';
import { orderOf } from '../../nodes/LeadGenPublishing/diagnose/judge/times';
import { EVERY_LIST } from '../../nodes/LeadGenPublishing/diagnose/judge/words';
import { pageOf, recordOf, recordsOf } from '../../nodes/LeadGenPublishing/diagnose/records';

const ONE_BY_ONE: readonly EndpointName[] = ['client.get', 'post.get', 'leadMagnet.get'];
const ORDERS = {
	'newest first': 'newest',
	'oldest first': 'oldest',
	'not sorted': 'uuid',
} as const;
const LARGEST = 100;

const sizeOf = (asked: readonly Asked[]): number | null =>
	asked.map((one) => pageOf(one)?.pagination.limit).find((limit) => limit !== undefined) ?? null;

export function shapesOf(facts: Facts): Shapes {
	const evidence = new Evidence(facts);
	const largest = evidence.with('reading').filter(({ query }) => query?.limit === LARGEST);
	const shapes: Shapes = {
		version: 1,
		fields: {},
		orders: {},
		largestPage: sizeOf(largest),
		defaultPage: sizeOf(evidence.with('byDefault')),
	};
	const { networkWord } = facts.connection;
	for (const list of EVERY_LIST) {
		const records = evidence.listed(list);
		if (records.length > 0) shapes.fields[list] = fieldsOf(records, networkWord);
		const order = orderIn(evidence, list);
		if (order !== undefined) shapes.orders[list] = order;
	}
	for (const name of ONE_BY_ONE) {
		const records = evidence
			.of(name)
			.map(recordOf)
			.filter((record) => record !== undefined);
		if (records.length > 0) shapes.fields[name] = fieldsOf(records, networkWord);
	}
	return shapes;
}

function orderIn(evidence: Evidence, list: ListName): Shapes['orders'][string] | undefined {
	const asked = evidence.probed(list);
	const found = asked && orderOf(recordsOf(asked));
	return found && ORDERS[found.order];
}

/** Every field with its types; of an object, those of its fields too. */
function fieldsOf(records: readonly JsonRecord[], word: string | undefined, depth = 0): Fields {
	const fields: Fields = {};
	for (const record of records) {
		const profile = depth === 0 ? profileUrlField(record, word) : undefined;
		for (const [name, value] of Object.entries(record)) {
			const neutral = name === profile ? `${DOCUMENTED_WORDS.network}_${PROFILE_URL}` : name;
			const types = (fields[neutral] ??= { types: [] }).types;
			const type = typeOf(value);
			if (!types.includes(type)) types.push(type);
		}
	}
	for (const [name, field] of Object.entries(fields)) {
		field.types.sort();
		const inner = records.map((record) => record[name]).filter(isRecord);
		if (depth === 0 && inner.length > 0) field.fields = fieldsOf(inner, word, 1);
	}
	return fields;
}
