/**
 * Promise: one row per event says which records it is about, which of their fields count, and who
 * applies the filters. The same settings always give the same list name, different settings a
 * different one.
 */
import { canonical } from '../api/identifiers';
import type { JsonRecord } from '../api/schemas';
import { digestOf } from '../feed/hash';
import type { ListRules } from '../feed/rules';
import { isSameWord } from '../records/sameWord';
import { createdAt, updatedAt } from '../records/times';
import {
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
import { firstStamp, isOlder, nextStamp, readStamp, spellStamp, STAMP_WIDTH } from './stamp';

export const WATCH_EVENTS = [
	'activityChanged',
	'leadChanged',
	'newActivity',
	'newLead',
	'postStatusChanged',
] as const;
export type WatchEvent = (typeof WATCH_EVENTS)[number];

interface EventRow {
	readonly resource: 'lead' | 'activity' | 'post';
	/** The fields that are compared. Undefined if only new records are delivered. */
	readonly compares: Fingerprint | undefined;
	/** Whether a record that appears counts as changed, too. */
	readonly countsWhenFirstSeen: (record: JsonRecord) => boolean;
	readonly filters: readonly FilterName[];
	/** The filters that the service applies. */
	readonly asked: readonly ServiceFilter[];
}

const isSet = (value: unknown): boolean => (value ?? '') !== '' && value !== false;
const always = (): boolean => true;
const never = (): boolean => false;

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
		countsWhenFirstSeen: never,
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
};

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
const HELD_BACK = '0';

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
	const width = use.used.some((name) => !isAsked(use, name)) ? 1 : 0;
	return {
		kind: 'new',
		width,
		matches,
		unreadable: HELD_BACK.repeat(width),
		// A record that the filters held back is delivered once it matches.
		compare: (record, known) => {
			if (known === PASSES_FILTERS || known === '')
				return { value: known, meaning: { kind: 'same' } };
			const isMatch = matches(record);
			const value = (isMatch ? PASSES_FILTERS : HELD_BACK).repeat(width);
			if (known === undefined) return { value, meaning: { kind: 'unknown', counts: isMatch } };
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
	return {
		kind: 'change',
		width: compares.width + STAMP_WIDTH,
		matches,
		unreadable: HELD_BACK.repeat(compares.width + STAMP_WIDTH),
		compare: (record, known) => {
			const now = compares.of(record);
			const updated = updatedAt(record);
			if (known === undefined) {
				const counts = countsWhenFirstSeen(record) && matches(record);
				const value = now + spellStamp(firstStamp(updated));
				return { value, meaning: { kind: 'unknown', counts } };
			}
			const before = known.slice(0, compares.width);
			const last = readStamp(known.slice(compares.width));
			if (now === before || isOlder(updated, last))
				return { value: known, meaning: { kind: 'same' } };
			const isDue = passes({ record, before, changed: compares.changed(before, now) });
			const value = now + spellStamp(nextStamp(updated, last));
			return { value, meaning: { kind: isDue ? 'news' : 'noted' } };
		},
	};
}

/**
 * Names everything that decides what is remembered. Each watched account has a list of its own under
 * this name, so that another filter starts over and another account does not. A filter of changes
 * only decides what is delivered.
 */
export function scopeOf(event: WatchEvent, filters: WatchFilters): string {
	const use = useOf(event, filters);
	const deciding =
		EVENTS[event].compares === undefined ? use.used : use.used.filter((name) => isAsked(use, name));
	const named = Object.fromEntries(deciding.map((name) => [name, filters[name]]));
	return digestOf(canonical([event, named]), 11);
}

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
