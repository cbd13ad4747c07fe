/**
 * The filters that are set for one item: the query for the service, and which records are kept. The
 * node applies every filter itself, even if the service was asked for it.
 */
import type { INodeProperties } from 'n8n-workflow';

import { isRecord, type JsonRecord } from '../../api/schemas';
import type { MomentContext } from '../fields/moment';
import { parameter } from '../fields/parameter';
import { GIVES_NOTHING } from '../fields/requireResult';
import { isMissing } from '../../parse/jsonValues';
import type { Values } from '../parameters/values';
import type { FilterTable, ListFilter, Matcher } from './listFilter';

export const fieldsOfFilters = (table: FilterTable): INodeProperties[] =>
	Object.entries(table).map(([name, { declared }]) => parameter(name, declared));

/**
 * A filter whose expression returns nothing must not be ignored. A workflow that deletes what it
 * finds would then delete everything.
 */
const NO_FILTER_REMEDY =
	'Check the expression. If an item should run without this filter, end the expression with ?? "".';

interface SetFilter extends Matcher {
	readonly name: string;
	readonly filter: ListFilter;
}

/**
 * Rejects one expression for all filters. n8n looks up the names of the filters in its text: it
 * drops all filters except `search`, for which it finds the method of strings.
 */
function requireCollection(input: Values): void {
	const given = input.raw('filters');
	const isText = isRecord(given) && Object.values(given).some((one) => typeof one === 'function');
	if (!isText && !(input.isStored('filters') && isMissing(given))) return;
	throw input.fail(
		'filters',
		'is a single expression, so n8n would ignore the filters in it',
		'Add the filters one by one, each with its own expression.',
	);
}

/** Reads the filters of an item before anything is sent. */
export function readFilters(
	table: FilterTable,
	input: Values,
	context: MomentContext,
): FiltersOfItem {
	requireCollection(input);
	const filters = input.collection('filters');
	const set = Object.entries(table).flatMap(([name, filter]): SetFilter[] => {
		if (filters.isStored(name) && isMissing(filters.raw(name)))
			throw filters.fail(name, GIVES_NOTHING, NO_FILTER_REMEDY);
		const matcher = filter.read(filters, name, context);
		return matcher === undefined ? [] : [{ name, filter, ...matcher }];
	});
	return new FiltersOfItem(set, filters);
}

export class FiltersOfItem {
	/** How many records were read. */
	private read = 0;
	private readonly notShown: Set<SetFilter>;

	constructor(
		private readonly set: readonly SetFilter[],
		private readonly filters: Values,
	) {
		this.notShown = new Set(set);
	}

	/** The query for the service. */
	get query(): JsonRecord {
		return Object.fromEntries(
			this.set.flatMap(({ filter: { asks }, asked }) =>
				asks === undefined ? [] : [[asks, asked]],
			),
		);
	}

	/** Undefined if no filter is set. Every filter sees every record. */
	get keeps(): ((record: JsonRecord) => boolean) | undefined {
		if (this.set.length === 0) return undefined;
		return (record) => {
			this.read += 1;
			for (const one of this.notShown) if (one.shows(record)) this.notShown.delete(one);
			return this.set.every(({ matches }) => matches(record));
		};
	}

	/**
	 * Fails if no record shows what a filter looks at, because "no match" would be wrong. `what` is a
	 * plural.
	 */
	requireShown(what: string): void {
		const [blind] = this.notShown;
		if (this.read === 0 || blind === undefined) return;
		throw this.filters.fail(
			blind.name,
			`cannot be applied: none of the ${formatCount(this.read)} ${what} that the node read shows ${blind.filter.whatIsShown}`,
			'Remove this filter. To see which fields the records have, turn off "Simplify".',
		);
	}

	/** Numbers for the hint about all items of a run. `returned`: how many records become items. */
	counts(returned: number): Readonly<Record<string, number>> {
		return { read: this.read, found: this.set.length === 0 ? 0 : returned };
	}
}

/** The hint about all items of a run. */
export function filterHints(what: string, sums: Readonly<Record<string, number>>): string[] {
	const { read = 0, found = 0 } = sums;
	if (read === found) return [];
	return [
		found === 0
			? `No ${what} match the filters. The node read ${formatCount(read)}.`
			: `The node read ${formatCount(read)} ${what} and returned ${formatCount(found)}.`,
	];
}

/** `1234` → "1,234". */
export const formatCount = (count: number): string => count.toLocaleString('en-US');
