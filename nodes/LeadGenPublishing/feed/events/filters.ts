/**
 * The filters of the trigger: those that the service applies, and those that the trigger applies.
 */
import type { JsonRecord } from '../../api/schemas';
import { PROFILE_URL } from '../../api/wire';
import { isSameWord } from '../../records/sameWord';
import {
	hasEmail,
	hasIntent,
	intentOf,
	keywordOf,
	qualificationOf,
	statusOf,
} from '../../records/shownFields';
import { hadEmail } from './fingerprint';

export const CHANGED_FIELDS = ['email', 'intent', 'keyword', 'profile', 'qualification'] as const;
export type ChangedField = (typeof CHANGED_FIELDS)[number];

/** Only filters that are set. A filter that is switched off is not the same as one that is absent. */
export interface WatchFilters {
	hasEmail?: boolean;
	source?: string;
	keyword?: string;
	onlyWithIntent?: boolean;
	qualificationStatus?: string;
	changedFields?: readonly ChangedField[];
	newStatuses?: readonly string[];
}
export type FilterName = keyof WatchFilters;

/** A record, and for a change what it was before. */
interface Candidate {
	readonly record: JsonRecord;
	/** The remembered fingerprint. Undefined if the record is new. */
	readonly before?: string;
	/** Names of the fields that have changed. */
	readonly changed: readonly string[];
}

/** The fields that a change can concern, by their names in items. */
const FIELDS: Readonly<Record<ChangedField, readonly string[]>> = {
	email: ['emails'],
	intent: ['has_intent'],
	keyword: ['latest_keyword'],
	profile: ['name', PROFILE_URL],
	qualification: ['qualification_status'],
};

/** The fields whose changes count, unless all of them do. */
export const fieldsCounted = ({ changedFields }: WatchFilters): readonly string[] | undefined =>
	changedFields?.flatMap((field) => FIELDS[field]);

type Matches = (candidate: Candidate, filters: WatchFilters) => boolean;

/** Filters that the trigger applies to each record that it reads. */
const MATCHES: Readonly<Record<Exclude<FilterName, 'source'>, Matches>> = {
	// A lead that gains or loses its email is a change of both kinds of leads.
	hasEmail: ({ record, before }, { hasEmail: wanted }) =>
		hasEmail(record) === wanted || (before !== undefined && hadEmail(before) === wanted),
	keyword: ({ record }, { keyword = '' }) => isSameWord(keywordOf(record), keyword),
	onlyWithIntent: ({ record }) => hasIntent(record),
	qualificationStatus: ({ record }, { qualificationStatus = '' }) =>
		isSameWord(qualificationOf(record), qualificationStatus),
	// A change that no field explains must not be lost.
	changedFields: ({ changed }, { changedFields = [] }) =>
		changed.length === 0 ||
		changedFields.some((field) => FIELDS[field].some((name) => changed.includes(name))),
	newStatuses: ({ record }, { newStatuses = [] }) =>
		newStatuses.some((status) => isSameWord(statusOf(record), status)),
};

interface LooksAt {
	readonly fields: string;
	readonly of: (record: JsonRecord) => unknown;
}

/** The fields that each filter looks at, and their value in a record. */
const LOOKS_AT: Readonly<Record<FilterName, LooksAt | undefined>> = {
	// The service applies these, or a lead without the field counts as one without an email.
	source: undefined,
	hasEmail: undefined,
	// A change that no field explains passes.
	changedFields: undefined,
	keyword: { fields: '"latest_keyword" or "keyword"', of: keywordOf },
	newStatuses: { fields: '"status"', of: statusOf },
	onlyWithIntent: { fields: '"has_intent"', of: intentOf },
	qualificationStatus: { fields: '"qualification_status"', of: qualificationOf },
};

/** Filters that cannot match this record, because it does not show their fields, and these fields. */
export const fieldsNotShown = ({ used }: FilterUse, record: JsonRecord): Map<FilterName, string> =>
	new Map(
		used.flatMap((name) => {
			const looksAt = LOOKS_AT[name];
			const isShown = looksAt === undefined || looksAt.of(record) !== undefined;
			return isShown ? [] : [[name, looksAt.fields] as const];
		}),
	);

/** The filters that the service can apply, and their names there. */
const ASKED = { hasEmail: 'has_email', source: 'source' } as const;
export type ServiceFilter = keyof typeof ASKED;

export interface FilterUse {
	/** Filters of the event that are set. */
	readonly used: readonly FilterName[];
	/** Filters that the service applies, so that no page has other records. */
	readonly asked: readonly ServiceFilter[];
}

/** Whether the service applies it, so that every record it returns passes. */
export const isAsked = ({ asked }: FilterUse, name: FilterName): boolean =>
	asked.some((one) => one === name);

export const queryFor = ({ used, asked }: FilterUse, filters: WatchFilters): JsonRecord =>
	Object.fromEntries(
		asked.filter((name) => used.includes(name)).map((name) => [ASKED[name], filters[name]]),
	);

/** Whether a record passes the filters that are left to the trigger. */
export const matcherFor =
	(use: FilterUse, filters: WatchFilters) =>
	(candidate: Candidate): boolean =>
		use.used.every(
			(name) => isAsked(use, name) || name === 'source' || MATCHES[name](candidate, filters),
		);
