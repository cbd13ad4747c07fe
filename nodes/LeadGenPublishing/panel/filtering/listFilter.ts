/**
 * The filters of Get Many, by parameter name: what the panel shows, and the rule by which the node
 * keeps records. The service is asked for some of them, too.
 */
import type { INodeProperties } from 'n8n-workflow';

import type { JsonRecord } from '../../api/schemas';
import { isSameWord } from '../../records/sameWord';
import { readMoment, type MomentContext } from '../fields/moment';
import { readTexts } from '../fields/texts';
import { labelOf } from '../parameters/labels';
import type { Values } from '../parameters/values';
import { textSearch } from './textSearch';

type Declared = Omit<INodeProperties, 'displayName' | 'name'>;

/** The value that a filter looks at. Null if the record shows that it has none, undefined if it does not show it. */
type Look = (record: JsonRecord) => unknown;

/** A filter that is set for an item. */
export interface Matcher {
	readonly matches: (record: JsonRecord) => boolean;
	/** Whether the record shows what the filter looks at, even if it is empty. */
	readonly shows: (record: JsonRecord) => boolean;
	/** What the service is asked for. */
	readonly asked?: unknown;
}

export interface ListFilter {
	readonly declared: Declared;
	/** The name of the query parameter, if the service is asked for it, too. */
	readonly asks?: string;
	/** The end of "None of the leads shows …". */
	readonly whatIsShown: string;
	/** Undefined if the filter is not set. */
	readonly read: (filters: Values, name: string, context: MomentContext) => Matcher | undefined;
}

export type FilterTable = Readonly<Record<string, ListFilter>>;

interface LooksAt {
	readonly of: Look;
	readonly whatIsShown: string;
	readonly asks?: string;
}

const isShown = (of: Look) => (record: JsonRecord) => of(record) !== undefined;

/** The same word, ignoring case. */
export const wordFilter = (
	{ placeholder, description }: { placeholder: string; description: string },
	{ of, whatIsShown, asks }: LooksAt,
): ListFilter => ({
	declared: { type: 'string', default: '', placeholder, description },
	asks,
	whatIsShown,
	read: (filters, name) => {
		const wanted = filters.optionalText(name);
		if (wanted === undefined) return undefined;
		const matches = (record: JsonRecord) => isSameWord(of(record), wanted);
		return { matches, shows: isShown(of), asked: wanted.trim() };
	},
});

/** One of several words, all of which are known. */
export const anyWordFilter = (
	{ words, description }: { words: readonly string[]; description: string },
	{ of, whatIsShown }: LooksAt,
): ListFilter => ({
	declared: {
		type: 'multiOptions',
		options: words.map((value) => ({ name: labelOf(value), value })),
		default: [],
		description,
	},
	whatIsShown,
	read: (filters, name) => {
		const wanted = readTexts(filters, name);
		if (wanted.length === 0) return undefined;
		if (!wanted.every((one) => words.some((word) => isSameWord(one, word))))
			throw filters.fail(
				name,
				'contains an entry that is not one of the options',
				`Choose from the list, or make the expression return one or more of: ${words.join(', ')}.`,
			);
		const matches = (record: JsonRecord) => wanted.some((word) => isSameWord(of(record), word));
		return { matches, shows: isShown(of) };
	},
});

/** A filter that only applies if it is switched on. */
export const switchFilter = (description: string, { of, whatIsShown }: LooksAt): ListFilter => ({
	declared: { type: 'boolean', default: true, description },
	whatIsShown,
	read: (filters, name) =>
		filters.flag(name)
			? { matches: (record) => of(record) === true, shows: isShown(of) }
			: undefined,
});

/** Records with something, or records without it. */
export const eitherFilter = (
	description: string,
	{ of, whatIsShown, asks }: LooksAt,
): ListFilter => ({
	declared: { type: 'boolean', default: true, description },
	asks,
	whatIsShown,
	read: (filters, name) => {
		if (!filters.has(name)) return undefined;
		const wanted = filters.flag(name);
		const matches = (record: JsonRecord) => (of(record) ?? false) === wanted;
		return { matches, shows: isShown(of), asked: wanted };
	},
});

/** `start` is the filter that the time must come after, if both are set. */
type Bound = { readonly kind: 'from' } | { readonly kind: 'before'; readonly start: string };

/** From a time on, or before a time. A record without a time does not match. */
export const timeFilter = (
	description: string,
	{
		of,
		whatIsShown,
		bound,
	}: Omit<LooksAt, 'of'> & { of: (record: JsonRecord) => number | null | undefined; bound: Bound },
): ListFilter => ({
	declared: { type: 'dateTime', default: '', description },
	whatIsShown,
	read: (filters, name, context) => {
		const limit = readTime(filters, name, context);
		if (limit === undefined) return undefined;
		if (bound.kind === 'before')
			requireLater(filters, { name, limit, start: bound.start }, context);
		const matches = (record: JsonRecord) => {
			const time = of(record) ?? undefined;
			return time !== undefined && (bound.kind === 'from' ? time >= limit : time < limit);
		};
		return { matches, shows: isShown(of) };
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
	}: {
		/** An undefined entry means that the record does not show it. */
		textsOf: (record: JsonRecord) => readonly unknown[];
		whatIsShown: string;
	},
): ListFilter => ({
	declared: { type: 'string', default: '', placeholder, description },
	whatIsShown,
	read: (filters, name) => {
		const wanted = filters.optionalText(name);
		if (wanted === undefined) return undefined;
		const isIn = textSearch(wanted);
		return {
			matches: (record) => isIn([record.id, ...textsOf(record)]),
			// A search for an ID needs no text.
			shows: (record) => isIn([record.id]) || textsOf(record).some((text) => text !== undefined),
		};
	},
});
