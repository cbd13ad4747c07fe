/**
 * The filters of Get Many, by parameter name: what the panel shows, and either the query for the
 * service or the rule by which the node keeps records.
 */
import type { INodeProperties } from 'n8n-workflow';

import type { JsonRecord } from '../../api/schemas';
import { readMoment, type MomentContext } from '../../panel/fields/moment';
import { readTexts } from '../../panel/fields/texts';
import { labelOf } from '../../panel/parameters/labels';
import type { Values } from '../../panel/parameters/values';
import { isSameWord } from '../../records/sameWord';
import { textSearch } from './textSearch';

type Declared = Omit<INodeProperties, 'displayName' | 'name'>;
type Reads<T> = (filters: Values, name: string, context: MomentContext) => T | undefined;
type Matches = (record: JsonRecord) => boolean;

/** A filter that the service applies. */
export interface AskedFilter {
	readonly kind: 'asked';
	readonly declared: Declared;
	/** The name of the query parameter. */
	readonly asks: string;
	/** Undefined if the filter is not set. The same goes for all readers of filters. */
	readonly read: Reads<unknown>;
	/** Whether a record shows that the service has not applied it. */
	readonly contradicts: (record: JsonRecord, asked: unknown) => boolean;
}

/** What an applied filter checks in a record. */
interface LooksAt {
	/** The end of "The leads do not show …". */
	readonly whatIsShown: string;
	/** Whether the record shows it, even if it is empty. */
	readonly shows: Matches;
	/** Whether a record that is left out may be a match after all. */
	readonly isDoubtful?: Matches;
}

/** A filter that the node applies to the records that it has read. */
export interface AppliedFilter extends LooksAt {
	readonly kind: 'applied';
	readonly declared: Declared;
	readonly read: Reads<Matches>;
}

export type ListFilter = AskedFilter | AppliedFilter;
export type FilterTable = Readonly<Record<string, ListFilter>>;

/** The same word, ignoring case. */
export const wordFilter = (
	{ placeholder, description }: { placeholder: string; description: string },
	{ of, ...looksAt }: Omit<LooksAt, 'shows'> & { of: (record: JsonRecord) => unknown },
): AppliedFilter => ({
	kind: 'applied',
	declared: { type: 'string', default: '', placeholder, description },
	whatIsShown: looksAt.whatIsShown,
	shows: (record) => of(record) !== undefined,
	read: (filters, name) => {
		const wanted = filters.optionalText(name);
		return wanted === undefined ? undefined : (record) => isSameWord(of(record), wanted);
	},
});

/** One of several words, all of which are known. */
export const anyWordFilter = (
	{ words, description }: { words: readonly string[]; description: string },
	{ of, whatIsShown }: Pick<LooksAt, 'whatIsShown'> & { of: (record: JsonRecord) => unknown },
): AppliedFilter => ({
	kind: 'applied',
	declared: {
		type: 'multiOptions',
		options: words.map((value) => ({ name: labelOf(value), value })),
		default: [],
		description,
	},
	whatIsShown,
	shows: (record) => of(record) !== undefined,
	read: (filters, name) => {
		const wanted = readTexts(filters, name);
		if (wanted.length === 0) return undefined;
		if (!wanted.every((one) => words.some((word) => isSameWord(one, word))))
			throw filters.fail(
				name,
				'contains an entry that is not one of the options',
				`Choose from the list, or make the expression return some of: ${words.join(', ')}.`,
			);
		return (record) => wanted.some((word) => isSameWord(of(record), word));
	},
});

/** A filter that only applies if it is switched on. */
export const switchFilter = (
	description: string,
	{ matches, ...looksAt }: LooksAt & { matches: Matches },
): AppliedFilter => ({
	kind: 'applied',
	declared: { type: 'boolean', default: true, description },
	whatIsShown: looksAt.whatIsShown,
	shows: looksAt.shows,
	read: (filters, name) => (filters.flag(name) ? matches : undefined),
});

/** `start` is the filter that the time must come after, if both are set. */
type Bound = { readonly kind: 'from' } | { readonly kind: 'before'; readonly start: string };

/** From a time on, or before a time. A record without a time does not match. */
export const timeFilter = (
	description: string,
	{
		of,
		bound,
		...looksAt
	}: LooksAt & { bound: Bound; of: (record: JsonRecord) => number | undefined },
): AppliedFilter => ({
	kind: 'applied',
	declared: { type: 'dateTime', default: '', description },
	whatIsShown: looksAt.whatIsShown,
	shows: looksAt.shows,
	isDoubtful: looksAt.isDoubtful,
	read: (filters, name, context) => {
		const limit = readTime(filters, name, context);
		if (limit === undefined) return undefined;
		if (bound.kind === 'before')
			requireLater(filters, { name, limit, start: bound.start }, context);
		return (record) => {
			const time = of(record);
			return time !== undefined && (bound.kind === 'from' ? time >= limit : time < limit);
		};
	},
});

function readTime(filters: Values, name: string, context: MomentContext): number | undefined {
	const moment = readMoment(filters, name, context);
	return moment === undefined ? undefined : Date.parse(moment);
}

function requireLater(
	filters: Values,
	{ name, limit, start }: { name: string; limit: number; start: string },
	context: MomentContext,
): void {
	const from = readTime(filters, start, context);
	if (from === undefined || from < limit) return;
	throw filters.fail(
		name,
		`is not later than "${labelOf(start)}", so no record could match`,
		`Set "${labelOf(name)}" to a later time than "${labelOf(start)}".`,
	);
}

/** Part of a text of the record, or of its ID. */
export const searchFilter = (
	{ placeholder, description }: { placeholder: string; description: string },
	{
		textsOf,
		whatIsShown,
		isDoubtful,
	}: Omit<LooksAt, 'shows'> & {
		/** An undefined entry means that the record does not show it. */
		textsOf: (record: JsonRecord) => readonly unknown[];
	},
): AppliedFilter => ({
	kind: 'applied',
	declared: { type: 'string', default: '', placeholder, description },
	whatIsShown,
	shows: (record) => textsOf(record).some((text) => text !== undefined),
	isDoubtful,
	read: (filters, name) => {
		const wanted = filters.optionalText(name);
		if (wanted === undefined) return undefined;
		const isIn = textSearch(wanted);
		return (record) => isIn([record.id, ...textsOf(record)]);
	},
});
