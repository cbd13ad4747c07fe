/** What a poll has to tell the user: failures of lists, and news about them although none failed. */
import { ALL_LISTS } from './names';

export interface ClassifiedFailure {
	/** Part of the message: `rate-limited`, `forbidden`, `unreachable`, … */
	readonly kind: string;
	readonly message: string;
	readonly retryAfterMs?: number;
	/** Retrying soon does not help, as with a revoked grant or a wrong key. */
	readonly lasting?: boolean;
}

export interface ListFailure {
	/** `own`, a client's ID, or one of the names in `names.ts`. */
	readonly account: string;
	readonly kind: string;
	readonly message: string;
	readonly error?: unknown;
	/** How many failures in a row it is, while it may be temporary and is not reported. */
	readonly tolerated?: number;
	/** The head of the list could be read. */
	readonly isAfterHead?: boolean;
}

const records = (count: number): string => (count === 1 ? 'A record' : `${count} records`);

/** Announcements although no list failed. Each is a complete sentence. */
const ANNOUNCEMENTS = {
	'blank-page': (at: number) =>
		`The service announces more records from position ${at} on, but returns an empty page there. Later records are not watched.`,
	'damaged-state': () =>
		'The stored state of the trigger was damaged. Records that were created since the last poll are delivered if the service shows when they were created. All other records in the list now count as delivered.',
	'damaged-twice': () =>
		'The stored state of the trigger was damaged. All records in the list now count as delivered, so records that arrived since the last poll are missing. Compare the list with your CRM.',
	'grant-ended': () =>
		'The grant of this client has ended, so its list is no longer watched. Ask the client to renew the grant.',
	'list-full': (count: number) =>
		`The list has more than the ${count} records that the trigger can remember. New records wait. Narrow the filters.`,
	'lost-scan': () =>
		'n8n was restarted before the first reading of this list had ended. Records that arrived in between count as existing, because they show no creation time.',
	/** Why, says the caller. */
	'no-clients': (_: number, why: string) => why,
	'no-creation-time': () =>
		'"Start From" has no effect: the records show no creation time. The trigger delivers records that appear from now on.',
	'no-id': (count: number) =>
		`${records(count)} without an ID cannot be recognized, so the trigger ignores records without an ID.`,
	'other-account': (_: number, what: string) =>
		`The API key in the credential belongs to another account than before. ${what}`,
	'out-of-reach': (count: number) =>
		`The service shows only about the first ${count} records of the list. Records after them are not watched.`,
	'repeating-pages': () =>
		'The service shows the same records at every offset, so only the first page of the list is watched.',
	/** Not `unreadable`, which is what a failed list is called whose answer is damaged. */
	'too-deep': (count: number) =>
		`${records(count)} with too many nested levels cannot be read, so the trigger ignores records like this. n8n could not store them either.`,
} satisfies Record<string, (count: number, more: string) => string>;

export type AnnouncementKind = keyof typeof ANNOUNCEMENTS;
export const ANNOUNCEMENT_KINDS = Object.keys(ANNOUNCEMENTS) as AnnouncementKind[];

type AnnouncementDetails = Partial<{ account: string; count: number; more: string }>;

export const announce = (
	kind: AnnouncementKind,
	{ account = ALL_LISTS, count = 0, more = '' }: AnnouncementDetails = {},
): ListFailure => ({ account, kind, message: ANNOUNCEMENTS[kind](count, more) });

export const isAnnouncement = ({ kind }: Pick<ListFailure, 'kind'>): boolean =>
	Object.hasOwn(ANNOUNCEMENTS, kind);

export const keyOf = ({ kind, account }: ListFailure): string => `${kind} ${account}`;
