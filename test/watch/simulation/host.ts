/**
 * Simulates n8n as a polling trigger sees it: three modes of storing the state, and the moments at
 * which a process can die. A crash between saving the state and creating the execution is possible
 * only in the two modes without durable cursors; its effects are counted separately.
 */
import type { Delivery } from '../../../nodes/LeadGenPublishing/feed/delivery';
import { emptyPollMemory } from '../../../nodes/LeadGenPublishing/feed/memory/pollMemory';
import { CONFIRMED_AFTER_MS } from '../../../nodes/LeadGenPublishing/feed/memory/redelivery';

import {
	simulatePoll,
	type SimulatedProcess,
	type SimulatedResult,
	type World,
} from './simulatedPoll';
import type { Chance } from '../random';

export const MODES = ['L', 'D-', 'D+'] as const;
export type Mode = (typeof MODES)[number];

/** When n8n dies in a poll that has something to deliver, or refuses to create the execution. */
export const CRASHES = [
	'crash before anything was stored',
	'crash after the state was saved, before the execution was created',
	'crash after the execution was created, before the state was saved',
	'n8n created no execution',
] as const;
const [BEFORE, SAVED_NOT_RUN, RUN_NOT_SAVED] = CRASHES;
export const [, , , REFUSED] = CRASHES;
export type Ending = 'fine' | (typeof CRASHES)[number];

/** What n8n keeps of the trigger. */
export interface StoredData {
	watch?: unknown;
	horizon?: unknown;
}

const textOf = ({ state, horizon }: SimulatedResult): string =>
	JSON.stringify({ watch: state, horizon });

export const dataIn = (text: string): StoredData => JSON.parse(text) as StoredData;

const newProcess = (number: number): SimulatedProcess => ({
	id: `process ${number}`,
	memory: emptyPollMemory(),
});

export class Host {
	/** What a new process would read. */
	database: string | undefined;
	/** Mode L: the value that lives in the process. */
	private live: StoredData | undefined;
	private process: SimulatedProcess = newProcess(1);
	private processes = 1;
	/**
	 * What the stored state remembers as delivered last; deliveries shortly after each other count
	 * as one.
	 */
	private lastStored: { at: number; items: Delivery[] } = { at: 0, items: [] };
	private activation = true;
	now = 1_800_000_000_000;
	/** When the poll that is in progress must end. */
	deadline = Infinity;

	constructor(
		readonly mode: Mode,
		private readonly chance: Chance,
		private readonly world: World,
		private readonly hooks: {
			delivered: (items: Delivery[]) => void;
			/** Items of a batch whose state was saved, but whose execution was never created. */
			lost: (items: Delivery[]) => void;
			/** Items of a batch whose execution was created, but whose state was not saved. */
			unsaved: (items: Delivery[]) => void;
			/** The process ended: its last delivery may be repeated. */
			ended: (items: Delivery[]) => void;
		},
		/** How long a poll may take. */
		readonly budget = 300_000,
	) {}

	/** The process ends; n8n restarts and activates the workflow. */
	crash(): void {
		this.hooks.ended(this.lastStored.items);
		this.process = newProcess(++this.processes);
		this.activation = true;
		this.live = this.parse();
	}

	/** The storage damages its content, and the process restarts. */
	damageStorage(text: string): void {
		this.database = text;
		this.crash();
	}

	/** Another writer restores an older copy. */
	restoreOlder(older: string): void {
		this.database = older;
		this.live = dataIn(older);
	}

	/** Undefined: another poll was in progress, or this one exceeded its time. */
	async poll(ending: Ending = 'fine'): Promise<SimulatedResult | undefined> {
		const activation = this.activation;
		const stored = this.mode === 'L' ? this.live : this.parse();
		const { process } = this;
		const sequence = `sequence-${this.chance.below(1e9)}`;
		this.activation = false;
		const outer = this.deadline;
		this.deadline = this.now + this.budget;
		const result = await simulatePoll(this.world, {
			stored: stored ?? {},
			process,
			activation,
			sequence,
			ms: this.budget,
			now: () => this.now,
			random: () => this.chance.next(),
		});
		this.deadline = outer;
		if (result === undefined) {
			this.activation ||= activation && this.process === process;
			return undefined;
		}
		if (this.process !== process) return undefined;
		const delivered = result.delivered.length > 0;
		if (ending === BEFORE) this.crash();
		else if (delivered) this.hand(result, ending);
		else this.keep(result, activation);
		return result;
	}

	private storeState(text: string, items: Delivery[]): void {
		this.database = text;
		const { at, items: before } = this.lastStored;
		const asOne = Math.abs(this.now - at) < CONFIRMED_AFTER_MS;
		this.lastStored = { at: this.now, items: asOne ? [...before, ...items] : items };
	}

	private hand(result: SimulatedResult, ending: Ending): void {
		const text = textOf(result);
		if (this.mode === 'D+') {
			// One transaction: both or neither.
			if (ending === 'fine') {
				this.storeState(text, [...result.delivered]);
				this.hooks.delivered([...result.delivered]);
			} else if (ending !== REFUSED) this.crash();
			return;
		}
		if (ending === SAVED_NOT_RUN) {
			this.storeState(text, [...result.delivered]);
			this.hooks.lost([...result.delivered]);
			this.crash();
			return;
		}
		this.hooks.delivered([...result.delivered]);
		if (ending === RUN_NOT_SAVED) {
			this.hooks.unsaved([...result.delivered]);
			this.crash();
			return;
		}
		this.storeState(text, [...result.delivered]);
		this.live = dataIn(text);
	}

	private keep(result: SimulatedResult, activation: boolean): void {
		// Nothing is thrown while n8n activates the workflow, since n8n would give it up.
		if (result.toReport.length > 0 && this.mode !== 'L' && !activation) return;
		if (!result.isWorthKeeping) return;
		const text = textOf(result);
		if (this.mode === 'L') {
			this.live = dataIn(text);
			if (activation) this.database = text;
		} else if (this.mode === 'D-') {
			if (activation) this.database = text;
		} else if (!activation) this.database = text;
	}

	private parse(): StoredData | undefined {
		return this.database === undefined ? undefined : dataIn(this.database);
	}
}
