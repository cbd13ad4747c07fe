/**
 * n8n, as far as a polling trigger can tell: three modes of keeping state, and the moments at which
 * a process can die. A crash between saving the state and creating the execution exists in the two
 * modes without durable cursors only; what it costs is counted apart.
 */
import {
	beginPoll,
	endPoll,
	freshMemory,
	type Memory,
	type Start,
} from '../../nodes/LeadGenPublishing/watch/memory';
import {
	pollLists,
	type Delivery,
	type PollInput,
	type PollResult,
} from '../../nodes/LeadGenPublishing/watch/turns';

import type { Chance } from './random';

export const MODES = ['L', 'D-', 'D+'] as const;
export type Mode = (typeof MODES)[number];

export type Ending = 'fine' | 'crash-before' | 'saved-not-run' | 'run-not-saved' | 'refused';

export class Host {
	/** What a new process would find. */
	database: string | undefined;
	/** L: the value that lives in the process. */
	private live: unknown;
	private memory: Memory = freshMemory();
	private activation = true;
	now = 1_800_000_000_000;
	readonly budget = 300_000;

	constructor(
		readonly mode: Mode,
		private readonly chance: Chance,
		private readonly input: Omit<PollInput, 'state' | 'damaged' | 'deadline' | 'now' | 'random'>,
		private readonly hooks: {
			delivered: (items: Delivery[]) => void;
			/** Items of a batch whose state was saved and whose execution was never created. */
			lost: (items: Delivery[]) => void;
			/** Items of a batch whose execution was created and whose state was not saved. */
			unsaved: (items: Delivery[]) => void;
		},
	) {}

	crash(): void {
		this.memory = freshMemory();
		this.live = this.database === undefined ? undefined : JSON.parse(this.database);
	}

	/** Another writer puts an older copy in place. */
	goBack(older: string): void {
		this.database = older;
		this.live = JSON.parse(older);
	}

	/** Undefined: another poll was under way, or this one had outlived its time. */
	async poll(ending: Ending = 'fine'): Promise<PollResult | undefined> {
		const activation = this.activation;
		const stored = this.mode === 'L' ? this.live : this.parse();
		const now = (): number => this.now;
		const until = this.now + this.budget;
		const line = `line-${this.chance.below(1e9)}`;
		const memory = this.memory;
		const start = beginPoll(memory, { stored, now: this.now, until, line });
		if (start === undefined) return undefined;
		this.activation = false;
		const result = await pollLists({
			...this.input,
			state: start.state,
			damaged: start.damaged,
			deadline: until,
			now,
			random: () => this.chance.next(),
		});
		const delivered = result.delivered.length > 0;
		const counts = endPoll(memory, start, { state: result.state, delivered });
		if (!counts || this.memory !== memory) return undefined;
		if (ending === 'crash-before') this.crash();
		else if (delivered) this.hand(result, ending);
		else this.keep(result, start, activation);
		return result;
	}

	private hand(result: PollResult, ending: Ending): void {
		const text = JSON.stringify(result.state);
		if (this.mode === 'D+') {
			// One transaction: both or neither.
			if (ending === 'fine') {
				this.database = text;
				this.hooks.delivered(result.delivered);
			} else if (ending !== 'refused') this.crash();
			return;
		}
		if (ending === 'saved-not-run') {
			this.database = text;
			this.hooks.lost(result.delivered);
			this.crash();
			return;
		}
		this.hooks.delivered(result.delivered);
		if (ending === 'run-not-saved') {
			this.hooks.unsaved(result.delivered);
			this.crash();
			return;
		}
		this.database = text;
		this.live = JSON.parse(text);
	}

	private keep(result: PollResult, start: Start, activation: boolean): void {
		if (result.surface.length > 0 && this.mode !== 'L') return;
		if (!result.store && !start.stale) return;
		const text = JSON.stringify(result.state);
		if (this.mode === 'L') {
			this.live = JSON.parse(text);
			if (activation) this.database = text;
		} else if (this.mode === 'D-') {
			if (activation) this.database = text;
		} else if (!activation) this.database = text;
	}

	private parse(): unknown {
		return this.database === undefined ? undefined : JSON.parse(this.database);
	}
}
