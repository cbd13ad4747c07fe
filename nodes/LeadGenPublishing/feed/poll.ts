/**
 * The engine of the trigger. Promise: a record that appears in a watched list is delivered once, and
 * soon, whatever the order of the list. So is each change that counts. Records that existed before
 * are not delivered unless the user asks for them. If something fails, nothing is lost: a record that
 * was not read or not delivered stays unknown, so the next poll finds it again.
 *
 * It gets n8n and the service as a `World`, so that a simulation can play both. Pure.
 *
 * The states of a list:
 *
 *   unknown ──watched──▶ first scan ──the end──▶ first day ──a day, two checks──▶ trusted
 *                          ▲  ▲                      │                              │
 *                          │  └─many old ones at once┘                              │
 *                          └──the service is asked for something else───────────────┘
 *
 * - first scan: records what exists, as far as the service shows it. Only records that were created
 *   since are new.
 * - first day: complete checks follow each other. Records that were created before are held back.
 * - trusted: the checks go on, and every unknown record is new.
 *
 * In each state, a list that fails pauses. One that is no longer watched is forgotten after 30 days.
 */
import { markUnwatched, takeUpLists, withLists } from './lists/beginLists';
import type { HashedDelivery } from './delivery';
import { oldestFirst } from './events/events';
import { keptAfter, restAfter, type Kept } from './kept';
import { conclusionOf } from './conclusion';
import type { ListFailure } from './reports/listFailure';
import { isOver, LONGEST_ASKED_FOR } from './reports/pauses';
import {
	beginPoll,
	endPoll,
	hasListed,
	isLost,
	type PollMemory,
	type Start,
} from './memory/pollMemory';
import { readLists, READING_SHARE, type ReadList } from './lists/readLists';
import { againFirst, batchBefore, lastBatchAfter, resumeLastBatch } from './memory/redelivery';
import { Reports } from './reports/reports';
import { settleLists } from './lists/settleLists';
import { EMPTY_REST, type RememberedList } from './memory/state';
import type { Whose, World } from './world';

const MINUTE = 60_000;

export interface PollResult<Item> extends Kept {
	readonly items: readonly Item[];
	readonly delivered: readonly HashedDelivery[];
	readonly accounts: readonly string[];
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
	const reports = new Reports(world, memory.reportedAt);
	const result = await pollFrom(world, start, reports).catch((error: unknown): never => {
		endPoll(memory, start);
		throw error;
	});
	return endPoll(memory, start, { ...result, now: world.now() }) ? result : 'late';
}

async function pollFrom<Item>(
	world: World<Item>,
	start: Start,
	reports: Reports,
): Promise<PollResult<Item>> {
	const now = world.now();
	const before = start.state?.rest ?? EMPTY_REST;
	const { process } = world;
	if (start.kind === 'damaged') reports.addDamage(start.horizon);

	const lists = takeUpLists(start.state, { world, horizon: start.horizon, now });
	const resumed = resumeLastBatch(batchBefore(world, start), { lists, process, now });
	const whose = await findLists(world, lists, { start, reports, now });
	const { accounts } = whose;
	const sinceLast = start.polledAt === undefined ? MINUTE : now - start.polledAt;
	const readings = await readLists(world, { accounts, lists, now, sinceLast });
	const learned = settleLists(readings, { world, start, reports, lists, now });
	reports.addOthers(lists, accounts);
	const unsure = reports.addWhose(whose, before.unsure);

	const found = againFirst(oldestFirst(world.list.rules.kind, learned.found), resumed);
	const conclusion = conclusionOf(found, reports, { world, before, whose });
	const { delivered, toReport } = conclusion;
	const statuses = [...new Set([...before.statuses, ...(world.statuses ?? [])])];
	const items = toReport.length > 0 ? [] : await world.itemsOf(delivered, statuses);
	const lastBatch = lastBatchAfter(delivered, resumed, { process, now: world.now() });
	const rest = restAfter(conclusion, { world, start, whose, statuses, lastBatch, unsure });
	return {
		...keptAfter(conclusion, { world, start, lists, learned, rest, now }),
		items,
		delivered,
		accounts,
		toReport,
		failures: reports.all,
		requests: readings.reduce((sum, { requests }) => sum + requests, 0),
		quietForMs: quietFor(readings, world),
	};
}

/** Finds out whose lists are watched, adds those that are missing, and marks the others. */
async function findLists(
	world: World<unknown>,
	lists: Map<string, RememberedList>,
	{ start, reports, now }: { start: Start; reports: Reports; now: number },
): Promise<Whose> {
	const { own, unsure } = start.state?.rest ?? EMPTY_REST;
	const { horizon } = start;
	const until = now + READING_SHARE * world.ms;
	const mayAsk = world.ignoresPauses || isOver(unsure, now);
	const whose = await world.whoseLists({ own, lists, unsure, mayAsk, until });
	reports.addNews(whose);
	const { accounts, isSure, isOtherAgency = false } = whose;
	if (isOtherAgency) lists.clear();
	withLists(lists, accounts, {
		world,
		horizon,
		now,
		isOtherAgency,
		isLost: isLost(start),
		hasListed: hasListed(world.event, start),
	});
	if (isSure) markUnwatched(lists, { watched: new Set(accounts), now });
	return whose;
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
