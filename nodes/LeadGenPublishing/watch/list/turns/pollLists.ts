/**
 * Polls several lists. Promise: no list blocks another. The longest waiting list goes first, a few
 * are read concurrently; a list that fails is paused and named, and what the others have found is
 * delivered. No failure is silent: it is thrown as soon as a poll has nothing to deliver.
 */
import { buildResult, type NamedList, type FinishedList, type PollResult } from './pollResult';
import { listKey } from '../events';
import { pollList, type ListReport } from '../pollList';
import { accountOfKey } from '../../store/accountNames';
import { silentNewList } from '../../store/listState';
import { isPauseOver } from '../../store/pauses';
import type { WatchState } from '../../store/state';
import type { PollInput } from './pollInput';

export { MAX_PAUSE } from '../../store/pauses';
export type { Delivery, PollResult } from './pollResult';
export { countFailure, isReported, withoutCause, type ListFailure } from './pendingFailures';
export type { ClassifiedFailure, PollInput, WatchedList } from './pollInput';

const MIN_WAIT_MS = 1_000;
/** A slow list must not delay the items of the others: it continues in the next poll. */
const MAX_READING_MS = 60_000;

export async function pollLists(given: PollInput): Promise<PollResult> {
	const input = { ...given, state: withNewNames(given) };
	const named = new Map(input.lists.map((list) => [listKey(input.scope, list.account), list]));
	const entries = [...named].map(([key, list]) => ({ ...list, key }));
	const dueLists = longestWaitingFirst(entries, input).filter(({ key }) => isDue(input, key));
	const finished: FinishedList[] = [];
	const inProgress = new Map<string, NamedList & { at: number }>();
	let closed = false;
	const failing = dueLists.filter(({ key }) => input.state.pauses[key] !== undefined);
	const healthy = dueLists.filter((entry) => !failing.includes(entry));
	const work = async (first: NamedList[], then: NamedList[]): Promise<void> => {
		for (;;) {
			const entry = first.shift() ?? then.shift();
			if (entry === undefined || closed || input.now() >= input.deadline) return;
			if (input.isThrottled?.() === true) return;
			inProgress.set(entry.key, { ...entry, at: input.now() });
			const outcome = await readOne(entry, input).then(
				(report) => ({ report }),
				(fault: unknown) => ({ fault }),
			);
			inProgress.delete(entry.key);
			finished.push({ ...entry, ...outcome });
		}
	};
	// Lists that failed before may hang: some workers read those first, the others the healthy
	// ones. The latter begin, since the service may let only one request through at first.
	const all = Promise.all(
		Array.from({ length: Math.max(1, input.parallel) }, async (_, worker) =>
			worker < input.parallel - Math.floor(input.parallel / 5)
				? await work(healthy, failing)
				: await work(failing, healthy),
		),
	);
	await (input.expiry === undefined ? all : Promise.race([all, input.expiry]));
	closed = true;
	// A list that has only just been started has not failed: the next poll reads it.
	const timedOut = [...inProgress.values()].filter(({ at }) => input.now() - at >= MIN_WAIT_MS);
	return buildResult(input, { entries, finished, timedOut });
}

async function readOne(entry: NamedList, input: PollInput): Promise<ListReport> {
	const { state, settings, lists, now } = input;
	const alone = lists.length === 1;
	const deadline = alone ? input.deadline : Math.min(input.deadline, now() + MAX_READING_MS);
	const stored = state.lists[entry.key];
	const damaged = input.damaged === true && stored === undefined;
	return await pollList({
		stored,
		fetchPage: entry.fetchPage,
		settings,
		silent: damaged,
		deadline,
		now,
	});
}

function withNewNames({ state, scope, formerScope, settings, now }: PollInput): WatchState {
	if (formerScope === undefined || formerScope === scope) return state;
	const lists = { ...state.lists };
	for (const key of Object.keys(lists))
		if (key.startsWith(`${formerScope}.`))
			lists[listKey(scope, accountOfKey(key))] ??= silentNewList(settings.rules.width, now());
	return { ...state, lists };
}

/** Least recently completed or failed first; equals in a random rotation. */
function longestWaitingFirst(
	entries: readonly NamedList[],
	{ state, random }: PollInput,
): NamedList[] {
	const first = Math.floor(random() * entries.length);
	const rotated = [...entries.slice(first), ...entries.slice(0, first)];
	const served = (key: string): number => state.served[key] ?? 0;
	return rotated.sort((left, right) => served(left.key) - served(right.key));
}

const isDue = ({ state, now, ignorePauses }: PollInput, key: string): boolean =>
	ignorePauses === true || isPauseOver(state.pauses[key], now());
