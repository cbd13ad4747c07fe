/** How a post gets its time at the next free slot of its account. */
import { readClientId } from '../../panel/fields/account';
import { instantOf } from '../../records/storedValue';
import { isExpression } from '../../parse/expressions';
import type { Values } from '../../panel/parameters/values';
import type { PlanContext, ItemCall } from '../operation';
import { forReadable } from '../../panel/parameters/sharedKeys';
import { nothingFree } from '../../panel/fields/times/slotPlanFields';
import type { TakenTime } from '../../planning/slots/planner';
import { startOf, type SlotPlan } from '../../planning/slots/slotPlan';
import { takeFreeSlot } from '../freeSlot';
import { readNewPost } from './newPost';

const ASKED_FOR = 'times that items ask for';
type TimesByClient = Map<string | undefined, number[]>;
const timesIn = (shared: ItemCall['shared']): TimesByClient => shared(ASKED_FOR, () => new Map());

/** Some items of a run may have times of their own. No other item gets such a time. */
export function noteTimesAskedFor(
	inputs: readonly Values[],
	{ stored, timeZone, shared }: Pick<PlanContext, 'stored' | 'timeZone' | 'shared'>,
): void {
	// Reading all items costs about as much as sending them. A fixed status is the same for all.
	if (!isExpression(stored.status)) return;
	const times = timesIn(shared);
	forReadable(inputs, (input) => {
		const { post } = readNewPost(input, { timeZone, notice: () => undefined });
		const { status, scheduled_at: at } = post.body;
		const due = status === 'scheduled' ? instantOf(at) : undefined;
		if (due === undefined) return;
		const client = readClientId(input);
		const ofClient = times.get(client) ?? [];
		ofClient.push(due);
		times.set(client, ofClient);
	});
}

/** Takes the next free time for the item. Uses the posts of the account that were already read. */
export const timeTaker = (call: ItemCall, plan: SlotPlan) => async (): Promise<TakenTime> => {
	const { api, input, shared } = call;
	const time = await takeFreeSlot(call, {
		plan,
		start: startOf(plan, api.now()),
		askedFor: timesIn(shared).get(readClientId(input)) ?? [],
		tries: 'goOn',
	});
	if (time === undefined) throw nothingFree(input);
	return time;
};
