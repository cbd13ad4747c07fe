/**
 * Gates that hold requests back, one for each account. Promise: once the service has asked to wait,
 * no request for that account passes before that time (or before `longestMs`, if that is shorter),
 * and afterwards they do not all pass at once.
 *
 * A gate is open until the service asks to wait. Then it is closed for that time. After that it is
 * on trial: one request passes at a time, until one of them has been answered.
 */
import { keyFrom } from './identifiers';
import { backOff } from './retry';
import type { Clock } from './timeLimit';

/** A request to wait that comes this long after the last wait begins a new series. */
const SERIES_GAP_MS = 30_000;
/** If the service refuses again after a shorter wait, the next wait is lengthened. */
const SHORTEST_WAIT_MS = 1_000;

/** How a waiting request sleeps. Rejects when aborted. */
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
	/** The service's own value; undefined if it gave none. */
	readonly retryAfterMs?: number;
	readonly requestId?: string;
	/** Who has asked, if it was not the service itself. */
	readonly host?: 'storage';
}

/** Permission to send one request. Call it once, when the request has ended. */
export type GatePass = (ending: 'answered' | 'unanswered' | Throttled) => void;

interface GateSettings {
	readonly clock: Clock;
	readonly random: () => number;
	/** The longest wait, whatever the service asks for. */
	readonly longestMs?: number;
}

type GateState =
	| { readonly kind: 'open' }
	| {
			readonly kind: 'closed';
			/** When the service has last asked, and until when the gate is closed. */
			readonly since: number;
			readonly until: number;
			/** `retryAfterMs` is undefined if the gate has chosen the pause itself. */
			readonly asked: Throttled;
	  }
	/** `isTaken`: a request has passed, and its response is not there yet. */
	| { readonly kind: 'trial'; readonly isTaken: boolean };

interface Waiting {
	readonly since: number;
}

export class ThrottleGate {
	private state: GateState = { kind: 'open' };
	/** When the last wait ended. */
	private openedAt = -Infinity;
	/** When the service first asked to wait, with no good response since then. */
	private throttledSince: number | undefined;
	private timesInARow = 0;
	/** Replaced each time the gate closes, because responses to older requests say nothing new. */
	private round = {};
	/** The waiting requests, oldest first. A request that has to be sent again keeps its place. */
	private readonly waiting: Waiting[] = [];
	/** Wakes all waiting requests. */
	private changed = new AbortController();

	constructor(private readonly settings: GateSettings) {}

	/** How long the gate stays closed. */
	get closedForMs(): number {
		const state = this.stateNow();
		return state.kind === 'closed' ? state.until - this.settings.clock() : 0;
	}

	/** The total length of the wait, counted from when the service last asked. */
	get closedInAllMs(): number {
		const state = this.stateNow();
		return state.kind === 'closed' ? state.until - state.since : 0;
	}

	/** The last response that asked to wait, while the gate is closed because of it. */
	get asked(): Throttled {
		const state = this.stateNow();
		return state.kind === 'closed' ? state.asked : {};
	}

	/** Waits for a pass. Undefined as soon as none can come within the limits. */
	async enter(limits: WaitLimits, sleep: Sleep): Promise<GatePass | undefined> {
		const { clock } = this.settings;
		const { ms, since = clock() } = limits;
		const latest = clock() + ms;
		const own = { since };
		this.waiting.push(own);
		this.waiting.sort((one, other) => one.since - other.since);
		try {
			for (;;) {
				const now = clock();
				const state = this.stateNow();
				// A request that may not wait does not queue behind another one either.
				if (state.kind !== 'closed' && (ms <= 0 || this.isTurnOf(own))) return this.pass();
				const wakesAt = state.kind === 'closed' ? state.until : latest;
				const until = state.kind === 'closed' ? this.lastMoment(latest, limits) : latest;
				if (now >= until || (state.kind === 'closed' && wakesAt >= until)) return undefined;
				const { signal } = this.changed;
				await sleep(wakesAt - now, signal).catch((error: unknown) => {
					if (!signal.aborted) throw error;
				});
			}
		} finally {
			this.waiting.splice(this.waiting.indexOf(own), 1);
			this.wake();
		}
	}

	/** No request waits beyond the total time allowed since the service first asked. */
	private lastMoment(latest: number, { sinceFirstMs }: WaitLimits): number {
		return Math.min(latest, (this.throttledSince ?? this.settings.clock()) + sinceFirstMs);
	}

	private isTurnOf(one: Waiting): boolean {
		if (this.state.kind === 'open') return true;
		return this.state.kind === 'trial' && !this.state.isTaken && this.waiting[0] === one;
	}

	/** A closed gate goes on trial as soon as its time is over. */
	private stateNow(): GateState {
		const { state } = this;
		if (state.kind === 'closed' && this.settings.clock() >= state.until) {
			this.openedAt = state.until;
			this.state = { kind: 'trial', isTaken: false };
		}
		return this.state;
	}

	private wake(): void {
		if (this.waiting.length === 0) return;
		this.changed.abort();
		this.changed = new AbortController();
	}

	private pass(): GatePass {
		const { round } = this;
		if (this.state.kind === 'trial') this.state = { kind: 'trial', isTaken: true };
		return (ending) => {
			this.end(ending, { isOfRound: round === this.round });
			this.wake();
		};
	}

	private end(ending: Parameters<GatePass>[0], { isOfRound }: { isOfRound: boolean }): void {
		if (typeof ending === 'object') {
			// If several requests are in flight, only the first response counts.
			if (isOfRound) this.timesInARow += 1;
			return this.close(ending);
		}
		if (!isOfRound) return;
		if (ending === 'answered') {
			this.state = { kind: 'open' };
			this.throttledSince = undefined;
			this.timesInARow = Math.floor(this.timesInARow / 2);
		} else if (this.state.kind === 'trial') this.state = { kind: 'trial', isTaken: false };
	}

	close({ retryAfterMs, requestId, host }: Throttled): void {
		const { clock, random, longestMs = Infinity } = this.settings;
		const now = clock();
		const state = this.stateNow();
		const running = state.kind === 'closed' ? state : undefined;
		const isNewSeries = running === undefined && now - this.openedAt > SERIES_GAP_MS;
		if (this.throttledSince === undefined || isNewSeries) this.throttledSince = now;
		const own = () => backOff(Math.max(1, this.timesInARow), random);
		// If the service says to come back at once and refuses again, slow down nevertheless.
		const isInVain = this.timesInARow > 1 && (retryAfterMs ?? Infinity) < SHORTEST_WAIT_MS;
		const asksAgain = isInVain ? backOff(this.timesInARow - 1, random) : 0;
		const pause = Math.max(asksAgain, retryAfterMs ?? own());
		const until = Math.max(running?.until ?? now, now + Math.min(longestMs, pause));
		// If the service asks again without naming a time, an earlier time that still runs stays valid.
		const named = retryAfterMs ?? running?.asked.retryAfterMs;
		const asked = { retryAfterMs: named, requestId, host };
		this.state = { kind: 'closed', since: now, until, asked };
		this.round = {};
	}
}

export interface ThrottleScope {
	/** Requests with the same object share gates, which live as long as it does. */
	readonly of: object;
	readonly longestMs?: number;
}

/** The gates of one service for one key, by account. */
export class ThrottleGates {
	private readonly gates = new Map<string, ThrottleGate>();

	constructor(private readonly settings: GateSettings) {}

	of(account: string): ThrottleGate {
		const gate = this.gates.get(account) ?? new ThrottleGate(this.settings);
		this.gates.set(account, gate);
		return gate;
	}

	get all(): readonly ThrottleGate[] {
		return [...this.gates.values()];
	}
}

const scopes = new WeakMap<object, Map<string, ThrottleGates>>();

/** Shared by an execution, by the polls of a trigger, or by the editor. */
export function throttleGates(
	{ of: scope, longestMs }: ThrottleScope,
	{ host, secret }: { host: string; secret: string },
	settings: Pick<GateSettings, 'clock' | 'random'>,
): ThrottleGates {
	const shared = scopes.get(scope) ?? new Map<string, ThrottleGates>();
	scopes.set(scope, shared);
	// The key itself is not kept.
	const name = keyFrom(host, secret);
	const gates = shared.get(name) ?? new ThrottleGates({ ...settings, longestMs });
	shared.set(name, gates);
	return gates;
}
