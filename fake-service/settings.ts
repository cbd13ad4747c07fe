// What the document leaves open, as switches. The defaults are one reading of it, not a promise.

import type { ServiceClock } from './clock';
import type { Shapes } from './shapes';
import type { Words } from './words';

const DEFAULTS = {
	/** 4.1 names `method_not_allowed` without a number. */
	methodNotAllowedStatus: 405,
	/** Part 1 rule 4: unsupported paths may answer either way. */
	unsupportedPaths: 'not_found' as 'not_found' | 'method_not_allowed',
	/** 5.7 says 403, 7.1 says 404 for a resource that the key cannot reach by any route. */
	outsideSubjectStatus: 403 as 403 | 404,
	createdStatus: 201,
	/** The field of `published_mutation_capabilities` that carries the etag. */
	etagField: 'edit_etag',
	/** Serve at most this many records whatever `limit` asks for (null: what was asked). */
	limitCap: null as number | null,
	/** How many there are on a page without a limit: part 8 says 50. */
	defaultLimit: 50,
	/** Values that the activity filter `source` accepts (null: any). */
	sourceValues: null as string[] | null,
	/** Fields of a post that lists, and records read one by one, do not show: 2.3 leaves it open. */
	hiddenPostFields: { list: [] as readonly string[], record: [] as readonly string[] },
	/** Leads and activity "may carry" these. */
	leadTimestamps: true,
	leadExtras: true,
	activityTimestamps: true,
	/** The variants of 2.5. */
	mediaPublicUrl: true,
	mediaMaxFileSize: true,
	uploadUrlTtlMs: 10 * 60_000,
	storageRequiresLength: true,
	/** Names of fields whose request shape the document does not show. */
	fields: {
		fastResponseInterval: 'interval_minutes',
		fastResponseDuration: 'duration_minutes',
		deleteMedia: ['path'],
		deletePost: [] as string[],
		extraPost: ['team_boost', 'workspace_id'],
		hostedPagePublished: 'published',
		hostedPageContent: ['content', 'markdown', 'content_markdown', 'body'],
	},
	/** Say who occupies a boost window, which 4.3 only allows. */
	boostConflictDetails: true,
	/** Remember refused requests under their idempotency key as well. */
	keepRejectedKeys: false,
	/** Turn a due scheduled post into a published one when it is looked at. */
	autoPublish: false,
	refreshCooldownMs: 60_000,
	/** Send Retry-After with the refresh route's rate_limited. */
	refreshRetryAfter: true,
	/** List clients whose grant is not active as well. */
	listInactiveGrants: false,
};
export type Settings = typeof DEFAULTS;

export interface ServiceOptions extends Partial<Omit<Settings, 'fields'>> {
	fields?: Partial<Settings['fields']>;
	port?: number;
	storagePort?: number;
	controlPort?: number;
	basePath?: string;
	/** Start the control page and its API too. */
	control?: boolean;
	clock?: ServiceClock;
	/** Instead of real time, for requests that are handled late. */
	pause?: (ms: number) => Promise<void>;
	seed?: number;
	/** Answer in the shapes that a diagnosis has saved. */
	shapes?: Shapes;
	/** What the service and its network are really called. */
	words?: Words;
	/** `small` gives every account a handful of records, `none` gives none. */
	sample?: 'small' | 'none';
}

export function settingsFrom(options: ServiceOptions): Settings {
	const given = Object.fromEntries(
		Object.entries(options).filter(([name, value]) => name in DEFAULTS && value !== undefined),
	);
	return {
		...structuredClone(DEFAULTS),
		...given,
		fields: { ...DEFAULTS.fields, ...options.fields },
	};
}
