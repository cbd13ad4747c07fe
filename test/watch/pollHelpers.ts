/** A list of a given size that the trigger has already scanned, and polls of it. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { rulesFor, type ListRules } from '../../nodes/LeadGenPublishing/watch/list/events';
import { hash53 } from '../../nodes/LeadGenPublishing/watch/store/hash';
import { sealList } from '../../nodes/LeadGenPublishing/watch/store/listState';
import { USUAL_PACE } from '../../nodes/LeadGenPublishing/watch/list/pace';
import { freshCheck, type Progress } from '../../nodes/LeadGenPublishing/watch/store/progress';
import type { FetchListPage } from '../../nodes/LeadGenPublishing/watch/list/reader';
import { SeenSet } from '../../nodes/LeadGenPublishing/watch/store/seen';
import {
	emptyWatch,
	sealWatch,
	type WatchState,
} from '../../nodes/LeadGenPublishing/watch/store/state';
import {
	pollLists,
	type PollInput,
	type PollResult,
} from '../../nodes/LeadGenPublishing/watch/list/turns/pollLists';

import { Chance } from './random';

export const START = 1_800_000_000_000;

export const newLeads: ListRules = rulesFor('newLead', {});

export function uuids(count: number, seed = 1): string[] {
	const chance = new Chance(seed);
	return Array.from({ length: count }, () => chance.uuid());
}

export function scannedState(
	ids: readonly string[],
	{ rules = newLeads, ...more }: Partial<Progress> & { rules?: ListRules } = {},
): WatchState {
	const changes = new Map(ids.map((id) => [hash53(id), rules.width === 1 ? 1 : 0]));
	const progress: Progress = {
		end: ids.length,
		limit: 100,
		...(ids.length > 0 ? { first: hash53(ids[0] ?? ''), last: hash53(ids.at(-1) ?? '') } : {}),
		check: freshCheck(START),
		...more,
	};
	const list = sealList(SeenSet.empty(rules.width).with(changes), progress);
	return sealWatch({ ...emptyWatch('line'), lists: { 'scope.own': list } });
}

export const serve =
	(ids: readonly string[], render: (id: string) => JsonRecord = (id) => ({ id })): FetchListPage =>
	async ({ offset, limit }) => ({
		records: ids.slice(offset, offset + limit).map(render),
		limit,
		hasMore: offset + limit < ids.length,
	});

export async function pollOnce(
	state: WatchState,
	fetchPage: FetchListPage,
	changes: Partial<PollInput> = {},
): Promise<PollResult> {
	return await pollLists({
		state,
		scope: 'scope',
		lists: [{ account: 'own', fetchPage }],
		settings: {
			rules: newLeads,
			emitExisting: false,
			maxItems: 100_000,
			pace: USUAL_PACE,
			maxRequests: 10_000,
		},
		parallel: 4,
		deadline: START + 36_000,
		now: () => START,
		random: () => 0.5,
		classify: (error) => ({ kind: 'server', message: String(error), lasting: true }),
		...changes,
	});
}
