/**
 * The n8n of a history, and what its crashes excuse. A crash between saving the state and creating
 * the execution is possible only in the two modes without durable cursors; its effects are counted
 * separately.
 */
import type { Delivery } from '../../../nodes/LeadGenPublishing/feed/delivery';
import { CONFIRMED_AFTER_MS } from '../../../nodes/LeadGenPublishing/feed/memory/redelivery';
import type { Chance } from '../random';
import { PlayedN8n, type Ending, type Mode } from '../worlds/playedN8n';
import { VirtualTime } from '../worlds/virtualTime';
import { PolledEngine, Report, type SimulatedResult, type Watched } from './polledEngine';

/** What n8n keeps of the trigger. */
interface StoredData {
	watch?: unknown;
	horizon?: unknown;
}

export const dataIn = (text: string): StoredData => JSON.parse(text) as StoredData;

interface Hooks {
	delivered: (items: readonly Delivery[]) => void;
	/** Items of a batch whose state was saved, but whose execution was never created. */
	lost: (items: readonly Delivery[]) => void;
	/** Items of a batch whose execution was created, but whose state was not saved. */
	unsaved: (items: readonly Delivery[]) => void;
	/** The process ended: its last delivery may be repeated. */
	ended: (items: readonly Delivery[]) => void;
}

export class Host {
	readonly time = new VirtualTime();
	private readonly engine: PolledEngine;
	private readonly n8n: PlayedN8n<Delivery>;
	private awaitsActivation = true;
	/**
	 * What the stored state remembers as delivered last; deliveries shortly after each other count
	 * as one.
	 */
	private lastStored: { at: number; items: readonly Delivery[] } = { at: 0, items: [] };

	constructor(
		mode: Mode,
		chance: Chance,
		watched: Watched,
		private readonly hooks: Hooks,
		/** How long a poll may take. */
		readonly budget: number,
	) {
		this.engine = new PolledEngine(watched, chance, this.time);
		this.n8n = new PlayedN8n(this.engine, mode, this.time, {
			...{ budgetMs: budget, activationMs: budget, limitMs: Infinity },
			backsOff: false,
		});
	}

	get now(): number {
		return this.time.now;
	}

	set now(time: number) {
		this.time.now = time;
	}

	get deadline(): number {
		return this.engine.deadline;
	}

	/** What a new process would read. */
	get database(): string | undefined {
		return this.n8n.database;
	}

	/** The storage damages its content, and the process restarts. */
	damageStorage(text: string): void {
		this.n8n.database = text;
		this.crash();
	}

	/** Another writer restores an older copy. */
	restoreOlder(older: string): void {
		this.n8n.restoreOlder(older);
	}

	/** Undefined: another poll was in progress, or this one exceeded its time. */
	async poll(ending: Ending = 'fine'): Promise<SimulatedResult | undefined> {
		const { awaitsActivation } = this;
		this.awaitsActivation = false;
		const begunAt = this.now;
		const outcome = awaitsActivation
			? await this.n8n.activate('activate', ending)
			: await this.n8n.poll(ending);
		const { items, error, isLost, isStored } = outcome;
		if (error !== undefined && !(error instanceof Report)) throw error;
		const { result } = this.engine;
		if (result === undefined) {
			this.awaitsActivation ||= awaitsActivation;
			return undefined;
		}
		if (isStored) this.remember(items, begunAt);
		if (isLost) this.hooks.lost(items);
		else this.hooks.delivered(items);
		if (ending === 'run, not saved' && !isLost) this.hooks.unsaved(items);
		const isDead = result.delivered.length > 0 ? !['fine', 'no execution'].includes(ending) : false;
		if (isDead || ending === 'killed before') this.crash();
		return result;
	}

	/** The process ends; n8n restarts and activates the workflow. */
	private crash(): void {
		this.hooks.ended(this.lastStored.items);
		this.n8n.endProcess();
		this.awaitsActivation = true;
	}

	private remember(items: readonly Delivery[], begunAt: number): void {
		const { at, items: before } = this.lastStored;
		const asOne = Math.abs(begunAt - at) < CONFIRMED_AFTER_MS;
		this.lastStored = { at: this.now, items: asOne ? [...before, ...items] : items };
	}
}
