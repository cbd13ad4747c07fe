import { sleep } from 'n8n-workflow';

/** Work on so many records of the usual size takes a few milliseconds. */
const SLICE = 1_000;

/**
 * The parts of a list that may be long, with a pause between them. n8n does everything in one thread, so
 * its editor and all other executions stand still as long as the node computes.
 */
export async function* slicesOf<T>(list: readonly T[]): AsyncGenerator<readonly T[]> {
	for (let from = 0; from < list.length; from += SLICE) {
		if (from > 0) await sleep(0);
		yield list.slice(from, from + SLICE);
	}
}
