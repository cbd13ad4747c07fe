/**
 * Promise: many lists, one poll, and nobody blocks anybody. Who waited longest goes first, a few at
 * a time; a list that fails is given a pause of its own and named; what the others found is
 * delivered. No failure is silent: it is thrown as soon as a poll has nothing to deliver.
 */
import { conclude, type Entry, type Finished, type PollResult } from './turns/conclude';
import { listKey } from './events';
import { readList, type ListReport } from './list';
import { isOver } from './turns/pauses';
import type { PollInput } from './turns/pollInput';

export { MAX_PAUSE } from './turns/pauses';
export type { Delivery, PollResult } from './turns/conclude';
export type { ListFailure } from './turns/owed';
export type { FailureKind, PollInput, WatchedList } from './turns/pollInput';

const HARDLY_BEGUN = 1_000;
/** One list that is slow must not hold back what the others have found: it goes on next time. */
const LONGEST_READING = 60_000;

export async function pollLists(input: PollInput): Promise<PollResult> {
	const named = new Map(input.lists.map((list) => [listKey(input.scope, list.account), list]));
	const entries = [...named].map(([key, list]) => ({ ...list, key }));
	const due = inTurn(entries, input).filter(({ key }) => mayBeAsked(input, key));
	const finished: Finished[] = [];
	const begun = new Map<string, Entry & { at: number }>();
	let closed = false;
	const failing = due.filter(({ key }) => input.state.pauses[key] !== undefined);
	const sound = due.filter((entry) => !failing.includes(entry));
	const work = async (first: Entry[], then: Entry[]): Promise<void> => {
		for (;;) {
			const entry = first.shift() ?? then.shift();
			if (entry === undefined || closed || input.now() >= input.deadline) return;
			if (input.isThrottled?.() === true) return;
			begun.set(entry.key, { ...entry, at: input.now() });
			const outcome = await readOne(entry, input).then(
				(report) => ({ report }),
				(fault: unknown) => ({ fault }),
			);
			if (closed) return;
			begun.delete(entry.key);
			finished.push({ ...entry, ...outcome });
		}
	};
	// A list that failed may hang: some workers see to those, the others to the sound ones first.
	const all = Promise.all(
		Array.from({ length: Math.max(1, input.parallel) }, async (_, worker) =>
			worker < Math.floor(input.parallel / 5)
				? await work(failing, sound)
				: await work(sound, failing),
		),
	);
	await (input.expiry === undefined ? all : Promise.race([all, input.expiry]));
	closed = true;
	// One that had hardly begun has not failed: its turn is the next poll.
	const hanging = [...begun.values()].filter(({ at }) => input.now() - at >= HARDLY_BEGUN);
	return conclude(input, { entries, finished, hanging });
}

async function readOne(entry: Entry, input: PollInput): Promise<ListReport> {
	const { state, settings, lists, now } = input;
	const alone = lists.length === 1;
	const deadline = alone ? input.deadline : Math.min(input.deadline, now() + LONGEST_READING);
	const stored = state.lists[entry.key];
	const damaged = input.damaged === true && stored === undefined;
	return await readList({
		stored,
		fetchPage: entry.fetchPage,
		settings: damaged ? { ...settings, emitExisting: false } : settings,
		quietly: damaged,
		deadline,
		now,
	});
}

/** Least recently finished first; among equals a starting point drawn by lot. */
function inTurn(entries: readonly Entry[], { state, random }: PollInput): Entry[] {
	const first = Math.floor(random() * entries.length);
	const rotated = [...entries.slice(first), ...entries.slice(0, first)];
	const served = (key: string): number => state.served[key] ?? 0;
	return rotated.sort((left, right) => served(left.key) - served(right.key));
}

const mayBeAsked = ({ state, now, askAll }: PollInput, key: string): boolean =>
	askAll === true || isOver(state.pauses[key], now());
