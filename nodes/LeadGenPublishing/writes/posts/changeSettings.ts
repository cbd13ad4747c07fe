/** What the user has chosen for the change of a post. */
export interface ChangeSettings {
	/** The version that the user has reviewed. */
	readonly etag?: string;
	/** The user's own idempotency key. */
	readonly key?: string;
	/** Whether a newer version of a published post may be overwritten. */
	readonly mayOverwrite: boolean;
	/** Whether the post may be moved to keep its distance from another boosted post. */
	readonly mayMove: boolean;
}
