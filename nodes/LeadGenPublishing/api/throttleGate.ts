/**
 * Promise: once the service has asked to wait, no request passes before that time, and afterwards
 * requests do not all pass at once. One goes first; with every good answer, one more may be in
 * flight, until the gate is fully open again.
 */
import type { Clock } from './clock';
import { backOff, DEFAULT_RETRY } from './retry';

/** After this many consecutive good answers, the service counts as recovered. */
const FULL_WIDTH = 16;
/** A request to wait that comes this long after the last wait starts a new episode. */
const EPISODE_GAP_MS = 30_000;
const BREATH_MS = 100;

/** How a waiting request sleeps; rejects when aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface WaitLimits {
	/** How long this request may still wait. */
	readonly ms: number;
	/** How long requests may wait in total since the service first asked to. */
	readonly sinceFirstMs: number;
}

export interface Throttled {
	/** As given by the service; undefined if it gave none. */
	readonly retryAfterMs?: number;
	readonly requestId?: string;
}

/** Permission to send one request. Call exactly one of the three when the request has ended. */
export interface Pass {
	answered(): void;
	unanswered(): void;
	throttled(answer: Throttled): void;
}

export interface GateSettings {
	readonly clock: Clock;
	readonly random: () => number;
	/** The longest wait, whatever the service asks for. */
	readonly longestMs?: number;
}

export class ThrottleGate {
	/** Clock time before which nothing passes. */
	private opensAt = 0;
	private closedAt = 0;
	private throttledSince: number | undefined;
	private timesInARow = 0;
	private width = Infinity;
	private underWay = 0;
	/** Incremented when the gate closes, so that answers to older requests are ignored. */
	private round = 0;
	private closedBy: string | undefined;
	private change = newChange();

	constructor(private readonly settings: GateSettings) {}

	/** How long the gate stays closed. */
	get closedForMs(): number {
		return Math.max(0, this.opensAt - this.settings.clock());
	}

	/** The same, counted from when the service last asked to wait. */
	get closedInAllMs(): number {
		return this.opensAt - this.closedAt;
	}

	/** The last request that was told to wait. */
	get throttledRequestId(): string | undefined {
		return this.closedBy;
	}

	/** Waits for a pass; undefined as soon as none can come within the limits. */
	async enter(patience: WaitLimits, sleep: Sleep): Promise<Pass | undefined> {
		const latest = this.settings.clock() + patience.ms;
		for (;;) {
			const now = this.settings.clock();
			const isOpen = now >= this.opensAt;
			// A request that may not wait does not queue either.
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
				// Of several requests in flight, only the first counts.
				end(() => (this.timesInARow += 1));
				// Whoever was woken by that looks at the gate when it is closed.
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
		this.closedAt = now;
		this.opensAt = Math.max(this.opensAt, now + Math.min(longestMs, this.waitFor(retryAfterMs)));
		this.closedBy = requestId;
		this.round += 1;
		this.underWay = 0;
		this.width = 1;
	}

	private waitFor(retryAfterMs: number | undefined): number {
		const { random } = this.settings;
		if (retryAfterMs === undefined)
			return backOff(Math.max(1, this.timesInARow), { growth: DEFAULT_RETRY, random });
		// If the service says to come back at once and refuses again, slow down nevertheless.
		return this.timesInARow > 1 ? Math.max(BREATH_MS, retryAfterMs) : retryAfterMs;
	}

	private async changeWithin(ms: number, sleep: Sleep): Promise<void> {
		const enough = new AbortController();
		const changed = this.change.announced;
		await Promise.race([changed, sleep(ms, enough.signal)]).finally(() => enough.abort());
	}
}

/** Wakes all waiting requests on each announcement. */
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
