/**
 * n8n as a polling trigger sees it: three modes of storing the state, activations, the back-off of
 * durable cursors, and the moments at which a process can die. Polls the trigger node itself.
 */
import {
	ACTIONABLE_CAUSES,
	type IDataObject,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';

import { asReceived } from '../../support/replies';
import { BASE_URL, FIRST_KEY, type Asked, type PlayedService } from './playedService';
import { MINUTE, type VirtualTime } from './virtualTime';

/** In memory, durable scheduler, durable scheduler with durable cursors. */
export const MODES = ['L', 'D-', 'D+'] as const;
export type Mode = (typeof MODES)[number];

export type Ending = 'fine' | 'killed before' | 'saved, not run' | 'run, not saved';

/** A class as n8n loads it. */
export type TriggerClass = new () => {
	poll: (this: IPollFunctions) => Promise<INodeExecutionData[][] | null>;
	description: { properties: ReadonlyArray<{ name: string }> };
};

export interface PollOutcome {
	readonly items: readonly IDataObject[];
	readonly error?: Error;
	readonly requests: number;
	/** n8n did not poll at all: it backs off after an error. */
	readonly isSkipped?: true;
	/** The items reached no execution. */
	readonly isLost?: true;
}

const BUDGET_MS: Record<Mode, number> = { L: 300_000, 'D-': 36_000, 'D+': 36_000 };
const LIMIT_MS: Record<Mode, number> = { L: Infinity, 'D-': 45_000, 'D+': 45_000 };
const MOST_BACK_OFF = 30 * MINUTE;
const MOST_RETRY_AFTER = 60 * MINUTE;
const ACTIVATION_TRIES = 5;
/** More than any poll needs. The longest list of a world has 1,100 pages. */
const MOST_REQUESTS = 3_000;

let workflows = 0;

/** The errors from the outermost to the first cause. */
export function chainOf(error: unknown): Array<Record<string, unknown>> {
	const chain: Array<Record<string, unknown>> = [];
	for (let one = error; typeof one === 'object' && one !== null && chain.length < 20;) {
		const level = one as Record<string, unknown>;
		chain.push(level);
		one = level.cause;
	}
	return chain;
}

const causeIn = ({ failure }: Record<string, unknown>): unknown =>
	(failure as { cause?: unknown } | undefined)?.cause;

/** Whether n8n treats it as an error that only a person can fix. */
export function isPermanent(error: unknown): boolean {
	const actionable: readonly unknown[] = ACTIONABLE_CAUSES;
	return chainOf(error).some(
		(level) =>
			actionable.includes(causeIn(level)) ||
			[level.httpCode, level.statusCode, level.status].some((one) =>
				['401', '403'].includes(String(one)),
			),
	);
}

export class PlayedN8n {
	/** What a new process reads. */
	database: string | undefined;
	/** Mode L: the object that lives in the process. */
	private live: IDataObject = {};
	private process = 0;
	private context: IPollFunctions | undefined;
	private errorsInARow = 0;
	private backsOffUntil = -Infinity;
	/** Polls that were begun. */
	polls = 0;
	key = FIRST_KEY;
	/** n8n has given the workflow up: no poll happens any more. */
	isGivenUp = false;
	/** A poll sent so many requests that it would not have ended by itself. */
	asksWithoutEnd = false;
	private requestsOfPoll = 0;
	readonly logs: string[] = [];
	private readonly workflow = `played-${(workflows += 1)}`;

	constructor(
		private readonly trigger: TriggerClass,
		readonly mode: Mode,
		private readonly time: VirtualTime,
		private readonly service: PlayedService,
		readonly parameters: IDataObject,
	) {}

	private contextOf(isActivation: boolean, activation: string): IPollFunctions {
		// A durable poll has its own copy.
		const data = this.mode === 'L' ? undefined : this.live;
		const id = this.workflow;
		const log = (level: string) => (message: string) =>
			void (level === 'debug' || this.logs.push(`${level}: ${message}`));
		const context = {
			getNode: () => ({ id, name: id, type: 'played', typeVersion: 1, position: [0, 0] }),
			getWorkflow: () => ({ id: `${id} in process ${this.process}`, name: id, active: true }),
			getMode: () => 'trigger',
			getActivationMode: () => activation,
			getTimezone: () => 'UTC',
			getNodeParameter: (name: string) => this.parameters[name] ?? null,
			getCredentials: async () =>
				await Promise.resolve({ baseUrl: BASE_URL, apiKey: this.key } as IDataObject),
			getWorkflowStaticData: () => data ?? this.live,
			getPollBudgetMs: () => (isActivation ? BUDGET_MS.L : BUDGET_MS[this.mode]),
			logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
			helpers: {
				httpRequestWithAuthentication: async (_: string, http: IHttpRequestOptions) =>
					await this.send(http),
			},
		};
		return context as unknown as IPollFunctions;
	}

	private async send(http: IHttpRequestOptions): Promise<unknown> {
		if ((this.requestsOfPoll += 1) > MOST_REQUESTS) {
			this.asksWithoutEnd = true;
			// Nothing responds: the poll hangs, and is given up at the end of its time.
			await this.time.wait(BUDGET_MS.L);
		}
		const { offset, limit, ...query } = http.qs ?? {};
		const asked: Asked = {
			path: http.url.replace(BASE_URL, ''),
			offset: Number(offset ?? 0),
			limit: Number(limit ?? 50),
			query,
			key: this.key,
		};
		return asReceived(await this.service.answer(asked));
	}

	/** Another process, which knows only what was stored. */
	private endProcess(): void {
		this.process += 1;
		this.live = this.stored();
		this.context = undefined;
		this.errorsInARow = 0;
		this.backsOffUntil = -Infinity;
	}

	private stored(): IDataObject {
		return this.database === undefined ? {} : (JSON.parse(this.database) as IDataObject);
	}

	/** n8n activates the workflow: published by a person, or after a start. */
	async activate(by: 'activate' | 'init' | 'update' | 'leadershipChange'): Promise<PollOutcome> {
		let outcome: PollOutcome = { items: [], requests: 0 };
		for (let tries = 0; tries < ACTIVATION_TRIES; tries++) {
			if (this.mode !== 'L') this.live = this.stored();
			this.context = this.contextOf(true, by);
			outcome = await this.pollOnce('fine', true);
			if (outcome.error === undefined) {
				// The durable scheduler polls with a context of its own.
				if (this.mode !== 'L') this.context = undefined;
				return outcome;
			}
			this.time.pass(1_000);
		}
		this.isGivenUp = true;
		return outcome;
	}

	/** The process ends, n8n starts, and activates the workflow. */
	async restart(): Promise<PollOutcome> {
		this.endProcess();
		return await this.activate('init');
	}

	/** With several main processes, this one takes over; it may have led before. */
	async lead(process: number): Promise<PollOutcome> {
		this.endProcess();
		this.process = 1_000 + process;
		return await this.activate('leadershipChange');
	}

	/** One poll that n8n makes by itself. */
	async poll(ending: Ending = 'fine'): Promise<PollOutcome> {
		if (this.isGivenUp || this.time.now < this.backsOffUntil)
			return { items: [], requests: 0, isSkipped: true };
		if (this.mode !== 'L') {
			this.live = this.stored();
			this.context = this.contextOf(false, 'activate');
		}
		this.context ??= this.contextOf(false, 'activate');
		return await this.pollOnce(ending, false);
	}

	private async pollOnce(ending: Ending, isActivation: boolean): Promise<PollOutcome> {
		this.polls += 1;
		const { live, process, time, context } = this;
		const requestsBefore = this.service.requests;
		this.requestsOfPoll = 0;
		const before = { ...live };
		const began = time.now;
		let outputs: INodeExecutionData[][] | null = null;
		let error: Error | undefined;
		try {
			outputs = await new this.trigger().poll.call(context as IPollFunctions);
		} catch (thrown) {
			error = thrown instanceof Error ? thrown : new Error(String(thrown));
		}
		const requests = this.service.requests - requestsBefore;
		const isAbandoned = !isActivation && time.now - began > LIMIT_MS[this.mode];
		if (isAbandoned || this.process !== process) return { items: [], requests, isLost: true };
		if (error !== undefined) {
			if (!isActivation) this.backOff(error);
			return { items: [], requests, error };
		}
		this.errorsInARow = 0;
		const items = (outputs?.[0] ?? []).map(({ json }) => json);
		if (outputs !== null && items.length === 0) throw new Error('A poll gave an empty output');
		const isChanged = Object.keys(live).some((name) => live[name] !== before[name]);
		if (ending === 'killed before') return { items: [], requests, isLost: true };
		if (items.length > 0) return this.hand(items, { requests, ending, live });
		const isKept =
			this.mode === 'L' ? isActivation : this.mode === 'D-' ? isActivation : !isActivation;
		if (isKept && isChanged) this.database = JSON.stringify(live);
		return { items, requests };
	}

	private hand(
		items: IDataObject[],
		given: { requests: number; ending: Ending; live: IDataObject },
	): PollOutcome {
		const { requests, ending, live } = given;
		// With durable cursors, both are one transaction.
		const isAtOnce = this.mode === 'D+';
		if (ending !== 'fine' && isAtOnce) return { items: [], requests, isLost: true };
		if (ending !== 'run, not saved') this.database = JSON.stringify(live);
		const isLost = ending === 'saved, not run';
		return isLost ? { items, requests, isLost: true } : { items, requests };
	}

	/** Another writer puts back an older copy of the state. */
	restoreOlder(older: string): void {
		this.database = older;
		this.live = JSON.parse(older) as IDataObject;
	}

	/** The stored values become this: all that the trigger keeps, or the longest one. */
	replaceState(which: 'all' | 'longest', change: (state: unknown) => unknown): void {
		const live = this.mode === 'L' ? this.live : this.stored();
		const lengthOf = (name: string): number => JSON.stringify(live[name] ?? null).length;
		const [longest] = Object.keys(live).sort((one, other) => lengthOf(other) - lengthOf(one));
		this.live = Object.fromEntries(
			Object.entries(live).map(([name, value]) => [
				name,
				which === 'all' || name === longest ? (change(value) as IDataObject) : value,
			]),
		);
		this.database = JSON.stringify(this.live);
	}

	get stateText(): string {
		return JSON.stringify(this.mode === 'L' ? this.live : this.stored());
	}

	private backOff(error: Error): void {
		this.errorsInARow += 1;
		if (this.mode !== 'D+') return;
		const waits = chainOf(error).map(({ failure }) =>
			Number((failure as { retryAfterMs?: unknown } | undefined)?.retryAfterMs ?? 0),
		);
		const curve = Math.min(MOST_BACK_OFF, 5_000 * 2 ** (this.errorsInARow - 1));
		const asked = Math.min(MOST_RETRY_AFTER, Math.max(0, ...waits.filter(Number.isFinite)));
		const ms = isPermanent(error) ? MOST_BACK_OFF : Math.max(curve, asked);
		this.backsOffUntil = this.time.now + ms;
	}
}
