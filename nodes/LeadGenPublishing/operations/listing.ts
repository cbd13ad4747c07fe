/** Defines Get Many operations: lists of a resource, or of records that belong to a parent record. */
import type { INodeProperties } from 'n8n-workflow';

import { endpoint as endpointOf, type EndpointName } from '../api/endpoints';
import { MAX_PAGE } from '../api/pages';
import { without, type JsonRecord } from '../api/schemas';
import type { Counts } from '../item/itemCall';
import { failCustomFields, readCustomFields, withCustomFields } from '../panel/fields/customFields';
import {
	onIncompleteListOption,
	pagingFields,
	readMustBeComplete,
	readWanted,
} from '../panel/fields/paging';
import { filtersField } from '../panel/fields/shared';
import { fieldsOfFilters, filterHints, readFilters } from '../panel/filtering/filtersOfItem';
import type { FilterTable } from '../panel/filtering/listFilter';
import type { Simplification } from '../panel/output/record';
import type { Values } from '../panel/parameters/values';
import { slicesOf } from '../n8n/slices';
import { incompleteList, shortfallWords } from '../words/listWords';
import { defineOperation } from './define';
import type { Operation, ItemCall } from './operation';
import { readShape } from '../panel/output/shape';

interface HintedList {
	readonly filters: Values;
	readonly simplified: boolean;
	readonly networkWord?: string;
}

interface Listed {
	readonly endpoint: EndpointName;
	/** The records, as a plural noun. */
	readonly what: string;
	/** The locator of the parent record. */
	readonly parentLocator?: INodeProperties;
	readonly filters?: FilterTable;
	readonly simplification?: Simplification;
	/** A hint for the user about the records, whose counts are added up. */
	readonly hint?: {
		readonly counts: (records: readonly JsonRecord[], about: HintedList) => Counts;
		readonly say: (sums: Counts) => readonly string[];
	};
}

interface Described {
	readonly name?: string;
	readonly action?: string;
	readonly description: string;
}

export function listing({
	name = 'Get Many',
	description,
	action,
	...list
}: Described & Listed): Operation {
	const { endpoint, what, parentLocator, filters = {}, simplification } = list;
	return defineOperation({
		name,
		action: action ?? `Get many ${what}`,
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
		run: async (call) => await readList(call, list),
	});
}

async function readList(
	{ api, input, functions, notice, count }: ItemCall,
	list: Listed,
): Promise<JsonRecord[]> {
	const { endpoint, what, parentLocator, filters = {}, simplification, hint } = list;
	const { pageSize, parameters } = readCustomQuery(input);
	const set = readFilters(filters, input, { timeZone: functions.getTimezone(), notice });
	const query = withCustomFields(set.query, parameters);
	const simplified = simplification !== undefined && readShape(input).kind !== 'raw';
	const mustBeComplete = readMustBeComplete(input);
	const walk = await api.list(endpoint, {
		params: parentLocator && { id: input.uuid(parentLocator.name) },
		query,
		wanted: readWanted(input),
		keeps: set.keeps,
		pageSize,
	});
	if (mustBeComplete && !walk.isComplete)
		throw incompleteList(what, 'Run the node again later, or change "On Incomplete List".');
	set.requireShown(what);
	if (walk.shortfall !== undefined) notice(shortfallWords(walk.shortfall));
	const about = {
		filters: input.collection('filters'),
		simplified,
		networkWord: api.networkWord(),
	};
	const hintCounts: Record<string, number> = {};
	if (hint !== undefined)
		for await (const slice of slicesOf(walk.records))
			for (const [name, more] of Object.entries(hint.counts(slice, about)))
				hintCounts[name] = (hintCounts[name] ?? 0) + more;
	count({
		counts: {
			returned: walk.records.length,
			asked: Object.keys(query).length,
			ownAccount: endpointOf(endpoint).agency && !api.agency ? 1 : 0,
			...set.counts(walk.records.length),
			...hintCounts,
		},
		say: (sums) => [
			...emptyListHints(what, sums),
			...filterHints(what, sums),
			...(hint?.say(sums) ?? []),
		],
	});
	return walk.records;
}

/** Set by the node for each page; a value from the user would break the paging. */
const PAGING_PARAMETERS = ['offset', 'page', 'page_size', 'cursor'];

/** The Custom Fields of a list. `limit` is the size of a page. */
function readCustomQuery(input: Values): { pageSize?: number; parameters: JsonRecord } {
	const custom = readCustomFields(input);
	const forbidden = Object.keys(custom).find((name) => PAGING_PARAMETERS.includes(name));
	if (forbidden !== undefined)
		throw failCustomFields(
			input,
			`may not set "${forbidden}"`,
			'Use "Return All" and "Limit": the node reads the pages itself.',
		);
	const parameters = without(custom, 'limit');
	const { limit } = custom;
	if (limit === undefined || limit === null) return { parameters };
	if (!isPageSize(limit))
		throw failCustomFields(
			input,
			`sets "limit" to a value that is not a whole number from 1 to ${MAX_PAGE}`,
			'Here, "limit" is the number of records per page. Set it only if the service accepts fewer.',
		);
	return { pageSize: limit, parameters };
}

const isPageSize = (value: unknown): value is number =>
	typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_PAGE;

/** A reached limit needs no hint, because n8n shows one. */
function emptyListHints(what: string, { returned, read, asked, ownAccount }: Counts): string[] {
	if (returned || read) return [];
	const filterHint = asked ? ' Check the filters, including "Custom Fields".' : '';
	const clientHint = ownAccount ? ' For a client, set "Act As" to "Client".' : '';
	return [`No ${what} found.${filterHint}${clientHint}`];
}
