/**
 * Field names that the API document does not show but that parameters of the node need. They are
 * guesses: change them here once the real names are known. Until then, "Custom Fields" can send any
 * other name.
 */
/**
 * @doubt deleteMediaBody
 * @doubt fastResponseFields
 */
export const ASSUMED_FIELDS = {
	/** Start Fast Response: minutes between two responses. */
	fastResponseInterval: 'interval_minutes',
	/** Start Fast Response: minutes until it ends. */
	fastResponseDuration: 'duration_minutes',
	/** Delete media: the storage path returned by the upload. */
	mediaPath: 'path',
} as const;
