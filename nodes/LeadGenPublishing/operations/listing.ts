/** Get Many, once for every resource that has a list. */
import type { INodeProperties } from 'n8n-workflow';

import type { EndpointName } from '../api/endpoints';
import type { JsonRecord } from '../api/schemas';
import { pagingFields, readWanted } from '../fields/paging';
import { customFields, maxWaitOption, optionsField, simplifyField } from '../fields/shared';
import { withCustomFields, type Values } from '../fields/values';
import { defineOperation, type Operation } from './define';

/** The walk sets these itself; a page of its own would break the walk. */
const OWN_PARAMETERS = ['limit', 'offset', 'page', 'page_size', 'cursor'];

export function listing({
	endpoint,
	action,
	description,
	filters = [],
	query = () => ({}),
	simplify,
	hint,
}: {
	endpoint: EndpointName;
	action: string;
	description: string;
	filters?: readonly INodeProperties[];
	query?: (filters: Values) => JsonRecord;
	simplify?: { what: string; record: (record: JsonRecord) => JsonRecord };
	/** A sentence for the user about what was read. */
	hint?: (records: readonly JsonRecord[]) => string | undefined;
}): Operation {
	return defineOperation({
		value: 'getAll',
		name: 'Get Many',
		action,
		description,
		kind: 'read',
		endpoints: [endpoint],
		fields: [
			...pagingFields,
			...(filters.length === 0 ? [] : [filtersField(filters)]),
			...(simplify === undefined ? [] : [simplifyField(simplify.what)]),
			customFields('query'),
			optionsField([maxWaitOption]),
		],
		run: async ({ api, input, notice }) => {
			const custom = input.optionalObject('customFields');
			const taken = Object.keys(custom ?? {}).find((name) => OWN_PARAMETERS.includes(name));
			if (taken !== undefined) {
				throw input.fail(
					'customFields',
					`may not set "${taken}"`,
					'Use "Return All" and "Limit": the node reads the pages itself.',
				);
			}
			const sent = withCustomFields(query(input.collection('filters')), custom);
			const walk = await api.list(endpoint, { query: sent, wanted: readWanted(input) });
			if (walk.notice !== undefined) notice(walk.notice);
			const text = hint?.(walk.records);
			if (text !== undefined) notice(text);
			return simplify !== undefined && input.flag('simplify')
				? walk.records.map(simplify.record)
				: walk.records;
		},
	});
}

const filtersField = (filters: readonly INodeProperties[]): INodeProperties => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [...filters],
});
