/**
 * Gives items the free times of their account. What is scheduled there is read once for each account
 * and run. What this execution has given before counts as taken, too: to an earlier item, to another
 * node, or in an earlier round of a loop, whose posts may not have been created yet.
 */
import { isRecord, type JsonRecord } from '../api/schemas';
import type { ItemCall } from '../item/itemCall';
import { FreeTimes, TakenTimes, type FreeTime, type FreeTimesRequest } from './schedule/freeTimes';
import { readTakenTimes } from './schedule/takenTimes';

/** `plan` is the same for calls that take their times in turn. */
export async function nextFreeTime(
	call: ItemCall,
	{ request, plan, start }: { request: FreeTimesRequest; plan: string; start: number },
): Promise<FreeTime | undefined> {
	const { api, shared, functions } = call;
	const given = shared('given times', () => openGivenTimes(functions));
	const calendar = await shared(`calendar of ${api.accountId}`, async () => ({
		taken: new TakenTimes([...(await readTakenTimes(api)), ...given.before(api.accountId)]),
		plans: new Map<string, FreeTimes>(),
	}));
	const times = calendar.plans.get(plan) ?? new FreeTimes(request, calendar.taken);
	calendar.plans.set(plan, times);
	const found = times.next(start);
	if (found !== undefined) given.add(api.accountId, found.time);
	return found;
}

const SLOT = 'leadGenPublishingSlots';

interface GivenTimes {
	/** What other nodes and rounds of this execution have given. */
	before(accountId: string): number[];
	add(accountId: string, time: number): void;
}

/** Stored with the execution, so that it outlives a wait. A further try of this node begins without its own. */
function openGivenTimes(functions: ItemCall['functions']): GivenTimes {
	const context: JsonRecord = functions.getContext('flow');
	const stored = isRecord(context[SLOT]) ? context[SLOT] : {};
	context[SLOT] = stored;
	const { id, name } = functions.getNode();
	const round = String(functions.getWorkflowDataProxy(0).$runIndex ?? 0);
	const own: Record<string, number[]> = {};
	stored[`${id || name}/${round}`] = own;
	return {
		before: (accountId) =>
			Object.values(stored).flatMap((times) =>
				times !== own && isRecord(times) && Array.isArray(times[accountId])
					? times[accountId].filter((time): time is number => typeof time === 'number')
					: [],
			),
		add: (accountId, time) => {
			own[accountId] = [...(own[accountId] ?? []), time];
		},
	};
}
