/** The trigger's engine alone, as n8n polls it in the histories. */
import type { IDataObject } from 'n8n-workflow';

import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import type { Delivery } from '../../../nodes/LeadGenPublishing/feed/delivery';
import type { ListPage } from '../../../nodes/LeadGenPublishing/feed/list/page';
import { emptyPollMemory } from '../../../nodes/LeadGenPublishing/feed/memory/pollMemory';
import { poll, type PollResult } from '../../../nodes/LeadGenPublishing/feed/poll';
import type { ClassifiedFailure } from '../../../nodes/LeadGenPublishing/feed/reports/listFailure';
import type { ListSettings } from '../../../nodes/LeadGenPublishing/feed/world';
import { watchOwnAccount } from '../../../nodes/LeadGenPublishing/watch/ownAccount';
import type { Chance } from '../random';
import type { Opened, Polled } from '../worlds/playedN8n';
import type { VirtualTime } from '../worlds/virtualTime';
import { ServiceError } from './simulatedList';

type FetchPage = (request: { offset: number; limit: number }) => Promise<ListPage>;

/** What the trigger watches, and what the service answers. */
export interface Watched {
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

/** A poll without items that has something to report: the trigger throws it. */
export class Report extends Error {}

export class PolledEngine implements Polled<Delivery> {
	requests = 0;
	/** Of the last poll. Undefined: another poll was in progress, or this one exceeded its time. */
	result: SimulatedResult | undefined;
	/** When the poll that is in progress must end. */
	deadline = Infinity;
	private process = -1;
	private memory = emptyPollMemory();
	private credential: string | undefined;

	constructor(
		private readonly watched: Watched,
		private readonly chance: Chance,
		private readonly time: VirtualTime,
	) {}

	open({ process, isActivation, budgetMs, data }: Opened) {
		if (this.process !== process) {
			this.memory = emptyPollMemory();
			this.credential = undefined;
		}
		this.process = process;
		let isFirst = isActivation;
		return async (): Promise<readonly Delivery[] | null> => {
			const activation = isFirst;
			isFirst = false;
			const outer = this.deadline;
			this.deadline = this.time.now + budgetMs;
			this.result = await this.poll(data(), { activation, budgetMs });
			this.deadline = outer;
			return this.keep(data(), activation);
		};
	}

	private async poll(
		data: IDataObject,
		{ activation, budgetMs }: { activation: boolean; budgetMs: number },
	): Promise<SimulatedResult | undefined> {
		const { filtersName, settings, redelivers, classify, clients } = this.watched;
		const sequence = `sequence-${this.chance.below(1e9)}`;
		const key = this.watched.key();
		const ignoresPauses = activation || this.credential !== key;
		this.credential = key;
		const result = await poll<Delivery>(
			{
				event: 'leads',
				stored: { state: data.watch, horizon: data.horizon },
				now: () => this.time.now,
				random: () => this.chance.next(),
				ms: budgetMs,
				filtersName,
				queryName: filtersName,
				list: settings,
				isOfClients: false,
				redeliversLast: redelivers,
				process: `process ${this.process + 1}`,
				ignoresPauses,
				classify,
				newSequence: () => sequence,
				whoseLists: async (before) =>
					clients === undefined
						? await watchOwnAccount(before, {
								credential: this.watched.key(),
								askSubject: async () => this.watched.whoAmI(),
								readFirstPage: async () => await this.watched.firstLook({ offset: 0, limit: 100 }),
							})
						: { accounts: clients.map(({ account }) => account), isSure: true, news: [] },
				fetchPage: async (account, request) => {
					const of = clients?.find((one) => one.account === account);
					return await (of?.fetchPage ?? this.watched.ownPage)(request);
				},
				refusesOffset: (error) => error instanceof ServiceError && error.kind === 'bad_request',
				isSilent: () => activation,
				itemsOf: async (delivered) => [...delivered],
			},
			this.memory,
		);
		if (typeof result === 'string') return undefined;
		const [account] = clients === undefined ? result.accounts : [];
		const resumed = Object.values(result.state.rest.lastBatch?.records ?? {}).flat();
		return { ...result, account, hasResumedBatch: resumed.some(([, , times]) => times > 1) };
	}

	/** As the trigger does: the new state replaces the old one, then a report is thrown. */
	private keep(data: IDataObject, activation: boolean): readonly Delivery[] | null {
		const { result } = this;
		if (result === undefined) return null;
		const { delivered, state, horizon, isWorthKeeping, toReport } = result;
		const hasItems = delivered.length > 0;
		const kept: Record<string, unknown> = { watch: state, horizon };
		if (hasItems || isWorthKeeping) Object.assign(data, kept);
		// Nothing is thrown while n8n activates the workflow, since n8n would give it up.
		if (!hasItems && toReport.length > 0 && !activation) throw new Report();
		return hasItems ? [...delivered] : null;
	}
}
