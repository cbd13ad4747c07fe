/** Get Many, once for every list: of a whole resource, or of what stands below a record. */
import type { INodeProperties } from 'n8n-workflow';

import { endpoint as endpointOf, type EndpointName } from '../api/endpoints';
import { MAX_PAGE } from '../api/pages';
import type { JsonRecord } from '../api/schemas';
import { pagingFields, readWanted } from '../fields/paging';
import {
	customFields,
	maxWaitOption,
	optionsField,
	readSimplify,
	simplifyField,
} from '../fields/shared';
import { readCustomFields, withCustomFields } from '../fields/customFields';
import type { Values } from '../fields/values';
import { defineOperation, type Operation } from './define';
import type { Counts } from './notices';

/** The walk sets these itself; a place of the user's own would break the walk. */
const OWN_PARAMETERS = ['offset', 'page', 'page_size', 'cursor'];

interface HintedList {
	readonly filters: Values;
	readonly simplified: boolean;
	readonly networkWord?: string;
}

export function listing({
	endpoint,
	what,
	name = 'Get Many',
	action = `Get many ${what}`,
	description,
	below,
	filters = [],
	query = () => ({}),
	simplify,
	hint,
}: {
	endpoint: EndpointName;
	/** The records, in the plural. */
	what: string;
	name?: string;
	action?: string;
	description: string;
	/** The locator of the record whose list it is. */
	below?: INodeProperties;
	filters?: readonly INodeProperties[];
	query?: (filters: Values) => JsonRecord;
	simplify?: {
		what: string;
		record: (record: JsonRecord, networkWord?: string) => JsonRecord;
	};
	/** Something about the records that is worth a sentence to the user. */
	hint?: {
		counts: (records: readonly JsonRecord[], about: HintedList) => Counts;
		say: (sums: Counts) => readonly string[];
	};
}): Operation {
	return defineOperation({
		// The table names its rows `resource.operation`.
		value: endpoint.slice(endpoint.indexOf('.') + 1),
		name,
		action,
		description,
		kind: 'read',
		endpoints: [endpoint],
		fields: [
			...(below === undefined ? [] : [below]),
			...pagingFields,
			...(filters.length === 0 ? [] : [filtersField(filters)]),
			...(simplify === undefined ? [] : [simplifyField(simplify.what)]),
			customFields('query'),
			optionsField([maxWaitOption]),
		],
		run: async ({ api, input, notice, count }) => {
			const custom = readCustomFields(input);
			const taken = Object.keys(custom).find((name) => OWN_PARAMETERS.includes(name));
			if (taken !== undefined) {
				throw input.fail(
					'customFields',
					`may not set "${taken}"`,
					'Use "Return All" and "Limit": the node reads the pages itself.',
				);
			}
			const { limit: pageSize, ...further } = custom;
			if (!isPageSize(pageSize)) {
				throw input.fail(
					'customFields',
					`gives "limit" a value that is not a whole number from 1 to ${MAX_PAGE}`,
					'It sets the size of a page, for an endpoint that takes less than others.',
				);
			}
			const chosen = input.collection('filters');
			const sent = withCustomFields(query(chosen), further);
			const simplified = simplify !== undefined && readSimplify(input);
			const walk = await api.list(endpoint, {
				params: below && { id: input.uuid(below.name) },
				query: sent,
				wanted: readWanted(input),
				pageSize: pageSize ?? undefined,
			});
			const networkWord = api.networkWord();
			if (walk.notice !== undefined) notice(walk.notice);
			count({
				counts: {
					read: walk.records.length,
					filtered: Object.keys(sent).length,
					ownAccount: endpointOf(endpoint).agency && !api.agency ? 1 : 0,
					...hint?.counts(walk.records, { filters: chosen, simplified, networkWord }),
				},
				say: (sums) => [...sayings(what, sums), ...(hint?.say(sums) ?? [])],
			});
			return simplified
				? walk.records.map((record) => simplify.record(record, networkWord))
				: walk.records;
		},
	});
}

/** That the limit was reached, n8n says itself. */
function sayings(what: string, { read, filtered, ownAccount }: Counts): string[] {
	if (read) return [];
	const looser = filtered ? ' Check the filters, "Custom Fields" included.' : '';
	const elsewhere = ownAccount ? ' Those of a client come with "Act As" set to "Client".' : '';
	return [`No ${what} found.${looser}${elsewhere}`];
}

const isPageSize = (value: unknown): value is number | null | undefined =>
	value === undefined ||
	value === null ||
	(typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_PAGE);

const filtersField = (filters: readonly INodeProperties[]): INodeProperties => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [...filters],
});
