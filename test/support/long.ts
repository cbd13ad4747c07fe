/** What `npm test` plays a small part of, and `LONG=1 npm test` plays whole. */

declare global {
	/** Set by `test/long.config.cjs`. */
	var LONG: boolean | undefined;
}

const isLong = globalThis.LONG === true;

/** How many histories, seeds or cases: few for every change, all at night. */
export const times = (short: number, long: number): number => (isLong ? long : short);

/**
 * All rows at night. For every change each `nth`, beginning with another for each case, so that over
 * all cases every row is met.
 */
export const shareOf = <T>(rows: readonly T[], of: { nth: number; index: number }): T[] =>
	rows.filter((_, place) => isLong || place % of.nth === of.index % of.nth);
