/** The next free time in the calendar of an item's account. */
import type { ItemCall } from './operation';
import { executionStore } from '../n8n/execution';
import { takeFreeTime, type Planning, type TakenTime } from '../planning/slots/planner';
import { showsTime, takenTimesOf } from '../planning/slots/takenTimes';
import { postsOfRun } from '../writes/posts/posts';

/** Undefined if no time is free in the next ten years. */
export async function takeFreeSlot(
	call: Pick<ItemCall, 'api' | 'shared' | 'functions' | 'itemIndex' | 'isDryRun'>,
	planning: Planning,
): Promise<TakenTime | undefined> {
	const { api, shared, functions, itemIndex, isDryRun } = call;
	const readTaken = async () =>
		(await postsOfRun(call).showing(api, showsTime)).flatMap(takenTimesOf);
	const { accountId } = api;
	const store = () => executionStore(functions);
	return await takeFreeTime({ itemIndex, accountId, isDryRun, readTaken, store, shared }, planning);
}
