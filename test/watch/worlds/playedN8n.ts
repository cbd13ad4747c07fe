/**
 * n8n as a polling trigger sees it: three modes of storing the state, activations, the back-off of
 * durable cursors, and the moments at which a process can die. What it polls is passed in: the
 * trigger node in the named worlds, the engine alone in the histories.
 */
import { ACTIONABLE_CAUSES, type IDataObject } from 'n8n-workflow';

import { MINUTE, type VirtualTime } from './virtualTime';

/** In memory, durable scheduler, durable scheduler with durable cursors. */
export const MODES = ['L', 'D-', 'D+'] as const;
export type Mode = (typeof MODES)[number];

/** When n8n dies in a poll, or, without dying, creates no execution. */
export const ENDINGS = [
	'killed before',
	'saved, not run',
	'run, not saved',
	'no execution',
] as const;
export type Ending = 'fine' | (typeof ENDINGS)[number];

/** How n8n opens a trigger. */
export interface Opened {
	readonly process: number;
	readonly activation: string;
	readonly isActivation: boolean;
	readonly budgetMs: number;
	/** What is stored, which the trigger may change. */
	readonly data: () => IDataObject;
}

/** What n8n polls. */
export interface Polled<Item> {
	/** The number of requests that it has sent. */
	readonly requests: number;
	/** Each call of the result is a poll. It returns null if there are no items. */
	open(given: Opened): () => Promise<readonly Item[] | null>;
}

export interface PollOutcome<Item = IDataObject> {
	readonly items: readonly Item[];
	readonly error?: Error;
	readonly requests: number;
	/** n8n did not poll at all: it backs off after an error. */
	readonly isSkipped?: true;
	/** The items reached no execution. */
	readonly isLost?: true;
	/** The state that goes with the items was stored. */
	readonly isStored?: true;
}

/** How long n8n waits for a poll, and whether it backs off after an error. */
export interface Patience {
	readonly budgetMs: number;
	readonly activationMs: number;
	readonly limitMs: number;
	readonly backsOff: boolean;
}

const PATIENCE: Record<Mode, Patience> = {
	L: { budgetMs: 300_000, activationMs: 300_000, limitMs: Infinity, backsOff: false },
	'D-': { budgetMs: 36_000, activationMs: 300_000, limitMs: 45_000, backsOff: false },
	'D+': { budgetMs: 36_000, activationMs: 300_000, limitMs: 45_000, backsOff: true },
};
const MOST_BACK_OFF = 30 * MINUTE;
const MOST_RETRY_AFTER = 60 * MINUTE;
const ACTIVATION_TRIES = 5;

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

export class PlayedN8n<Item = IDataObject> {
	/** What a new process reads. */
	database: string | undefined;
	/** Mode L: the object that lives in the process. */
	private live: IDataObject = {};
	private process = 0;
	private opened: (() => Promise<readonly Item[] | null>) | undefined;
	private errorsInARow = 0;
	private backsOffUntil = -Infinity;
	/** Polls that were begun. */
	polls = 0;
	/** n8n has given the workflow up: no poll happens any more. */
	isGivenUp = false;

	constructor(
		private readonly polled: Polled<Item>,
		readonly mode: Mode,
		private readonly time: VirtualTime,
		private readonly patience: Patience = PATIENCE[mode],
	) {}

	private open(isActivation: boolean, activation: string) {
		// A durable poll has its own copy.
		const own = this.mode === 'L' ? undefined : this.live;
		const { budgetMs, activationMs } = this.patience;
		return this.polled.open({
			process: this.process,
			activation,
			isActivation,
			budgetMs: isActivation ? activationMs : budgetMs,
			data: () => own ?? this.live,
		});
	}

	/** Another process, which knows only what was stored. */
	endProcess(): void {
		this.process += 1;
		this.live = this.stored();
		this.opened = undefined;
		this.errorsInARow = 0;
		this.backsOffUntil = -Infinity;
	}

	private stored(): IDataObject {
		return this.database === undefined ? {} : (JSON.parse(this.database) as IDataObject);
	}

	/** n8n activates the workflow: published by a person, or after a start. */
	async activate(
		by: 'activate' | 'init' | 'update' | 'leadershipChange',
		ending: Ending = 'fine',
	): Promise<PollOutcome<Item>> {
		let outcome: PollOutcome<Item> = { items: [], requests: 0 };
		for (let tries = 0; tries < ACTIVATION_TRIES; tries++) {
			if (this.mode !== 'L') this.live = this.stored();
			this.opened = this.open(true, by);
			outcome = await this.pollOnce(ending, true, this.opened);
			if (outcome.error === undefined) {
				// The durable scheduler polls with a context of its own.
				if (this.mode !== 'L') this.opened = undefined;
				return outcome;
			}
			this.time.pass(1_000);
		}
		this.isGivenUp = true;
		return outcome;
	}

	/** The process ends, n8n starts, and activates the workflow. */
	async restart(): Promise<PollOutcome<Item>> {
		this.endProcess();
		return await this.activate('init');
	}

	/** With several main processes, this one takes over; it may have led before. */
	async lead(process: number): Promise<PollOutcome<Item>> {
		this.endProcess();
		this.process = 1_000 + process;
		return await this.activate('leadershipChange');
	}

	/** One poll that n8n makes by itself. */
	async poll(ending: Ending = 'fine'): Promise<PollOutcome<Item>> {
		if (this.isGivenUp || this.time.now < this.backsOffUntil)
			return { items: [], requests: 0, isSkipped: true };
		if (this.mode !== 'L') {
			this.live = this.stored();
			this.opened = undefined;
		}
		this.opened ??= this.open(false, 'activate');
		return await this.pollOnce(ending, false, this.opened);
	}

	private async pollOnce(
		ending: Ending,
		isActivation: boolean,
		polled: () => Promise<readonly Item[] | null>,
	): Promise<PollOutcome<Item>> {
		this.polls += 1;
		const { live, process, time } = this;
		const requestsBefore = this.polled.requests;
		const before = { ...live };
		const began = time.now;
		let output: readonly Item[] | null = null;
		let error: Error | undefined;
		try {
			output = await polled();
		} catch (thrown) {
			error = thrown instanceof Error ? thrown : new Error(String(thrown));
		}
		const requests = this.polled.requests - requestsBefore;
		const isAbandoned = !isActivation && time.now - began > this.patience.limitMs;
		if (isAbandoned || this.process !== process) return { items: [], requests, isLost: true };
		if (error !== undefined) {
			if (!isActivation) this.backOff(error);
			return { items: [], requests, error };
		}
		this.errorsInARow = 0;
		const items = output ?? [];
		if (output !== null && items.length === 0) throw new Error('A poll gave an empty output');
		const isChanged = Object.keys(live).some((name) => live[name] !== before[name]);
		if (ending === 'killed before') return { items: [], requests, isLost: true };
		if (items.length > 0) return this.hand(items, { requests, ending, live });
		const isKept =
			this.mode === 'L' ? isActivation : this.mode === 'D-' ? isActivation : !isActivation;
		if (isKept && isChanged) this.database = JSON.stringify(live);
		return { items, requests };
	}

	private hand(
		items: readonly Item[],
		given: { requests: number; ending: Ending; live: IDataObject },
	): PollOutcome<Item> {
		const { requests, ending, live } = given;
		// With durable cursors, both are one transaction.
		const isAtOnce = this.mode === 'D+';
		if (ending !== 'fine' && isAtOnce) return { items: [], requests, isLost: true };
		if (ending === 'run, not saved') return { items, requests };
		this.database = JSON.stringify(live);
		const isLost = ending === 'saved, not run';
		return { items, requests, isStored: true, ...(isLost ? { isLost } : {}) };
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
		if (!this.patience.backsOff) return;
		const waits = chainOf(error).map(({ failure }) =>
			Number((failure as { retryAfterMs?: unknown } | undefined)?.retryAfterMs ?? 0),
		);
		const curve = Math.min(MOST_BACK_OFF, 5_000 * 2 ** (this.errorsInARow - 1));
		const asked = Math.min(MOST_RETRY_AFTER, Math.max(0, ...waits.filter(Number.isFinite)));
		const ms = isPermanent(error) ? MOST_BACK_OFF : Math.max(curve, asked);
		this.backsOffUntil = this.time.now + ms;
	}
}
