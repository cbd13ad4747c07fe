/**
 * What the user is told about the lists: failures, and what is worth telling although no list
 * failed. Pure.
 */

/** The account name of failures of the list of clients itself, and of what concerns all lists. */
export const CLIENT_LIST = 'clients';
export const ALL_LISTS = 'all';

const records = (count: number): string => (count === 1 ? 'A record' : `${count} records`);

/** What is told although no list failed: each is a sentence of its own. */
const ANNOUNCEMENTS = {
	'asked-to-wait': () =>
		'The service asked to be left alone for an hour or more, so no list is read until then.',
	'damaged-state': () =>
		'What the trigger remembered was damaged. What is in the list now counts as delivered; what came since the last sound state may have been passed over.',
	'list-full': (count: number) =>
		`The list has grown past the ${count} records that the trigger can remember.`,
	/** Why, says the caller. */
	'lost-scan': () =>
		'n8n was restarted before the first reading of this list had ended, and had not kept how far it had come. What came in between counts as existing.',
	'no-clients': () => '',
	'no-id': (count: number) =>
		`${records(count)} without an ID cannot be told from others, so the trigger passes over what has none.`,
	'other-account': () =>
		'The API key in the credential belongs to another account than before, as far as the service and its records tell.',
	'out-of-reach': (count: number) =>
		`The service shows no more than about the first ${count} records of the list, so what stands behind them is not watched.`,
	unreadable: (count: number) =>
		`${records(count)} nested too deep to be read: the trigger passes over what n8n could not store either.`,
	'unsaved-scan': () =>
		'The list is still being read for the first time, and n8n does not keep how far that has come. If n8n restarts before it is done, reading begins anew, and what came in between counts as existing. With durable cursors n8n keeps it.',
} satisfies Record<string, (count: number) => string>;

type Announcement = keyof typeof ANNOUNCEMENTS;

export interface ListFailure {
	/** `own`, a client's ID, or one of the names above. */
	readonly account: string;
	readonly kind: string;
	readonly message: string;
	readonly error?: unknown;
	readonly retryAfterMs?: number;
}

export const announce = (
	kind: Announcement,
	{
		account = ALL_LISTS,
		count = 0,
		more = '',
	}: { account?: string; count?: number; more?: string },
): ListFailure => ({
	account,
	kind,
	message: [ANNOUNCEMENTS[kind](count), more].filter((text) => text !== '').join(' '),
});

export const isAnnouncement = ({ kind }: Pick<ListFailure, 'kind'>): boolean =>
	Object.hasOwn(ANNOUNCEMENTS, kind);
