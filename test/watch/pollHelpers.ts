/** A list of a given size that the trigger has read completely, and polls of it. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { hash53 } from '../../nodes/LeadGenPublishing/feed/list/hash';
import type { PageRequest } from '../../nodes/LeadGenPublishing/api/pages';
import type { ListPage } from '../../nodes/LeadGenPublishing/feed/list/page';
import type { ListRules } from '../../nodes/LeadGenPublishing/feed/list/rules';
import { Seen } from '../../nodes/LeadGenPublishing/feed/list/seen';
import {
	beginWholeReading,
	freshList,
	type ListState,
} from '../../nodes/LeadGenPublishing/feed/list/state';
import type { Delivery } from '../../nodes/LeadGenPublishing/feed/delivery';
import { rulesFor } from '../../nodes/LeadGenPublishing/feed/events/events';
import { poll, type PollResult } from '../../nodes/LeadGenPublishing/feed/poll';
import {
	emptyPollMemory,
	type PollMemory,
} from '../../nodes/LeadGenPublishing/feed/memory/pollMemory';
import { packState } from '../../nodes/LeadGenPublishing/feed/memory/packing';
import {
	EMPTY_REST,
	type RememberedList,
	type State,
} from '../../nodes/LeadGenPublishing/feed/memory/state';
import type { World } from '../../nodes/LeadGenPublishing/feed/world';

import { Chance } from './random';

export const START = 1_800_000_000_000;

const newLeads: ListRules = rulesFor('newLead', {});

export function uuids(count: number, seed = 1): string[] {
	const chance = new Chance(seed);
	return Array.from({ length: count }, () => chance.uuid());
}

/** A list that was read completely often enough that nothing is held back any more. */
export function scannedList(
	ids: readonly string[],
	{ rules = newLeads, ...more }: Partial<ListState> & { rules?: ListRules } = {},
): ListState {
	const { width } = rules;
	const known = ids.map(
		(id) => [hash53(id), { value: '1'.repeat(width), day: 0, isDelivered: false }] as const,
	);
	return {
		...freshList({ width, now: START }, { after: START, emits: 'nothing' }),
		seen: new Seen('', width).with(new Map(known)),
		end: ids.length,
		scan: {
			kind: 'check',
			reading: beginWholeReading(START),
			pace: 'usual',
			existing: { kind: 'none' },
			emits: 'nothing',
		},
		...more,
	};
}

export function scannedState(
	ids: readonly string[],
	{
		pause,
		...more
	}: Partial<ListState> & { rules?: ListRules; pause?: RememberedList['pause'] } = {},
): State {
	const one = { list: scannedList(ids, more), readAt: START, pause };
	const parts = {
		...{ sequence: 'sequence', pollNumber: 1, by: 'process', rest: EMPTY_REST },
		...{ event: 'newLead', queryName: 'query', filtersName: 'filters' },
	};
	return packState(parts, new Map([['own', one]]));
}

type FetchPage = (request: PageRequest) => Promise<ListPage>;

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
		memory = emptyPollMemory(),
		rules = newLeads,
		...changes
	}: Partial<World<Delivery>> & { memory?: PollMemory; rules?: ListRules } = {},
): Promise<PollResult<Delivery>> {
	const result = await poll<Delivery>(
		{
			event: 'newLead',
			filtersName: 'filters',
			list: {
				rules,
				emitExisting: false,
				maxItems: 100_000,
				checkEvery: undefined,
				startFrom: undefined,
			},
			isOfClients: false,
			redeliversLast: false,
			process: 'process',
			queryName: 'query',
			stored: { state: stored, horizon: undefined },
			ms: 36_000,
			ignoresPauses: false,
			now: () => START,
			random: () => 0.5,
			newSequence: () => 'sequence',
			whoseLists: async () => await Promise.resolve({ accounts: ['own'], isSure: true, news: [] }),
			fetchPage: async (_, request) => await fetchPage(request),
			classify: (error) => ({
				kind: 'server',
				message: String(error),
				cause: 'server',
				lasting: true,
			}),
			refusesOffset: () => false,
			isSilent: () => false,
			itemsOf: async (delivered) => await Promise.resolve([...delivered]),
			...changes,
		},
		memory,
	);
	if (typeof result === 'string') throw new Error(result);
	return result;
}
