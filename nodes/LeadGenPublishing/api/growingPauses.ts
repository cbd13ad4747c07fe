/** How long to wait before looking again, in ms: each time twice as long as before, up to a limit. Pure. */

interface Limits {
	readonly firstMs: number;
	readonly longestMs: number;
}

/** Between two looks for a record that a request may have made or changed. */
export const BETWEEN_LOOKS: Limits = { firstMs: 1_000, longestMs: 10_000 };

/** Each call gives the next pause. */
export function growingPauses({ firstMs, longestMs }: Limits): () => number {
	let next = firstMs;
	return () => {
		const pause = next;
		next = Math.min(next * 2, longestMs);
		return pause;
	};
}
