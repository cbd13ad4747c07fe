/**
 * Names that the API document does not show and that a parameter of a node has to have all the
 * same. They are guesses: whoever learns the real ones changes them here, and until then "Custom
 * Fields" can send any other name.
 */
export const ASSUMED_FIELDS = {
	/** Start Fast Response: minutes between two responses. */
	fastResponseInterval: 'interval_minutes',
	/** Start Fast Response: minutes until it ends by itself. */
	fastResponseDuration: 'duration_minutes',
	/** Delete media: the storage path which the upload gave. */
	mediaPath: 'path',
} as const;
