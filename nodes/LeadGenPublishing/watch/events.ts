/**
 * Promise: one row per event says which records it is about, which of their fields count, and who
 * applies the filters. The same settings always give the same list name, different settings a
 * different one.
 */
import { canonical } from '../api/identifiers';
import type { JsonRecord } from '../api/schemas';
import { leadFingerprint, statusFingerprint, type Fingerprint } from './fingerprint';
import { digestOf } from './hash';

export const WATCH_EVENTS = ['newLead', 'leadChanged', 'newActivity', 'postStatusChanged'] as const;
export type WatchEvent = (typeof WATCH_EVENTS)[number];

/** Only those that are given: one that is off is not one that is not there. */
export interface WatchFilters {
	hasEmail?: boolean;
	source?: string;
	keyword?: string;
	onlyWithIntent?: boolean;
	qualificationStatus?: string;
}
type FilterName = keyof WatchFilters;

interface EventRow {
	readonly resource: 'lead' | 'activity' | 'post';
	/** What is delivered: unknown records, or known records whose fields have changed. */
	readonly kind: 'new' | 'change';
	/** The fields that are compared. Others (timestamps above all) may change unnoticed. */
	readonly compares?: Fingerprint;
	/** An unknown record counts as changed if this holds. */
	readonly countsWhenFirstSeen?: (record: JsonRecord) => boolean;
	readonly filters: readonly FilterName[];
}

const LEADS = {
	resource: 'lead',
	filters: ['hasEmail', 'keyword', 'onlyWithIntent', 'qualificationStatus'],
} as const;

export const EVENTS: Readonly<Record<WatchEvent, EventRow>> = {
	newLead: { ...LEADS, kind: 'new' },
	leadChanged: { ...LEADS, kind: 'change', compares: leadFingerprint },
	newActivity: { resource: 'activity', kind: 'new', filters: ['source', 'keyword'] },
	postStatusChanged: {
		...{ resource: 'post', kind: 'change', compares: statusFingerprint, filters: [] },
		// Posts begin as drafts, so an unknown post with another status has changed.
		countsWhenFirstSeen: ({ status }) => isSet(status) && !sameWord(status, 'draft'),
	},
};

const isSet = (value: unknown): boolean => (value ?? '') !== '' && value !== false;

const sameWord = (value: unknown, wanted: string): boolean =>
	typeof value === 'string' && value.trim().toLowerCase() === wanted.trim().toLowerCase();

/** Filters that the service applies, by its own names: they give a different list. */
const ASKED: Partial<Record<FilterName, string>> = { hasEmail: 'has_email', source: 'source' };

type Matches = (record: JsonRecord, filters: WatchFilters) => boolean;
/** Filters that the trigger applies to each record it reads. */
const MATCHES: Partial<Record<FilterName, Matches>> = {
	keyword: (record, { keyword = '' }) => sameWord(record.latest_keyword ?? record.keyword, keyword),
	onlyWithIntent: (record) => record.has_intent === true,
	qualificationStatus: (record, { qualificationStatus = '' }) =>
		sameWord(record.qualification_status, qualificationStatus),
};

const usedFilters = (event: WatchEvent, filters: WatchFilters): FilterName[] =>
	EVENTS[event].filters.filter((name) => filters[name] !== undefined);

/** What the service is asked for: records that do not match are on no page. */
export const queryOf = (event: WatchEvent, filters: WatchFilters): JsonRecord =>
	Object.fromEntries(
		usedFilters(event, filters).flatMap((name) => {
			const asked = ASKED[name];
			return asked === undefined ? [] : [[asked, filters[name]]];
		}),
	);

/** What a record is, beside what is remembered of it. */
export interface Comparison {
	/** To be remembered: so many characters of the 64 in which hashes are stored. */
	readonly value: string;
	/** Unknown, changed, or matching the filters for the first time. */
	readonly isNews: boolean;
	readonly isDue: boolean;
}

/** How the readable records of one list are compared: all that the engine knows about an event. */
export interface ListRules {
	readonly kind: 'new' | 'change';
	/** Characters stored beside each remembered record; 0 where nothing is compared. */
	readonly width: number;
	matches(record: JsonRecord): boolean;
	compare(record: JsonRecord, known: string | undefined): Comparison;
}

const PASSES_FILTERS = '1';
export const HELD_BACK = '0';

export function rulesFor(event: WatchEvent, filters: WatchFilters): ListRules {
	const { kind, compares, countsWhenFirstSeen = () => false } = EVENTS[event];
	const ours = usedFilters(event, filters).flatMap((name) => MATCHES[name] ?? []);
	const matches = (record: JsonRecord): boolean => ours.every((one) => one(record, filters));
	if (compares !== undefined)
		return {
			...{ kind, matches, width: compares.width },
			compare: (record, known) => {
				const value = compares.of(record);
				const isNews = known !== value;
				const counts = known !== undefined || countsWhenFirstSeen(record);
				return { value, isNews, isDue: isNews && counts && matches(record) };
			},
		};
	const width = ours.length > 0 ? 1 : 0;
	return {
		...{ kind, matches, width },
		// A record that no filter let through is delivered once it matches.
		compare: (record, known) => {
			const isDone = known !== undefined && (width === 0 || known === PASSES_FILTERS);
			const isDue = !isDone && matches(record);
			const value = isDone || isDue ? PASSES_FILTERS : HELD_BACK;
			return { value: value.repeat(width), isNews: known === undefined || isDue, isDue };
		},
	};
}

/**
 * Names everything that decides which records count. Each watched account has a list of its own
 * below this name, so that another filter starts over and another account does not.
 */
export function scopeOf(event: WatchEvent, filters: WatchFilters): string {
	const used = usedFilters(event, filters).map((name) => [name, filters[name]]);
	return digestOf(canonical([event, Object.fromEntries(used)]), 11);
}

const CREATED = 'created_at createdAt captured_at occurred_at received_at timestamp'.split(' ');
const CHANGED = ['updated_at', 'updatedAt', ...CREATED];

/** When it happened, if the record says so (the service documents no timestamps). */
export function happenedAt(kind: 'new' | 'change', record: JsonRecord): number | undefined {
	for (const field of kind === 'new' ? CREATED : CHANGED) {
		const value = record[field];
		const time = typeof value === 'string' ? Date.parse(value) : NaN;
		if (!Number.isNaN(time)) return time;
	}
	return undefined;
}

/** By the records' own timestamps if all have one; otherwise as they came. */
export function oldestFirst<T extends { readonly record: JsonRecord }>(
	kind: 'new' | 'change',
	found: readonly T[],
): T[] {
	const timed = found.map((one) => ({ one, at: happenedAt(kind, one.record) ?? NaN }));
	if (timed.some(({ at }) => Number.isNaN(at))) return [...found];
	return timed.toSorted((one, other) => one.at - other.at).map(({ one }) => one);
}
