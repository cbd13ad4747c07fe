/** Tests of which `npm test` runs a small part, and `LONG=1 npm test` all. */

declare global {
	/** Set by `test/long.config.cjs`. */
	var LONG: boolean | undefined;
}

export const isLong = globalThis.LONG === true;

/** How many histories, seeds or cases: few for every change, all at night. */
export const times = (short: number, long: number): number => (isLong ? long : short);

/**
 * All rows at night. For every change, only each `nth`, with a different start for each case, so
 * that all cases together cover all rows.
 */
export const shareOf = <T>(rows: readonly T[], of: { nth: number; index: number }): T[] =>
	rows.filter((_, place) => isLong || place % of.nth === of.index % of.nth);
