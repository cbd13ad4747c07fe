/** Measures elapsed time with a clock that may be reset meanwhile. Pure. */

/** Milliseconds since an arbitrary moment; never decreases. */
export type Clock = () => number;

/** Setting the clock back neither extends nor restarts a wait. */
export function steadyClock(read: () => number): Clock {
	let last = read();
	let elapsed = last;
	return () => {
		const now = read();
		elapsed += Math.max(0, now - last);
		last = now;
		return elapsed;
	};
}

/** Shared, because what is timed with it outlives a single run. */
export const processClock: Clock = steadyClock(() => Date.now());
