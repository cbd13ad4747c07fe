/**
 * Promise: once the service has asked to wait, no request passes before that time, whoever sends
 * it; and then they do not all pass at once. One goes first, and with every good answer one more
 * may be under way, until the gate is wide open again.
 */
import type { Clock } from './clock';
import { backOff, DEFAULT_RETRY } from './retry';

/** With so many good answers in a row the service is taken to have recovered. */
const FULL_WIDTH = 16;
/** Asked to wait again so long after the last wait was over, that is another story. */
const EPISODE_GAP_MS = 30_000;
const BREATH_MS = 100;

/** How a waiting request sleeps; aborted, it rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface Patience {
	/** How long this request may wait from now on. */
	readonly ms: number;
	/** How long requests may wait in sum, from when the service first asked them to. */
	readonly sinceFirstMs: number;
}

export interface Throttled {
	/** As the service said; undefined when it did not say. */
	readonly retryAfterMs?: number;
	readonly requestId?: string;
}

/** The right to send one request. Exactly one of the three has to be called when it has ended. */
export interface Pass {
	answered(): void;
	unanswered(): void;
	throttled(answer: Throttled): void;
}

export interface GateSettings {
	readonly clock: Clock;
	readonly random: () => number;
	/** Nobody is kept waiting for longer, whatever the service says. */
	readonly longestMs?: number;
}

export class ThrottleGate {
	/** By the clock: nothing passes before. */
	private opensAt = 0;
	private throttledSince: number | undefined;
	private timesInARow = 0;
	private width = Infinity;
	private underWay = 0;
	/** Grows each time the gate closes: an answer to an older request says nothing about now. */
	private round = 0;
	private closedBy: string | undefined;
	private change = newChange();

	constructor(private readonly settings: GateSettings) {}

	/** How long nothing will pass. */
	get closedForMs(): number {
		return Math.max(0, this.opensAt - this.settings.clock());
	}

	/** The request that was last told to wait. */
	get throttledRequestId(): string | undefined {
		return this.closedBy;
	}

	/** Waits for a pass; undefined as soon as it is certain that none comes within the patience. */
	async enter(patience: Patience, sleep: Sleep): Promise<Pass | undefined> {
		const latest = this.settings.clock() + patience.ms;
		for (;;) {
			const now = this.settings.clock();
			const isOpen = now >= this.opensAt;
			// Whoever may not wait at all does not stand in line either.
			if (isOpen && (this.underWay < this.width || patience.ms <= 0)) return this.pass();
			const inSum = (this.throttledSince ?? now) + patience.sinceFirstMs;
			const until = isOpen ? latest : Math.min(latest, inSum);
			if (now >= until || this.opensAt >= until) return undefined;
			await this.changeWithin((isOpen ? latest : this.opensAt) - now, sleep);
		}
	}

	private pass(): Pass {
		const { round } = this;
		this.underWay += 1;
		const end = (then: () => void): void => {
			if (round === this.round) {
				this.underWay -= 1;
				then();
			}
			this.change.announce();
		};
		return {
			answered: () => end(() => this.widen()),
			unanswered: () => end(() => undefined),
			throttled: (answer) => {
				// Of those that were under way together, one counts.
				end(() => (this.timesInARow += 1));
				this.close(answer);
			},
		};
	}

	private widen(): void {
		this.throttledSince = undefined;
		this.timesInARow = Math.floor(this.timesInARow / 2);
		this.width = this.width >= FULL_WIDTH ? Infinity : this.width + 1;
	}

	private close({ retryAfterMs, requestId }: Throttled): void {
		const now = this.settings.clock();
		const isNewEpisode = this.throttledSince === undefined || now - this.opensAt > EPISODE_GAP_MS;
		if (isNewEpisode) this.throttledSince = now;
		const { longestMs = Infinity } = this.settings;
		this.opensAt = Math.max(this.opensAt, now + Math.min(longestMs, this.waitFor(retryAfterMs)));
		this.closedBy = requestId;
		this.round += 1;
		this.underWay = 0;
		this.width = 1;
		this.change.announce();
	}

	private waitFor(retryAfterMs: number | undefined): number {
		const { random } = this.settings;
		if (retryAfterMs === undefined)
			return backOff(Math.max(1, this.timesInARow), { growth: DEFAULT_RETRY, random });
		// Told to come back at once, and refused again: not as fast as the line allows.
		return this.timesInARow > 1 ? Math.max(BREATH_MS, retryAfterMs) : retryAfterMs;
	}

	private async changeWithin(ms: number, sleep: Sleep): Promise<void> {
		const enough = new AbortController();
		const changed = this.change.announced;
		await Promise.race([changed, sleep(ms, enough.signal)]).finally(() => enough.abort());
	}
}

/** Wakes everybody who waits, as often as it is announced. */
function newChange() {
	let wake: () => void = () => undefined;
	const next = () => new Promise<void>((resolve) => (wake = resolve));
	let announced = next();
	return {
		get announced() {
			return announced;
		},
		announce: () => {
			wake();
			announced = next();
		},
	};
}
