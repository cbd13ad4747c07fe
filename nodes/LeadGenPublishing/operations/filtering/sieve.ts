/**
 * The filters that are set for one item: the query for the service, which records are kept, and the
 * hints about records that do not show what a filter checks.
 */
import type { INodeProperties } from 'n8n-workflow';

import { isRecord, type JsonRecord } from '../../api/schemas';
import type { MomentContext } from '../../panel/fields/moment';
import { parameter } from '../../panel/fields/parameter';
import { GIVES_NOTHING } from '../../panel/fields/requireResult';
import type { Counts } from '../../item/itemCall';
import { labelOf } from '../../panel/parameters/labels';
import { isMissing } from '../../panel/parameters/parse/jsonValues';
import type { Values } from '../../panel/parameters/values';
import type { AppliedFilter, AskedFilter, FilterTable } from './listFilter';

export const fieldsOfFilters = (table: FilterTable): INodeProperties[] =>
	Object.entries(table).map(([name, { declared }]) => parameter(name, declared));

/**
 * A filter whose expression returns nothing must not be ignored. A workflow that deletes what it
 * finds would then delete everything.
 */
const NO_FILTER_REMEDY =
	'Make it return a value. To leave the filter out for an item, return an empty text: add ?? "" to the expression.';

/** A filter that is set, and what it has seen so far. */
interface SetFilter {
	readonly name: string;
	readonly filter: AppliedFilter;
	readonly matches: (record: JsonRecord) => boolean;
	/** How many records showed what it checks. */
	shown: number;
	/** How many records were left out although they may match. */
	doubtful: number;
}

/** One that the service is asked for. */
interface AskedOfService {
	readonly name: string;
	readonly filter: AskedFilter;
	readonly asked: unknown;
}

export interface FiltersOfItem {
	/** The query for the service. */
	readonly query: JsonRecord;
	/** Counts the records that the service should have left out; `sent` is the whole query. */
	readonly contradictions: (records: readonly JsonRecord[], sent: JsonRecord) => Counts;
	/** Undefined if the node has nothing to filter. */
	readonly sieve: Sieve | undefined;
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
		'is one expression for all filters, which would be ignored',
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
	const ofService: AskedOfService[] = [];
	const set: SetFilter[] = [];
	for (const [name, filter] of Object.entries(table)) {
		if (filters.isStored(name) && isMissing(filters.raw(name)))
			throw filters.fail(name, GIVES_NOTHING, NO_FILTER_REMEDY);
		if (filter.kind === 'asked') {
			const asked = filter.read(filters, name, context);
			if (asked !== undefined) ofService.push({ name, filter, asked });
		} else {
			const matches = filter.read(filters, name, context);
			if (matches !== undefined) set.push({ name, filter, matches, shown: 0, doubtful: 0 });
		}
	}
	return {
		query: Object.fromEntries(ofService.map(({ filter, asked }) => [filter.asks, asked])),
		contradictions: (records, sent) => {
			// Custom Fields may ask for something else.
			const applied = ofService.filter(({ filter, asked }) => sent[filter.asks] === asked);
			return Object.fromEntries(
				applied.map(({ name, filter, asked }) => [
					CONTRADICT + name,
					records.filter((record) => filter.contradicts(record, asked)).length,
				]),
			);
		},
		sieve: set.length === 0 ? undefined : new Sieve(set, filters),
	};
}

const LEFT_OUT_BY = 'left out by ';
const CONTRADICT = 'contradict ';

class Sieve {
	private read = 0;
	private kept = 0;

	constructor(
		private readonly set: readonly SetFilter[],
		private readonly filters: Values,
	) {}

	/** Every filter checks every record, because each of them must be able to judge at least one. */
	readonly keeps = (record: JsonRecord): boolean => {
		this.read += 1;
		let isKept = true;
		for (const one of this.set) {
			if (one.filter.shows(record)) one.shown += 1;
			if (one.matches(record)) continue;
			isKept = false;
			if (one.filter.isDoubtful?.(record) === true) one.doubtful += 1;
		}
		if (isKept) this.kept += 1;
		return isKept;
	};

	/** Fails if a filter could not judge any record, because "no match" would be wrong. `what` is a plural. */
	throwIfBlind(what: string): void {
		if (this.read === 0 || this.kept > 0) return;
		const blind = this.set.find(({ shown }) => shown === 0);
		if (blind === undefined) return;
		throw this.filters.fail(
			blind.name,
			`cannot be applied: the ${what} that were read (${formatCount(this.read)}) do not show ${blind.filter.whatIsShown}`,
			'Remove this filter. To see which fields the records have, turn off "Simplify".',
		);
	}

	/** `returned`: how many of the kept records become items. */
	counts(returned: number): Counts {
		const doubtful = this.set.map((one) => [LEFT_OUT_BY + one.name, one.doubtful]);
		return { sieved: this.read, found: returned, ...Object.fromEntries(doubtful) };
	}
}

const titleOf = (what: string): string => what.charAt(0).toUpperCase() + what.slice(1);

/** The hints about the filters that the service is asked for: it may ignore one. */
export const contradictionHints = (table: FilterTable, what: string, sums: Counts): string[] =>
	Object.keys(table).flatMap((name) => {
		const count = sums[CONTRADICT + name] ?? 0;
		if (count === 0) return [];
		return [
			`${titleOf(what)} that do not match "${labelOf(name)}", although the service was asked for it: ${formatCount(count)}. Add a Filter node after this one.`,
		];
	});

/** The hints about all items of a run. */
export function sieveHints(table: FilterTable, what: string, sums: Counts): string[] {
	const { sieved = 0, found = 0 } = sums;
	if (sieved === 0) return [];
	const title = titleOf(what);
	const summary =
		found === 0
			? `No ${what} match the filters. Read: ${formatCount(sieved)}.`
			: `${title} read: ${formatCount(sieved)}. Returned: ${formatCount(found)}.`;
	const leftOut = Object.entries(table).flatMap(([name, filter]) => {
		const count = sums[LEFT_OUT_BY + name] ?? 0;
		if (filter.kind === 'asked' || count === 0) return [];
		return [
			`${title} that "${labelOf(name)}" left out because they do not show ${filter.whatIsShown}: ${formatCount(count)}.`,
		];
	});
	return [summary, ...leftOut];
}

/** `1234` → "1,234". */
export const formatCount = (count: number): string => count.toLocaleString('en-US');
