// What the document leaves open, as switches. The defaults are one reading of it, not a promise.

import type { ServiceClock } from './clock';
import type { Shapes } from './shapes';
import type { Words } from './words';

export interface Settings {
	/** 4.1 names `method_not_allowed` without a number. */
	methodNotAllowedStatus: number;
	/** Part 1 rule 4: unsupported paths may answer either way. */
	unsupportedPaths: 'not_found' | 'method_not_allowed';
	/** 5.7 says 403, 7.1 says 404 for a resource that the key cannot reach by any route. */
	outsideSubjectStatus: 403 | 404;
	createdStatus: number;
	/** The field of `published_mutation_capabilities` that carries the etag. */
	etagField: string;
	/** Serve at most this many records whatever `limit` asks for (null: what was asked). */
	limitCap: number | null;
	/** How many there are on a page without a limit: part 8 says 50. */
	defaultLimit: number;
	/** Values that the activity filter `source` accepts (null: any). */
	sourceValues: string[] | null;
	/** Fields of a post that lists, and records read one by one, do not show: 2.3 leaves it open. */
	hiddenPostFields: { list: readonly string[]; record: readonly string[] };
	/** Leads and activity "may carry" these. */
	leadTimestamps: boolean;
	leadExtras: boolean;
	activityTimestamps: boolean;
	/** The variants of 2.5. */
	mediaPublicUrl: boolean;
	mediaMaxFileSize: boolean;
	uploadUrlTtlMs: number;
	storageRequiresLength: boolean;
	/** Names of fields whose request shape the document does not show. */
	fields: {
		fastResponseInterval: string;
		fastResponseDuration: string;
		deleteMedia: string[];
		deletePost: string[];
		extraPost: string[];
		hostedPagePublished: string;
		hostedPageContent: string[];
	};
	/** Say who occupies a boost window, which 4.3 only allows. */
	boostConflictDetails: boolean;
	/** Remember refused requests under their idempotency key as well. */
	keepRejectedKeys: boolean;
	/** Turn a due scheduled post into a published one when it is looked at. */
	autoPublish: boolean;
	refreshCooldownMs: number;
	/** Send Retry-After with the refresh route's rate_limited. */
	refreshRetryAfter: boolean;
	/** List clients whose grant is not active as well. */
	listInactiveGrants: boolean;
}

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
	const defaults: Settings = {
		methodNotAllowedStatus: 405,
		unsupportedPaths: 'not_found',
		outsideSubjectStatus: 403,
		createdStatus: 201,
		etagField: 'edit_etag',
		limitCap: null,
		defaultLimit: 50,
		sourceValues: null,
		hiddenPostFields: { list: [], record: [] },
		leadTimestamps: true,
		leadExtras: true,
		activityTimestamps: true,
		mediaPublicUrl: true,
		mediaMaxFileSize: true,
		uploadUrlTtlMs: 10 * 60_000,
		storageRequiresLength: true,
		fields: {
			fastResponseInterval: 'interval_minutes',
			fastResponseDuration: 'duration_minutes',
			deleteMedia: ['path'],
			deletePost: [],
			extraPost: ['team_boost', 'workspace_id'],
			hostedPagePublished: 'published',
			hostedPageContent: ['content', 'markdown', 'content_markdown', 'body'],
		},
		boostConflictDetails: true,
		keepRejectedKeys: false,
		autoPublish: false,
		refreshCooldownMs: 60_000,
		refreshRetryAfter: true,
		listInactiveGrants: false,
	};
	const given = Object.fromEntries(
		Object.entries(options).filter(([name, value]) => name in defaults && value !== undefined),
	);
	return { ...defaults, ...given, fields: { ...defaults.fields, ...options.fields } };
}
