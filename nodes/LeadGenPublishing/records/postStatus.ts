/** The status of a post. Pure. */

/** A service may show its statuses in another case. */
export const postStatus = (status: unknown): unknown =>
	typeof status === 'string' ? status.trim().toLowerCase() : status;
