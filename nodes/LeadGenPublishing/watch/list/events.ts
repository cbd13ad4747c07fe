/**
 * Promise: one row per event says which records it is about, which of their fields count, and who
 * applies the filters. The same settings always give the same list name, different settings a
 * different one.
 */
import { createHash } from 'crypto';

import type { JsonRecord } from '../../api/schemas';
import { leadFingerprint, statusFingerprint, type Fingerprint } from '../store/fingerprint';
import { canonical } from '../store/hash';

export const WATCH_EVENTS = ['newLead', 'leadChanged', 'newActivity', 'postStatusChanged'] as const;
export type WatchEvent = (typeof WATCH_EVENTS)[number];

export interface WatchFilters {
	hasEmail?: boolean;
	source?: string;
	keyword?: string;
	onlyWithIntent?: boolean;
	qualificationStatus?: string;
}

type FilterName = keyof WatchFilters;
type ServiceFilter = 'hasEmail' | 'source';
type TriggerFilter = Exclude<FilterName, ServiceFilter>;

interface EventRow {
	resource: 'lead' | 'activity' | 'post';
	/** What is delivered: unknown records, or known records whose fields have changed. */
	kind: 'new' | 'change';
	/** The fields that are compared. Others (timestamps above all) may change unnoticed. */
	compares?: Fingerprint;
	/** An unknown record counts as changed if this holds. */
	countsWhenFirstSeen?: (record: JsonRecord) => boolean;
	/** Filters applied by the service: they give a different list. */
	byService: readonly ServiceFilter[];
	/** Filters applied by the trigger to each record it reads. */
	byTrigger: readonly TriggerFilter[];
}

const LEAD_FILTERS = ['keyword', 'onlyWithIntent', 'qualificationStatus'] as const;

export const EVENTS: Record<WatchEvent, EventRow> = {
	newLead: {
		resource: 'lead',
		kind: 'new',
		byService: ['hasEmail'],
		byTrigger: LEAD_FILTERS,
	},
	leadChanged: {
		resource: 'lead',
		kind: 'change',
		compares: leadFingerprint,
		byService: ['hasEmail'],
		byTrigger: LEAD_FILTERS,
	},
	newActivity: {
		resource: 'activity',
		kind: 'new',
		byService: ['source'],
		byTrigger: ['keyword'],
	},
	postStatusChanged: {
		resource: 'post',
		kind: 'change',
		compares: statusFingerprint,
		// Posts begin as drafts, so an unknown post with another status has changed.
		countsWhenFirstSeen: ({ status }) => isSet(status) && !sameWord(status, 'draft'),
		byService: [],
		byTrigger: [],
	},
};

const isGiven = (value: unknown): boolean => (value ?? '') !== '';
const isSet = (value: unknown): boolean => isGiven(value) && value !== false;

const sameWord = (value: unknown, wanted: string): boolean =>
	typeof value === 'string' && value.trim().toLowerCase() === wanted.trim().toLowerCase();

const MATCHES: Record<TriggerFilter, (record: JsonRecord, filters: WatchFilters) => boolean> = {
	keyword: (record, { keyword = '' }) => sameWord(record.latest_keyword ?? record.keyword, keyword),
	onlyWithIntent: (record) => record.has_intent === true,
	qualificationStatus: (record, { qualificationStatus = '' }) =>
		sameWord(record.qualification_status, qualificationStatus),
};

/** How the records of one list are compared: all that the engine knows about an event. */
export interface ListRules {
	kind: 'new' | 'change';
	/** Bits stored beside each remembered record. */
	width: number;
	matches(record: JsonRecord): boolean;
	fingerprint(record: JsonRecord): number;
	/** Whether an unknown record counts as changed. */
	countsWhenFirstSeen(record: JsonRecord): boolean;
}

export function rulesFor(event: WatchEvent, filters: WatchFilters): ListRules {
	const row = EVENTS[event];
	const ours = row.byTrigger.filter((name) => isSet(filters[name]));
	const flag = ours.length > 0 ? 1 : 0;
	return {
		kind: row.kind,
		width: row.compares?.width ?? flag,
		matches: (record) => ours.every((name) => MATCHES[name](record, filters)),
		fingerprint: (record) => row.compares?.of(record) ?? 0,
		countsWhenFirstSeen: row.countsWhenFirstSeen ?? (() => false),
	};
}

/** The filters that the service is asked for: one that is off is not one that is not there. */
export const askedFilters = (event: WatchEvent, filters: WatchFilters): readonly ServiceFilter[] =>
	EVENTS[event].byService.filter((name) => isGiven(filters[name]));

/**
 * Names everything that decides which records count. Each watched account has a list of its own
 * below this name, so that another filter starts over and another account does not.
 */
export function scopeOf(event: WatchEvent, filters: WatchFilters): string {
	const ours = EVENTS[event].byTrigger.filter((name) => isSet(filters[name]));
	const used = [...askedFilters(event, filters), ...ours].map((name) => [name, filters[name]]);
	const text = canonical([event, Object.fromEntries(used)]);
	return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}

/** What lists with "Has Email" off were named before; it is the name of those without that filter. */
export const formerScopeOf = (event: WatchEvent, filters: WatchFilters): string =>
	scopeOf(event, filters.hasEmail === false ? { ...filters, hasEmail: undefined } : filters);

export const listKey = (scope: string, account: string): string => `${scope}.${account}`;

const CREATED = [
	'created_at',
	'createdAt',
	'captured_at',
	'occurred_at',
	'received_at',
	'timestamp',
];
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
