/** What `npm test` plays a small part of, and `npm run test:long` plays whole. */

declare global {
	/** Set by `test/long.config.cjs`. */
	var LONG: boolean | undefined;
}

export const isLong = globalThis.LONG === true;

/** How many histories, seeds or cases: few for every change, all at night. */
export const times = (short: number, long: number): number => (isLong ? long : short);

/** Every `nth` row for every change, beginning with the first; all rows at night. */
export const sampleOf = <T>(rows: readonly T[], nth: number): T[] =>
	rows.filter((_, index) => isLong || index % nth === 0);
