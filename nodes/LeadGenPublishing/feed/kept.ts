/** What n8n is to keep after a poll. Pure. */
import { emitsOf, takeUpLists } from './lists/beginLists';
import { canonical } from '../api/identifiers';
import { hasListed, isLost, pollNumberOf, type Start } from './memory/pollMemory';
import type { Checked, Learned } from './lists/settleLists';
import type { Conclusion } from './conclusion';
import type { ListFailure } from './reports/listFailure';
import type { Pause } from './reports/pauses';
import { packState } from './memory/packing';
import { batchBefore } from './memory/redelivery';
import { EMPTY_REST, type RememberedList, type Rest, type State } from './memory/state';
import type { StoredHorizon } from './memory/horizon';
import type { Whose, World } from './world';

const MAX_STATUSES = 30;

export interface Kept {
	readonly checked: readonly Checked[];
	readonly state: State;
	readonly horizon: StoredHorizon;
	/** Whether n8n should keep the state. With items, it always does. */
	readonly isWorthKeeping: boolean;
}

interface Concluding {
	readonly world: World<unknown>;
	readonly start: Start;
	readonly whose: Whose;
	readonly statuses: readonly string[];
	readonly lastBatch: Rest['lastBatch'];
	readonly unsure: Pause | undefined;
}

export function restAfter(
	conclusion: Conclusion,
	{ world, start, whose, statuses, lastBatch, unsure }: Concluding,
): Rest {
	const before = start.state?.rest ?? EMPTY_REST;
	const always = {
		pending: conclusion.pending.map(withoutError),
		reportsNext: conclusion.kind === 'postpones' ? (true as const) : undefined,
		unsure,
		emits: storedEmits(world),
	};
	if (conclusion.kind === 'reportsAndUndoes')
		return { ...before, ...always, lastBatch: batchBefore(world, start) };
	const { own = before.own, isSure } = whose;
	const mayJoin = world.isOfClients && (isSure || hasListed(world.event, start));
	return {
		...always,
		own,
		statuses: statuses.slice(-MAX_STATUSES),
		lost: isLost(start) && !isSure ? true : undefined,
		hasListed: mayJoin ? true : undefined,
		lastBatch: world.redeliversLast ? lastBatch : undefined,
	};
}

const withoutError = ({ account, kind, message, cause }: ListFailure) => ({
	account,
	kind,
	message,
	cause,
});

function storedEmits({ list }: World<unknown>): Rest['emits'] {
	const emits = emitsOf(list);
	return emits === 'nothing' ? undefined : emits;
}

interface Keeping {
	readonly world: World<unknown>;
	readonly start: Start;
	readonly lists: Map<string, RememberedList>;
	readonly learned: Learned;
	readonly rest: Rest;
	readonly now: number;
}

/** What n8n is to keep. If the poll is undone, the next one finds again what this one has learned. */
export function keptAfter(
	{ kind, delivered }: Conclusion,
	{ world, start, lists, learned, rest, now }: Keeping,
): Kept {
	const { event, queryName, filtersName, process } = world;
	const { state, horizon } = start;
	const isUndone = kind === 'reportsAndUndoes';
	const sequence = state?.sequence ?? world.newSequence();
	const kept = isUndone ? takeUpLists(state, { world, horizon, now }) : lists;
	const isRefiltered = state !== undefined && state.filtersName !== filtersName;
	return {
		checked: isUndone ? [] : learned.checked,
		state: packState(
			{
				sequence,
				pollNumber: pollNumberOf(start),
				by: process,
				event,
				queryName,
				filtersName,
				rest,
			},
			kept,
		),
		horizon: horizon.after(filtersName, {
			event,
			now,
			known: isUndone ? new Map() : learned.known,
		}),
		isWorthKeeping:
			delivered.length > 0 ||
			start.kind === 'notStored' ||
			isRefiltered ||
			learned.hasLearned ||
			canonical(state?.rest ?? EMPTY_REST) !== canonical(rest),
	};
}
