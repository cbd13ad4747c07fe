/**
 * One poll: the state, whose lists, their pages, what is new, the items, and the new state. It gets
 * n8n and the service as a `World`, so that a simulation can play both. Pure.
 */
import { emitsOf, markUnwatched, takeUpLists, withLists } from './lists/beginLists';
import type { Marked } from './delivery';
import { oldestFirst } from './events/events';
import type { StoredHorizon } from './memory/horizon';
import { announce, type ListFailure } from './reports/listFailure';
import { isOver, LONGEST_ASKED_FOR } from './reports/pauses';
import { beginPoll, endPoll, type PollMemory, type Start } from './memory/pollMemory';
import { readLists, READING_SHARE, type ReadList } from './lists/readLists';
import { againFirst, markDelivered, resumeLastBatch } from './memory/redelivery';
import { Reports } from './reports/reports';
import { settleLists, type Checked } from './lists/settleLists';
import { EMPTY_REST, packState, type Rest, type State } from './memory/state';
import type { World } from './world';

const MINUTE = 60_000;
const MAX_STATUSES = 30;

export interface PollResult<Item> {
	readonly items: readonly Item[];
	readonly delivered: readonly Marked[];
	readonly accounts: readonly string[];
	readonly checked: readonly Checked[];
	readonly state: State;
	readonly horizon: StoredHorizon;
	/** Whether n8n should keep the state. With items, it always does. */
	readonly isWorthKeeping: boolean;
	/** What this poll reports by failing. Then it delivers nothing. */
	readonly toReport: readonly ListFailure[];
	readonly failures: readonly ListFailure[];
	readonly requests: number;
	/** For how long no list is read, because the service asked all of them to wait (ms). */
	readonly quietForMs: number;
}

/**
 * `busy`: another poll is running, and nothing was done. `late`: another one has begun meanwhile, so
 * this one must neither deliver nor store anything.
 */
export async function poll<Item>(
	world: World<Item>,
	memory: PollMemory,
): Promise<PollResult<Item> | 'busy' | 'late'> {
	const { stored, ms, process } = world;
	const start = beginPoll(memory, { stored, now: world.now(), ms, process });
	if (start === undefined) return 'busy';
	const result = await pollFrom(world, { start, memory }).catch((error: unknown): never => {
		endPoll(memory, start);
		throw error;
	});
	return endPoll(memory, start, { ...result, now: world.now() }) ? result : 'late';
}

interface Given {
	readonly start: Start;
	readonly memory: PollMemory;
}

async function pollFrom<Item>(
	world: World<Item>,
	{ start, memory }: Given,
): Promise<PollResult<Item>> {
	const { process, scope } = world;
	const now = world.now();
	const reports = new Reports(world, memory.reportedAt);

	// The state.
	const before = start.state?.rest ?? EMPTY_REST;
	const { horizon } = start;
	const lists = takeUpLists(start.state, { world, horizon, now });
	const isRefiltered = start.state !== undefined && start.state.scope !== scope;
	const mark = world.redeliversLast && start.state?.scope === scope ? before.mark : undefined;
	const resumed = resumeLastBatch(mark, { lists, process, now });
	if (start.isDamaged)
		reports.all.push(announce(start.horizon.isDamaged ? 'damaged-twice' : 'damaged-state'));

	// Whose lists.
	const until = now + READING_SHARE * world.ms;
	const mayAsk = world.ignoresPauses || isOver(before.unsure, now);
	const { own, unsure: wasUnsure } = before;
	const whose = await world.whoseLists({ own, lists, unsure: wasUnsure, mayAsk, until });
	reports.addNews(whose);
	const isLost = start.isDamaged || before.lost === true;
	const { accounts, isSure, failure, isOtherAgency = false } = whose;
	if (isOtherAgency) lists.clear();
	const hasListed = before.hasListed === true && start.state?.event === world.event;
	withLists(lists, accounts, { world, horizon, now, isLost, hasListed, isOtherAgency });
	if (isSure) markUnwatched(lists, { watched: new Set(accounts), now });

	// Their pages.
	const sinceLast = start.isFirst ? MINUTE : now - (memory.polledAt ?? now - MINUTE);
	const readings = await readLists(world, { accounts, lists, now, sinceLast });

	// What is new.
	const serial = (start.state?.serial ?? 0) + 1;
	const learned = settleLists(readings, { world, start, reports, lists, now, serial });
	reports.addOthers(lists, accounts);
	const stillUnsure =
		failure === undefined
			? wasUnsure
			: reports.addFailure(failure.account, failure.error, { before: wasUnsure });

	// The items.
	const found = againFirst(oldestFirst(world.list.rules.kind, learned.found), resumed);
	const statuses = [...new Set([...before.statuses, ...(world.statuses ?? [])])];
	const { open, later } = reports.open(before.pending, whose);
	const outcome = outcomeOf({
		hasReports: open.length > 0 && !world.isSilent(open, accounts),
		hasItems: found.length > 0,
		isPostponed: before.reportsNext === true,
	});
	const fails = outcome === 'reports' || outcome === 'reportsAndUndoes';
	if (fails) reports.markReported(open);
	const delivered = fails ? [] : found;
	const items = fails ? [] : await world.itemsOf(delivered, statuses);

	// The new state.
	const isUndone = outcome === 'reportsAndUndoes';
	const line = start.state?.line ?? world.newLine();
	const kept = isUndone ? takeUpLists(start.state, { world, horizon, now }) : lists;
	const unsure = isSure ? undefined : stillUnsure;
	const rest: Rest = isUndone
		? {
				...before,
				mark,
				pending: later.map(withoutError),
				reportsNext: undefined,
				unsure,
				emits: storedEmits(world),
			}
		: {
				own: whose.own ?? before.own,
				pending: [...(fails ? [] : open), ...later].map(withoutError),
				reportsNext: outcome === 'postpones' ? true : undefined,
				statuses: statuses.slice(-MAX_STATUSES),
				lost: isLost && !isSure ? true : undefined,
				hasListed: world.isOfClients && (isSure || hasListed) ? true : undefined,
				unsure,
				emits: storedEmits(world),
				mark: world.redeliversLast
					? markDelivered(delivered, resumed, { process, now: world.now() })
					: undefined,
			};
	return {
		items,
		delivered,
		accounts,
		checked: isUndone ? [] : learned.checked,
		state: packState(
			{ line, serial, by: process, event: world.event, query: world.query, scope, rest },
			kept,
		),
		horizon: horizon.after(scope, {
			event: world.event,
			now,
			known: isUndone ? new Map() : learned.known,
		}),
		isWorthKeeping:
			items.length > 0 ||
			start.isBehind ||
			isRefiltered ||
			learned.hasLearned ||
			JSON.stringify(before) !== JSON.stringify(rest),
		toReport: fails ? open : [],
		failures: reports.all,
		requests: readings.reduce((sum, { requests }) => sum + requests, 0),
		quietForMs: quietFor(readings, world),
	};
}

/**
 * The outcome of a poll:
 * - `delivers`: its items.
 * - `postpones`: it delivers its items, and the next poll reports, whatever that one finds.
 * - `reports`: it has found nothing, and fails so that n8n shows the report.
 * - `reportsAndUndoes`: it fails although it has found something, which the next poll finds again.
 */
type Outcome = 'delivers' | 'postpones' | 'reports' | 'reportsAndUndoes';

interface Findings {
	readonly hasReports: boolean;
	readonly hasItems: boolean;
	/** The poll before has postponed its report. */
	readonly isPostponed: boolean;
}

function outcomeOf({ hasReports, hasItems, isPostponed }: Findings): Outcome {
	if (!hasReports) return 'delivers';
	if (!hasItems) return 'reports';
	return isPostponed ? 'reportsAndUndoes' : 'postpones';
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

/**
 * If the service asked to wait for all lists that were tried, nothing is read until the first may
 * be.
 */
function quietFor(
	readings: readonly ReadList[],
	{ classify }: Pick<World<unknown>, 'classify'>,
): number {
	const rests = readings.map(({ reading: { failure } }) =>
		failure === undefined ? 0 : (classify(failure.error).retryAfterMs ?? 0),
	);
	return rests.length === 0 ? 0 : Math.min(LONGEST_ASKED_FOR, ...rests);
}
