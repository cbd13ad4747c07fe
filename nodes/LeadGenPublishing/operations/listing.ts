/** Defines Get Many operations: lists of a resource, or of records that belong to a parent record. */
import type { INodeProperties } from 'n8n-workflow';

import { endpoint as endpointOf, type EndpointName } from '../api/endpoints';
import { MAX_PAGE } from '../api/pages';
import type { JsonRecord } from '../api/schemas';
import { failCustomFields, readCustomFields, withCustomFields } from '../panel/fields/customFields';
import { filtersField } from '../panel/fields/shared';
import {
	onIncompleteListOption,
	pagingFields,
	readMustBeComplete,
	readWanted,
} from '../panel/fields/paging';
import type { Simplification } from '../panel/output/record';
import type { Values } from '../panel/parameters/values';
import { incompleteList } from '../item/accountRecords';
import type { Counts } from '../item/itemCall';
import { defineOperation } from './define';
import type { FilterTable } from './filtering/listFilter';
import { contradictionHints, fieldsOfFilters, readFilters, sieveHints } from './filtering/sieve';
import type { Operation } from './operation';
import { readShape } from './shape';

/** Set by the node for each page; a value from the user would break the paging. */
const PAGING_PARAMETERS = ['offset', 'page', 'page_size', 'cursor'];

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
	parentLocator,
	filters = {},
	simplification,
	hint,
}: {
	endpoint: EndpointName;
	/** The records, as a plural noun. */
	what: string;
	name?: string;
	action?: string;
	description: string;
	/** The locator of the parent record. */
	parentLocator?: INodeProperties;
	filters?: FilterTable;
	simplification?: Simplification;
	/** A hint for the user about the records. */
	hint?: {
		counts: (records: readonly JsonRecord[], about: HintedList) => Counts;
		say: (sums: Counts) => readonly string[];
	};
}): Operation {
	return defineOperation({
		name,
		action,
		description,
		endpoints: [endpoint],
		fields: [
			...(parentLocator === undefined ? [] : [parentLocator]),
			...pagingFields,
			...(Object.keys(filters).length === 0 ? [] : [filtersField(fieldsOfFilters(filters))]),
		],
		customFields: 'query',
		options: [onIncompleteListOption],
		simplification,
		run: async ({ api, input, functions, notice, count }) => {
			const custom = readCustomFields(input);
			const forbidden = Object.keys(custom).find((name) => PAGING_PARAMETERS.includes(name));
			if (forbidden !== undefined) {
				throw failCustomFields(
					input,
					`may not set "${forbidden}"`,
					'Use "Return All" and "Limit": the node reads the pages itself.',
				);
			}
			const { limit: pageSize, ...otherParameters } = custom;
			if (!isPageSize(pageSize)) {
				throw failCustomFields(
					input,
					`sets "limit" to a value that is not a whole number from 1 to ${MAX_PAGE}`,
					'Use it to set the page size for an endpoint that accepts fewer records per page.',
				);
			}
			const timeZone = functions.getTimezone();
			const set = readFilters(filters, input, { timeZone, notice });
			const { query, sieve } = set;
			const sent = withCustomFields(query, otherParameters);
			const simplified = simplification !== undefined && readShape(input).kind !== 'raw';
			const mustBeComplete = readMustBeComplete(input);
			const walk = await api.list(endpoint, {
				params: parentLocator && { id: input.uuid(parentLocator.name) },
				query: sent,
				wanted: readWanted(input),
				keeps: sieve?.keeps,
				pageSize: pageSize ?? undefined,
			});
			if (mustBeComplete && !walk.isComplete)
				throw incompleteList(what, 'Run the node again later, or change "On Incomplete List".');
			sieve?.throwIfBlind(what);
			if (walk.notice !== undefined) notice(walk.notice);
			const { length: returned } = walk.records;
			count({
				counts: {
					returned,
					...sieve?.counts(returned),
					...set.contradictions(walk.records, sent),
					filtered: Object.keys(sent).length,
					ownAccount: endpointOf(endpoint).agency && !api.agency ? 1 : 0,
					...hint?.counts(walk.records, {
						filters: input.collection('filters'),
						simplified,
						networkWord: api.networkWord(),
					}),
				},
				say: (sums) => [
					...emptyListHints(what, sums),
					...sieveHints(filters, what, sums),
					...contradictionHints(filters, what, sums),
					...(hint?.say(sums) ?? []),
				],
			});
			return walk.records;
		},
	});
}

/** A reached limit needs no hint, because n8n shows one. */
function emptyListHints(
	what: string,
	{ returned, sieved, filtered, ownAccount }: Counts,
): string[] {
	if (returned || sieved) return [];
	const filterHint = filtered ? ' Check the filters, including "Custom Fields".' : '';
	const clientHint = ownAccount ? ' For a client, set "Act As" to "Client".' : '';
	return [`No ${what} found.${filterHint}${clientHint}`];
}

const isPageSize = (value: unknown): value is number | null | undefined =>
	value === undefined ||
	value === null ||
	(typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_PAGE);
