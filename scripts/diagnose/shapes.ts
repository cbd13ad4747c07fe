// What a diagnosis has seen, as shapes alone: the fake service can answer in them.

import type { EndpointName } from '../../nodes/LeadGenPublishing/api/endpoints';
import {
	isRecord,
	type JsonRecord,
	type ListEnvelope,
} from '../../nodes/LeadGenPublishing/api/schemas';
import {
	DOCUMENTED_WORDS,
	PROFILE_URL,
	profileUrlField,
} from '../../nodes/LeadGenPublishing/api/wire';
import {
	defaultPages,
	largestPages,
	orderOf,
} from '../../nodes/LeadGenPublishing/operations/account/diagnose/checks/lists';
import {
	LISTS,
	typeOf,
} from '../../nodes/LeadGenPublishing/operations/account/diagnose/documented';
import {
	recordOf,
	type Evidence,
} from '../../nodes/LeadGenPublishing/operations/account/diagnose/evidence';
import type { Fields, Shapes } from '../../fake-service/shapes';

const ONE_BY_ONE: readonly EndpointName[] = ['client.get', 'post.get', 'leadMagnet.get'];
const ORDERS = {
	'newest first': 'newest',
	'oldest first': 'oldest',
	'not sorted': 'uuid',
} as const;

const sizeOf = ([page]: readonly ListEnvelope[]): number | null => page?.pagination.limit ?? null;

export function shapesOf(evidence: Evidence): Shapes {
	const shapes: Shapes = {
		...{ version: 1, fields: {}, orders: {} },
		largestPage: sizeOf(largestPages(evidence)),
		defaultPage: sizeOf(defaultPages(evidence)),
	};
	const { networkWord } = evidence.connection;
	for (const list of LISTS) {
		const records = evidence.listed(list);
		if (records.length > 0) shapes.fields[list] = fieldsOf(records, networkWord);
		const ordered = orderOf(evidence, list);
		if (typeof ordered === 'object') shapes.orders[list] = ORDERS[ordered.order];
	}
	for (const name of ONE_BY_ONE) {
		const records = evidence.of(name).flatMap(recordOf);
		if (records.length > 0) shapes.fields[name] = fieldsOf(records, networkWord);
	}
	return shapes;
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
