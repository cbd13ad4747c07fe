/**
 * Checks items without a single request. All that can be checked without asking the service comes before
 * its first request. If something has to be read for all items of a run together, each item therefore
 * runs up to its own first request before that, until one gets there.
 */
import type { BoundApi } from '../item/itemCall';

/** Thrown instead of sending a request. */
class WouldAsk extends Error {}

/**
 * The errors of all items, if none of them gets as far as a request. Otherwise undefined. What `run`
 * does with an item must have no effect outside of it.
 */
export async function failuresBeforeAsking(
	{ size, now }: { readonly size: number; readonly now: () => number },
	run: (item: number, api: BoundApi) => Promise<unknown>,
): Promise<ReadonlyMap<number, Error> | undefined> {
	const failures = new Map<number, Error>();
	for (let item = 0; item < size; item += 1) {
		let asks = false;
		const ask = () => {
			asks = true;
			throw new WouldAsk('A check asks nothing');
		};
		const failure = await run(item, asking(ask, now)).then(
			() => undefined,
			(error: unknown) => error,
		);
		if (asks || !(failure instanceof Error)) return undefined;
		failures.set(item, failure);
	}
	return failures;
}

/** `ask` takes the place of each request. */
function asking(ask: () => never, now: () => number): BoundApi {
	const refuse = async () => await Promise.resolve().then(ask);
	return {
		agency: true,
		accountId: 'not known yet',
		maxWaitMs: 0,
		now,
		call: refuse,
		requireAllowed: () => undefined,
		planned: ask,
		list: refuse,
		wait: refuse,
		upload: refuse,
		download: refuse,
		uncounted: async (work) => await work(),
		networkWord: () => undefined,
		learnNetworkWord: refuse,
	};
}
