/**
 * The gate before the service. Promise: once it was asked to wait, no request passes before that
 * time, and afterwards they do not all pass at once.
 *
 * It is open until the service asks to wait; then it is closed for that time, and after that half
 * open: one request passes at a time, until so many good answers in a row have come that a rate of
 * requests as before may be taken again.
 */
import { keyFrom } from './identifiers';
import { backOff, type Clock } from './retry';

/** A request to wait that comes this long after the last wait begins a new series. */
const SERIES_GAP_MS = 30_000;
const BREATH_MS = 100;
/** As many as the node sends side by side: so many must have been answered well one by one. */
const GOOD_ANSWERS_TO_OPEN = 10;

/** How a waiting request sleeps; rejects when aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface WaitLimits {
	/** How long this request may still wait. */
	readonly ms: number;
	/** How long requests may wait in total since the service first asked to. */
	readonly sinceFirstMs: number;
	/** When the request first came, by the gate's clock; now, if not given. */
	readonly since?: number;
}

export interface Throttled {
	/** As given by the service; undefined if it gave none. */
	readonly retryAfterMs?: number;
	readonly requestId?: string;
	/** Who has asked, if it was not the service itself. */
	readonly host?: 'storage';
}

/** Permission to send one request. Call it once, when the request has ended. */
export type Pass = (ending: 'answered' | 'unanswered' | Throttled) => void;

interface GateSettings {
	readonly clock: Clock;
	readonly random: () => number;
	/** The longest wait, whatever the service asks for. */
	readonly longestMs?: number;
}

export class ThrottleGate {
	/** When the service has last asked to wait, and until when. */
	private closedAt = 0;
	private opensAt = 0;
	/** The last answer that asked to wait; without a time if the gate has chosen the pause itself. */
	lastAsked: Throttled = {};
	/** When it first did so, with no good answer since then. */
	private throttledSince: number | undefined;
	private timesInARow = 0;
	/** How many good answers are needed until the gate is open; 0 while it is. */
	private goodAnswersNeeded = 0;
	private isTried = false;
	/** A new one each time that the gate closes: answers to older requests say nothing new. */
	private round = {};
	/** Who waits, the first to come in front: who was sent in vain keeps its place. */
	private readonly waiting: Array<{ since: number }> = [];
	/** Wakes all who wait. */
	private changed = new AbortController();

	constructor(private readonly settings: GateSettings) {}

	/** How long the gate stays closed. */
	get closedForMs(): number {
		return Math.max(0, this.opensAt - this.settings.clock());
	}

	/** The same, counted from when the service last asked to wait. */
	get closedInAllMs(): number {
		return this.opensAt - this.closedAt;
	}

	/** Waits for a pass; undefined as soon as none can come within the limits. */
	async enter(limits: WaitLimits, sleep: Sleep): Promise<Pass | undefined> {
		const { clock } = this.settings;
		const { ms, sinceFirstMs, since = clock() } = limits;
		const latest = clock() + ms;
		const own = { since };
		this.waiting.push(own);
		this.waiting.sort((one, other) => one.since - other.since);
		try {
			for (;;) {
				const now = clock();
				const isClosed = now < this.opensAt;
				const isTurn = this.goodAnswersNeeded === 0 || (!this.isTried && this.waiting[0] === own);
				// A request that may not wait does not queue behind another one either.
				if (!isClosed && (isTurn || ms <= 0)) return this.pass();
				const inSum = (this.throttledSince ?? now) + sinceFirstMs;
				const until = isClosed ? Math.min(latest, inSum) : latest;
				if (now >= until || this.opensAt >= until) return undefined;
				const { signal } = this.changed;
				await sleep((isClosed ? this.opensAt : latest) - now, signal).catch((error: unknown) => {
					if (!signal.aborted) throw error;
				});
			}
		} finally {
			this.waiting.splice(this.waiting.indexOf(own), 1);
			this.wake();
		}
	}

	private wake(): void {
		this.changed.abort();
		this.changed = new AbortController();
	}

	private pass(): Pass {
		const { round } = this;
		this.isTried = true;
		return (ending) => {
			const isOfRound = round === this.round;
			if (isOfRound) this.isTried = false;
			if (typeof ending === 'object') {
				// Of several requests in flight, only the first counts.
				if (isOfRound) this.timesInARow += 1;
				this.close(ending);
			} else if (isOfRound && ending === 'answered') {
				this.goodAnswersNeeded = Math.max(0, this.goodAnswersNeeded - 1);
				this.throttledSince = undefined;
				this.timesInARow = Math.floor(this.timesInARow / 2);
			}
			this.wake();
		};
	}

	close({ retryAfterMs, requestId, host }: Throttled): void {
		const { clock, random, longestMs = Infinity } = this.settings;
		const now = clock();
		if (this.throttledSince === undefined || now - this.opensAt > SERIES_GAP_MS)
			this.throttledSince = now;
		// One that asks to wait without a time does not take back a time that still runs.
		const named = retryAfterMs ?? (now < this.opensAt ? this.lastAsked.retryAfterMs : undefined);
		// If the service says to come back at once and refuses again, slow down nevertheless.
		const breath = this.timesInARow > 1 ? BREATH_MS : 0;
		const pause = Math.max(breath, retryAfterMs ?? backOff(Math.max(1, this.timesInARow), random));
		this.lastAsked = { retryAfterMs: named, requestId, host };
		this.closedAt = now;
		this.opensAt = Math.max(this.opensAt, now + Math.min(longestMs, pause));
		this.round = {};
		this.isTried = false;
		this.goodAnswersNeeded = GOOD_ANSWERS_TO_OPEN;
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
