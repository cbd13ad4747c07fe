// What the document leaves open, as switches. The defaults are one reading of it, not a promise.

/** `test/jest.config.cjs` sets it for the tests that run in both. */
const { LIKELY_SHAPES = false } = globalThis as { LIKELY_SHAPES?: boolean };

const DEFAULTS = {
	/** The field of `published_mutation_capabilities` that carries the etag. */
	etagField: 'edit_etag',
	/** Serve at most this many records whatever `limit` asks for (null: what was asked). */
	limitCap: null as number | null,
	/** How many there are on a page without a limit: part 8 says 50. */
	defaultLimit: 50,
	/** Fields of a post that lists, and records read one by one, do not show: 2.3 leaves it open. */
	hiddenPostFields: { list: [] as readonly string[], record: [] as readonly string[] },
	/** What becomes of the notes of a post: the document does not say that they stay as they are. */
	storedNotes: 'whole' as 'whole' | 'cut' | 'empty' | 'escaped',
	/** Answer in the shapes of `likely.ts` where the document shows none. */
	likelyShapes: LIKELY_SHAPES,
	/** Leads "may carry" these. */
	leadTimestamps: true,
	/** Names of fields whose request shape the document does not show. */
	fields: { deleteMedia: ['path'] },
	/** Where the deletion of a file has them. */
	deleteMediaIn: 'body' as 'body' | 'query',
	/** Turn a due scheduled post into a published one when it is looked at. */
	autoPublish: false,
	refreshCooldownMs: 60_000,
	/** By how much the `Date` of a response is ahead, and the `Age` that a cache adds to it. */
	dateAheadMs: 0,
	age: null as number | null,
	/** List clients whose grant is not active as well. */
	listInactiveGrants: false,
	/** Reject what the description of the API does not allow, where tests have one (`watches.ts`). */
	isStrict: true,
};
export type Settings = typeof DEFAULTS;

export function settingsFrom(options: Partial<Settings>): Settings {
	const given = Object.entries(options).filter(
		([name, value]) => name in DEFAULTS && value !== undefined,
	);
	return { ...structuredClone(DEFAULTS), ...Object.fromEntries(given) };
}
