/**
 * Promise: finds a place near the end of a list of unknown length, with about two requests per
 * doubling of the list. Pure.
 */
export interface ProbedPage {
	readonly count: number;
	readonly hasMore: boolean;
}

/** A list that announces more for ever has no end to be found. */
const MAX_OFFSET = 1e6;

/** The offset of the last page with records; undefined if `probe` gives up. */
export async function lastPageOffset(
	probe: (offset: number) => Promise<ProbedPage | undefined>,
	{ from, limit }: { from: number; limit: number },
): Promise<number | undefined> {
	let filled = from;
	let step = limit;
	let empty: number | undefined;
	for (;;) {
		const offset: number = empty === undefined ? filled + step : middle(filled, { empty, limit });
		if (offset === filled) return filled;
		if (offset > MAX_OFFSET) return undefined;
		const page = await probe(offset);
		if (page === undefined) return undefined;
		if (page.count > 0 && !page.hasMore) return offset;
		if (page.count > 0) filled = offset;
		else empty = offset;
		step *= 2;
	}
}

/** Halfway between, in whole pages. */
const middle = (filled: number, { empty, limit }: { empty: number; limit: number }): number =>
	filled + Math.floor((empty - filled) / 2 / limit) * limit;
