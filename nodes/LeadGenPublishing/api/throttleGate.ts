/**
 * The gate before a host. Promise: once the service has asked to wait, no request passes before that
 * time, and afterwards they do not all pass at once.
 *
 * It is open until the service asks to wait; then it is closed for that time, and after that half
 * open: one request passes, and a good answer to it opens the gate again.
 */
import { keyFrom } from './identifiers';
import { backOff, type Clock } from './retry';

/** A request to wait that comes this long after the last wait begins a new series. */
const SERIES_GAP_MS = 30_000;
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
	private state: 'open' | 'closed' | 'halfOpen' = 'open';
	/** When the service has last asked to wait, and until when. */
	private closedAt = 0;
	private opensAt = 0;
	private closedBy: Throttled = {};
	/** When it first did so, with no good answer since then. */
	private throttledSince: number | undefined;
	private timesInARow = 0;
	private isProbed = false;
	/** A new one each time that the gate closes: answers to older requests say nothing new. */
	private round = {};
	private waiting: Array<() => void> = [];

	constructor(private readonly settings: GateSettings) {}

	/** How long the gate stays closed. */
	get closedForMs(): number {
		return Math.max(0, this.opensAt - this.settings.clock());
	}

	/** The same, counted from when the service last asked to wait. */
	get closedInAllMs(): number {
		return this.opensAt - this.closedAt;
	}

	/** Whether the service itself has said until when. */
	get isTimeNamed(): boolean {
		return this.closedBy.retryAfterMs !== undefined;
	}

	/** The last request that was told to wait. */
	get throttledRequestId(): string | undefined {
		return this.closedBy.requestId;
	}

	/** Waits for a pass; undefined as soon as none can come within the limits. */
	async enter(patience: WaitLimits, sleep: Sleep): Promise<Pass | undefined> {
		const { clock } = this.settings;
		const latest = clock() + patience.ms;
		for (;;) {
			const now = clock();
			if (this.state === 'closed' && now >= this.opensAt) this.state = 'halfOpen';
			const isClosed = this.state === 'closed';
			// A request that may not wait does not queue behind another one either.
			if (!isClosed && (this.state === 'open' || !this.isProbed || patience.ms <= 0))
				return this.pass();
			const inSum = (this.throttledSince ?? now) + patience.sinceFirstMs;
			const until = isClosed ? Math.min(latest, inSum) : latest;
			if (now >= until || (isClosed && this.opensAt >= until)) return undefined;
			await this.changeWithin((isClosed ? this.opensAt : latest) - now, sleep);
		}
	}

	private pass(): Pass {
		const { round } = this;
		this.isProbed = true;
		const end = (then: () => void): void => {
			if (round === this.round) {
				this.isProbed = false;
				then();
			}
			this.wake();
		};
		return {
			answered: () => end(() => this.open()),
			unanswered: () => end(() => undefined),
			throttled: (answer) => {
				// Of several requests in flight, only the first counts.
				end(() => (this.timesInARow += 1));
				// Whoever was woken by that looks at the gate when it is closed.
				this.close(answer);
			},
		};
	}

	private open(): void {
		this.state = 'open';
		this.throttledSince = undefined;
		this.timesInARow = Math.floor(this.timesInARow / 2);
	}

	private close({ retryAfterMs, requestId }: Throttled): void {
		const { clock, longestMs = Infinity } = this.settings;
		const now = clock();
		if (this.throttledSince === undefined || now - this.opensAt > SERIES_GAP_MS)
			this.throttledSince = now;
		// One that asks to wait without a time does not take back a time that still runs.
		const named = retryAfterMs ?? (now < this.opensAt ? this.closedBy.retryAfterMs : undefined);
		this.closedBy = { retryAfterMs: named, requestId };
		this.closedAt = now;
		this.opensAt = Math.max(this.opensAt, now + Math.min(longestMs, this.waitFor(retryAfterMs)));
		this.round = {};
		this.isProbed = false;
		this.state = 'closed';
	}

	private waitFor(retryAfterMs: number | undefined): number {
		if (retryAfterMs === undefined)
			return backOff(Math.max(1, this.timesInARow), this.settings.random);
		// If the service says to come back at once and refuses again, slow down nevertheless.
		return this.timesInARow > 1 ? Math.max(BREATH_MS, retryAfterMs) : retryAfterMs;
	}

	private async changeWithin(ms: number, sleep: Sleep): Promise<void> {
		const enough = new AbortController();
		const changed = new Promise<void>((resolve) => this.waiting.push(resolve));
		await Promise.race([changed, sleep(ms, enough.signal)]).finally(() => enough.abort());
	}

	private wake(): void {
		const { waiting } = this;
		this.waiting = [];
		for (const goOn of waiting) goOn();
	}
}

export interface ThrottleScope {
	/** What shares gates: something that lives as long as they are to. */
	readonly of: object;
	readonly longestMs?: number;
}

const gates = new WeakMap<object, Map<string, ThrottleGate>>();

/** The gate of a host for a key: shared by an execution, by the polls of a trigger, or by the editor. */
export function throttleGate(
	{ of: scope, longestMs }: ThrottleScope,
	{ host, secret }: { host: string; secret: string },
	settings: Pick<GateSettings, 'clock' | 'random'>,
): ThrottleGate {
	const shared = gates.get(scope) ?? new Map<string, ThrottleGate>();
	gates.set(scope, shared);
	// The key itself is not kept.
	const name = keyFrom(host, secret);
	const gate = shared.get(name) ?? new ThrottleGate({ ...settings, longestMs });
	shared.set(name, gate);
	return gate;
}
