/**
 * Promise: one row per event says which records it is about, which of their fields count, and who
 * applies the filters. The same settings always give the same list name, different settings a
 * different one.
 */
import { canonical } from '../../api/identifiers';
import type { JsonRecord } from '../../api/schemas';
import { digestOf } from '../list/hash';
import type { Comparison, ListRules } from '../list/rules';
import { isSameWord } from '../../records/sameWord';
import { createdAt, updatedAt } from '../../records/times';
import {
	fieldsCounted,
	fieldsNotShown,
	isAsked,
	matcherFor,
	queryFor,
	type FilterName,
	type FilterUse,
	type ServiceFilter,
	type WatchFilters,
} from './filters';
import { leadFingerprint, statusFingerprint, type Fingerprint } from './fingerprint';
import {
	firstVersion,
	isOlder,
	nextVersion,
	readVersion,
	spellVersion,
	VERSION_WIDTH,
} from './version';

export const WATCH_EVENTS = [
	'activityChanged',
	'clientChanged',
	'leadChanged',
	'newActivity',
	'newLead',
	'postStatusChanged',
] as const;
export type WatchEvent = (typeof WATCH_EVENTS)[number];

interface EventRow {
	readonly resource: 'lead' | 'activity' | 'post' | 'client';
	/** The fields that are compared. Undefined if only new records are delivered. */
	readonly compares: Fingerprint | undefined;
	/** Whether a record that is seen for the first time counts. */
	readonly countsWhenFirstSeen: (record: JsonRecord, filters: WatchFilters) => boolean;
	readonly filters: readonly FilterName[];
	/** The filters that the service applies. */
	readonly asked: readonly ServiceFilter[];
}

const isSet = (value: unknown): boolean => (value ?? '') !== '' && value !== false;
const always = (): boolean => true;
const never = (): boolean => false;
/** If the user names statuses, a record that appears with one of them counts. The filter compares. */
const withNamedStatus = (_: JsonRecord, { newStatuses = [] }: WatchFilters): boolean =>
	newStatuses.length > 0;

export const EVENTS: Readonly<Record<WatchEvent, EventRow>> = {
	newLead: {
		resource: 'lead',
		compares: undefined,
		countsWhenFirstSeen: always,
		filters: ['hasEmail', 'keyword', 'onlyWithIntent', 'qualificationStatus'],
		asked: ['hasEmail'],
	},
	leadChanged: {
		resource: 'lead',
		compares: leadFingerprint,
		countsWhenFirstSeen: never,
		filters: ['hasEmail', 'keyword', 'onlyWithIntent', 'qualificationStatus', 'changedFields'],
		// The service would hide a lead that has lost its email.
		asked: [],
	},
	newActivity: {
		resource: 'activity',
		compares: undefined,
		countsWhenFirstSeen: always,
		filters: ['source', 'keyword'],
		asked: ['source'],
	},
	activityChanged: {
		resource: 'activity',
		compares: statusFingerprint,
		countsWhenFirstSeen: withNamedStatus,
		filters: ['source', 'keyword', 'newStatuses'],
		asked: ['source'],
	},
	postStatusChanged: {
		resource: 'post',
		compares: statusFingerprint,
		// Posts begin as drafts, so an unknown post with another status has changed.
		countsWhenFirstSeen: ({ status }) => isSet(status) && !isSameWord(status, 'draft'),
		filters: ['newStatuses'],
		asked: [],
	},
	clientChanged: {
		resource: 'client',
		compares: statusFingerprint,
		countsWhenFirstSeen: always,
		filters: ['newStatuses'],
		asked: [],
	},
};

/** Whether the event is about the clients of an agency themselves. */
export const isOfClients = (event: WatchEvent): boolean => EVENTS[event].resource === 'client';

function useOf(event: WatchEvent, filters: WatchFilters): FilterUse {
	const { filters: names, asked } = EVENTS[event];
	return { used: names.filter((name) => filters[name] !== undefined), asked };
}

/** The query for the service. */
export const queryOf = (event: WatchEvent, filters: WatchFilters): JsonRecord =>
	queryFor(useOf(event, filters), filters);

/** The filters that cannot match this record, with the fields that it does not show. */
export const blindFilters = (
	event: WatchEvent,
	filters: WatchFilters,
	record: JsonRecord,
): Map<FilterName, string> => fieldsNotShown(useOf(event, filters), record);

const PASSES_FILTERS = '1';
const NO_MATCH = '0';
/** The filters have changed since the record was compared with them. */
const UNJUDGED = '-';

export function rulesFor(event: WatchEvent, filters: WatchFilters): ListRules {
	const { compares } = EVENTS[event];
	return compares === undefined
		? rulesForNew(event, filters)
		: rulesForChanges(event, { compares, filters });
}

function rulesForNew(event: WatchEvent, filters: WatchFilters): ListRules {
	const use = useOf(event, filters);
	const passes = matcherFor(use, filters);
	const matches = (record: JsonRecord): boolean => passes({ record, changed: [] });
	return {
		kind: 'new',
		width: 1,
		matches,
		counts: matches,
		entersLate: use.asked.some((name) => name === 'hasEmail' && filters[name] !== undefined),
		revalued: () => UNJUDGED,
		unreadable: NO_MATCH,
		// A record that the filters held back is delivered once it matches.
		compare: (record, known) => {
			if (known === PASSES_FILTERS) return { value: known, meaning: { kind: 'same' } };
			const isMatch = matches(record);
			const value = isMatch ? PASSES_FILTERS : NO_MATCH;
			if (known === undefined) return { value, meaning: { kind: 'unknown', counts: isMatch } };
			if (known === UNJUDGED) return { value, meaning: { kind: 'unjudged', counts: isMatch } };
			return { value, meaning: { kind: isMatch ? 'news' : 'same' } };
		},
	};
}

function rulesForChanges(
	event: WatchEvent,
	{ compares, filters }: { compares: Fingerprint; filters: WatchFilters },
): ListRules {
	const passes = matcherFor(useOf(event, filters), filters);
	const matches = (record: JsonRecord): boolean => passes({ record, changed: [] });
	const { countsWhenFirstSeen } = EVENTS[event];
	const counts = (record: JsonRecord): boolean =>
		countsWhenFirstSeen(record, filters) && matches(record);
	const fields = fieldsCounted(filters);
	const isCounted = (name: string): boolean => fields?.includes(name) !== false;
	return {
		kind: 'change',
		width: compares.width + VERSION_WIDTH,
		matches,
		counts,
		entersLate: false,
		revalued: (value) => value,
		unreadable: NO_MATCH.repeat(compares.width + VERSION_WIDTH),
		compare: (record, known, leftOut = []) => {
			if (known !== undefined)
				return compareKnown(record, known, { compares, passes, isCounted, leftOut });
			const value = compares.of(record) + spellVersion(firstVersion(updatedAt(record)));
			return { value, meaning: { kind: 'unknown', counts: counts(record) } };
		},
	};
}

interface Comparing {
	readonly compares: Fingerprint;
	readonly passes: ReturnType<typeof matcherFor>;
	readonly isCounted: (name: string) => boolean;
	readonly leftOut: readonly string[];
}

function compareKnown(
	record: JsonRecord,
	known: string,
	{ compares, passes, isCounted, leftOut }: Comparing,
): Comparison {
	const now = compares.of(record);
	const updated = updatedAt(record);
	const before = known.slice(0, compares.width);
	const last = readVersion(known.slice(compares.width));
	if (now === before || isOlder(updated, last)) return { value: known, meaning: { kind: 'same' } };
	const all = compares.changed(before, now);
	const changed = compares.hasSeveralFields ? all.filter(isCounted) : [];
	const others = all.filter((name) => !leftOut.includes(name));
	// While a field is left out, a change that no field explains may be its own.
	if (leftOut.length > 0 && others.length === 0)
		return { value: now + spellVersion(last), meaning: { kind: 'leftOut' }, changed };
	const isDue = passes({ record, before, changed: others });
	const value = now + spellVersion(nextVersion(updated, last));
	return { value, meaning: { kind: isDue ? 'news' : 'noted' }, changed };
}

/** Whether the event can deliver a record that was never seen before. */
export const mayCountWhenFirstSeen = (event: WatchEvent, filters: WatchFilters): boolean => {
	const { countsWhenFirstSeen } = EVENTS[event];
	return countsWhenFirstSeen({ status: 'published' }, filters);
};

/** Names the event and those filters that decide whether a record that is remembered counts. */
export function filtersNameOf(event: WatchEvent, filters: WatchFilters): string {
	const use = useOf(event, filters);
	return nameOf(event, EVENTS[event].compares === undefined ? use.used : askedOf(use), filters);
}

/**
 * Names the event and what the service is asked for. With another query, the service shows another
 * list, which is read as if for the first time.
 */
export const queryNameOf = (event: WatchEvent, filters: WatchFilters): string =>
	nameOf(event, askedOf(useOf(event, filters)), filters);

const askedOf = (use: FilterUse): FilterName[] => use.used.filter((name) => isAsked(use, name));

const nameOf = (event: WatchEvent, names: readonly FilterName[], filters: WatchFilters): string =>
	digestOf(canonical([event, Object.fromEntries(names.map((name) => [name, filters[name]]))]), 11);

/** When it happened, if the record says so. */
const happenedAt = (kind: 'new' | 'change', record: JsonRecord): number | undefined =>
	kind === 'new' ? createdAt(record) : (updatedAt(record) ?? createdAt(record));

/** Sorted by the records' own times if all have one, otherwise in the order of the list. */
export function oldestFirst<T extends { readonly record: JsonRecord }>(
	kind: 'new' | 'change',
	found: readonly T[],
): T[] {
	const timed = found.map((one) => ({ one, at: happenedAt(kind, one.record) ?? NaN }));
	if (timed.some(({ at }) => Number.isNaN(at))) return [...found];
	return timed.toSorted((one, other) => one.at - other.at).map(({ one }) => one);
}
