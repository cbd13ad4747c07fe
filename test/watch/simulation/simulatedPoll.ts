/** One poll of the engine, in the simulated world. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import type { ListPage } from '../../../nodes/LeadGenPublishing/feed/list/page';
import { ServiceError } from './simulatedList';
import type { PollMemory } from '../../../nodes/LeadGenPublishing/feed/memory/pollMemory';
import type { ClassifiedFailure } from '../../../nodes/LeadGenPublishing/feed/reports/listFailure';
import type { Delivery } from '../../../nodes/LeadGenPublishing/feed/delivery';
import { watchOwnAccount } from '../../../nodes/LeadGenPublishing/watch/ownAccount';
import { poll, type PollResult } from '../../../nodes/LeadGenPublishing/feed/poll';
import type { ListSettings, World as PollWorld } from '../../../nodes/LeadGenPublishing/feed/world';

/** What lives as long as a process of n8n. */
export interface SimulatedProcess {
	id: string;
	credential?: string;
	memory: PollMemory;
}

type FetchPage = (request: { offset: number; limit: number }) => Promise<ListPage>;

/** What the trigger watches, and what the service answers. */
export interface World {
	clients?: ReadonlyArray<{ account: string; fetchPage: FetchPage }>;
	key: () => string;
	whoAmI: () => JsonRecord;
	ownPage: FetchPage;
	firstLook: FetchPage;
	redelivers: boolean;
	filtersName: string;
	settings: ListSettings;
	classify: (error: unknown) => ClassifiedFailure;
}

export type SimulatedResult = PollResult<Delivery> & { account?: string; hasResumedBatch: boolean };

interface Given extends Pick<PollWorld<Delivery>, 'now' | 'random' | 'ms'> {
	stored: { watch?: unknown; horizon?: unknown };
	process: SimulatedProcess;
	activation: boolean;
	sequence: string;
}

export async function simulatePoll(
	world: World,
	{ process, activation, sequence, stored, now, random, ms }: Given,
): Promise<SimulatedResult | undefined> {
	const { filtersName, settings, redelivers, classify, clients } = world;
	const ignoresPauses = activation || process.credential !== world.key();
	process.credential = world.key();
	const result = await poll<Delivery>(
		{
			event: 'leads',
			stored: { state: stored.watch, horizon: stored.horizon },
			now,
			random,
			ms,
			filtersName,
			queryName: filtersName,
			list: settings,
			isOfClients: false,
			redeliversLast: redelivers,
			process: process.id,
			ignoresPauses,
			classify,
			newSequence: () => sequence,
			whoseLists: async (before) =>
				clients === undefined
					? await watchOwnAccount(before, {
							credential: world.key(),
							askSubject: async () => world.whoAmI(),
							readFirstPage: async () => await world.firstLook({ offset: 0, limit: 100 }),
						})
					: { accounts: clients.map(({ account }) => account), isSure: true, news: [] },
			fetchPage: async (account, request) => {
				const of = clients?.find((one) => one.account === account);
				return await (of?.fetchPage ?? world.ownPage)(request);
			},
			refusesOffset: (error) => error instanceof ServiceError && error.kind === 'bad_request',
			isSilent: () => activation,
			itemsOf: async (delivered) => [...delivered],
		},
		process.memory,
	);
	if (typeof result === 'string') return undefined;
	const [account] = clients === undefined ? result.accounts : [];
	const resumed = Object.values(result.state.rest.lastBatch?.records ?? {}).flat();
	return { ...result, account, hasResumedBatch: resumed.some(([, , times]) => times > 1) };
}
