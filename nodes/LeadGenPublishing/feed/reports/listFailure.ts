/** What a poll reports: failures of lists, and announcements about lists that did not fail. */
import { ALL_LISTS } from '../names';

export interface ClassifiedFailure {
	/** Part of the message: `rate-limited`, `forbidden`, `unreachable`, … */
	readonly kind: string;
	readonly message: string;
	/** Failures with the same cause are reported together, once an hour. It holds no text. */
	readonly cause: string;
	readonly retryAfterMs?: number;
	/** Whether retrying soon is useless, as with a revoked grant or a wrong key. */
	readonly lasting?: boolean;
}

export interface ListFailure {
	/** `own`, a client's ID, or one of the names in `names.ts`. */
	readonly account: string;
	readonly kind: string;
	readonly message: string;
	/** Undefined for an announcement. */
	readonly cause?: string | undefined;
	readonly error?: unknown;
	/** The number of failures in a row, if this one may be temporary and is not reported. */
	readonly tolerated?: number;
	/** Whether the head of the list could be read. */
	readonly isAfterHead?: boolean;
}

const records = (count: number): string => (count === 1 ? 'A record' : `${count} records`);

const TELL_SUPPORT = " Report this to the service's support.";

/**
 * Announcements about lists that did not fail. Each consists of complete sentences, and says what to
 * do.
 */
const ANNOUNCEMENTS = {
	'blank-page': (at: number) =>
		`The service reports more records from position ${at} on, but returns only empty pages there. The trigger treats this as the end of the list. Records after it are not watched.${TELL_SUPPORT}`,
	'clients-incomplete': () =>
		`The service reports more clients than it lists. The trigger watches only the listed clients. It cannot see the others, and they do not count as gone.${TELL_SUPPORT}`,
	'damaged-state': () =>
		'The stored state of the trigger was damaged. Records that were created since the last complete check are delivered if the service shows when they were created. Some of them may come again, with the same dedupe_key, so update by ID. All other records in the list now count as delivered.',
	'damaged-twice': () =>
		'The stored state of the trigger was damaged. All records in the list now count as delivered, so records that arrived since the last poll are missing. Compare the list with your CRM.',
	'grant-ended': () =>
		'The grant has ended, so this list is no longer watched. Ask the client to renew the grant.',
	'held-back': (count: number, latest: string) =>
		`${records(count)} appeared after the list was first read, and nothing shows that ${count === 1 ? 'it is' : 'they are'} new${latest}. ${count === 1 ? 'It counts' : 'They count'} as existing. To get ${count === 1 ? 'it' : 'them'}, set "Start From" to an earlier date. If records show no creation time, turn on "Emit Existing".`,
	'list-full': (count: number) =>
		`The list has more than the ${count} records that the trigger can remember. New records are not delivered until older ones have been gone from the list for 30 days. Narrow the filters.`,
	'lost-scan': () =>
		'n8n was restarted before the first reading of this list had ended. Records that arrived in between count as existing if they show no creation time. Compare the list with your CRM.',
	'no-effect': (count: number, names: string) =>
		count > 1
			? `${names} have no effect on this event. Remove these options.`
			: `${names} has no effect on this event. Remove the option.`,
	'no-time-zone': () =>
		"Records show times without a time zone, and the trigger reads them as UTC. If they are local times, records from the first hours may count as existing, or older ones as new. Ask the service's support which time zone it uses.",
	stalled: () =>
		`The complete check of this list is stuck, although the service responds. Records that appear in the middle of the list may be missed.${TELL_SUPPORT}`,
	/** The caller says why. */
	'no-clients': (_: number, why: string) => why,
	'no-creation-time': (count: number) =>
		`"Start From" has no effect on records that show no creation time (so far: ${count}). The trigger delivers such records if they appear from now on. To get existing ones, turn on "Emit Existing" instead.`,
	'no-id': (count: number) =>
		`The trigger ignores ${count === 1 ? 'an entry, because it has' : `${count} entries, because they have`} no ID.${TELL_SUPPORT}`,
	'other-account': (_: number, what: string) =>
		`The API key in the credential belongs to a different account than before. ${what} If you replaced the key by mistake, enter the earlier key again.`,
	'out-of-reach': (count: number) =>
		`The service shows only about the first ${count} records of the list. Records after them are not watched.${TELL_SUPPORT}`,
	'changing-field': (_: number, fields: string) =>
		`${fields} keeps changing for all records at once, like a signed link or a counter. These changes do not start the workflow until the field has stayed the same for two days. To choose the fields that count, use "Changed Fields".`,
	'repeating-pages': () =>
		`The service shows the same records at every offset, so only the first page of the list is watched.${TELL_SUPPORT}`,
	/** Not `unreadable`, because that is the kind of a list with a damaged response. */
	'too-deep': (count: number) =>
		`${records(count)} ${count === 1 ? 'is' : 'are'} nested too deeply to be read, so the trigger ignores ${count === 1 ? 'it' : 'them'}. n8n could not store ${count === 1 ? 'it' : 'them'} either.${TELL_SUPPORT}`,
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
