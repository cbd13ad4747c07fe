/** Measures time by a clock that may be set anew while it is read. Pure. */

/** Milliseconds since some moment; never fewer than before. */
export type Clock = () => number;

/** A clock that is put back neither makes a wait longer nor begins it anew. */
export function steadyClock(read: () => number): Clock {
	let last = read();
	let elapsed = 0;
	return () => {
		const now = read();
		elapsed += Math.max(0, now - last);
		last = now;
		return elapsed;
	};
}

/** One for all, since what is remembered by it outlives a single run. */
export const processClock: Clock = steadyClock(() => Date.now());
