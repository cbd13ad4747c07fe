/** A list of a given size that the trigger has already scanned, and polls of it. */
import type { Page, PageRequest } from '../../nodes/LeadGenPublishing/api/pages';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { rulesFor, type ListRules } from '../../nodes/LeadGenPublishing/watch/events';
import { hash53 } from '../../nodes/LeadGenPublishing/watch/hash';
import type { Delivery } from '../../nodes/LeadGenPublishing/watch/items';
import type { Memory } from '../../nodes/LeadGenPublishing/watch/memory';
import { poll, type PollResult, type World } from '../../nodes/LeadGenPublishing/watch/poll';
import { Seen } from '../../nodes/LeadGenPublishing/watch/seen';
import {
	EMPTY_REST,
	freshList,
	seal,
	type Progress,
	type State,
} from '../../nodes/LeadGenPublishing/watch/state';

import { Chance } from './random';

export const START = 1_800_000_000_000;

const newLeads: ListRules = rulesFor('newLead', {});

export function uuids(count: number, seed = 1): string[] {
	const chance = new Chance(seed);
	return Array.from({ length: count }, () => chance.uuid());
}

export function scannedState(
	ids: readonly string[],
	{ rules = newLeads, ...more }: Partial<Progress> & { rules?: ListRules } = {},
): State {
	const { width } = rules;
	const changes = new Map(ids.map((id) => [hash53(id), '1'.repeat(width)]));
	const { first: _, ...known } = freshList(width, START).progress;
	const [last] = ids.slice(-1);
	const progress: Progress = {
		...{ ...known, end: ids.length },
		...(last === undefined ? {} : { last: hash53(last) }),
		...more,
	};
	const list = { seen: new Seen('', width).with(changes), progress, readAt: START };
	const version = { line: 'line', turn: 1 };
	return seal({ ...version, scope: 'scope', rest: EMPTY_REST }, new Map([['own', list]]));
}

type FetchPage = (request: PageRequest) => Promise<Page>;

export const serve =
	(ids: readonly string[], render: (id: string) => JsonRecord = (id) => ({ id })): FetchPage =>
	async ({ offset, limit }) => ({
		records: ids.slice(offset, offset + limit).map(render),
		limit,
		hasMore: offset + limit < ids.length,
	});

export async function pollOnce(
	stored: unknown,
	fetchPage: FetchPage,
	{
		memory = {},
		rules = newLeads,
		...changes
	}: Partial<World<Delivery>> & { memory?: Memory; rules?: ListRules } = {},
): Promise<PollResult<Delivery>> {
	const result = await poll<Delivery>(
		{
			...{ scope: 'scope', redeliversLast: false, process: 'process', stored, ms: 36_000 },
			list: { rules, emitExisting: false, maxItems: 100_000, checkEvery: undefined },
			ignoresPauses: false,
			...{ now: () => START, random: () => 0.5, newLine: () => 'line' },
			whoseLists: async () => await Promise.resolve({ accounts: ['own'], isSure: true, news: [] }),
			fetchPage: async (_, request) => await fetchPage(request),
			classify: (error) => ({ kind: 'server', message: String(error), lasting: true }),
			refusesOffset: () => false,
			isThrottled: () => false,
			isSilent: () => false,
			itemsOf: async (delivered) => await Promise.resolve([...delivered]),
			...changes,
		},
		memory,
	);
	if (typeof result === 'string') throw new Error(result);
	return result;
}
