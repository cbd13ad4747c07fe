/**
 * Gates that hold requests back, one for each account. Promise: once the service has asked to wait,
 * no request for that account passes before that time (or before `longestMs`, if that is shorter).
 * Afterwards they pass one at a time, until one of them succeeds.
 *
 *     open ── asks to wait ──> closed ── its time is over ──> trial ── a request succeeds ──> open
 *                                ^                              │
 *                                └──────── asks to wait ────────┘
 */
import { keyFrom } from './identifiers';
import { backOff } from './retry';
import type { Clock } from './timeLimit';

/** A request to wait that comes this long after the last wait begins a new series. */
const SERIES_GAP_MS = 30_000;
/** If the service refuses again after a shorter wait, the gate chooses the next one itself. */
const SHORTEST_WAIT_MS = 1_000;

/** Made once: without a reason, each `abort()` makes an error with a stack trace. */
const GATE_CHANGED = new Error('Another request has ended');

/** How a waiting request sleeps. Rejects when aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface WaitLimits {
	/** How long this request may still wait. */
	readonly ms: number;
	/** How long requests may wait in total since the service first asked to. */
	readonly sinceFirstMs: number;
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

/** The refusals since the last success. */
interface Series {
	/** When the service first asked to wait. */
	readonly firstAt: number;
	readonly refusals: number;
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
			readonly series: Series;
	  }
	| {
			readonly kind: 'trial';
			readonly since: number;
			/** A request has passed, and its response is not there yet. */
			readonly isTaken: boolean;
			readonly series: Series;
	  };

export class ThrottleGate {
	private state: GateState = { kind: 'open' };
	/** Grows each time the gate closes, because responses to older requests say nothing new. */
	private round = 0;
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
	async enter({ ms, sinceFirstMs }: WaitLimits, sleep: Sleep): Promise<GatePass | undefined> {
		const { clock } = this.settings;
		const latest = clock() + ms;
		for (;;) {
			const state = this.stateNow();
			// A request that may not wait does not wait for another one either.
			if (state.kind === 'open' || (state.kind === 'trial' && (!state.isTaken || ms <= 0)))
				return this.pass();
			const isClosed = state.kind === 'closed';
			// No request waits beyond the total time allowed since the service first asked.
			const end = isClosed ? Math.min(latest, state.series.firstAt + sinceFirstMs) : latest;
			const wakesAt = isClosed ? state.until : latest;
			if (clock() >= end || (isClosed && wakesAt >= end)) return undefined;
			const { signal } = this.changed;
			await sleep(wakesAt - clock(), signal).catch((error: unknown) => {
				if (!signal.aborted) throw error;
			});
		}
	}

	/** A closed gate goes on trial as soon as its time is over. */
	private stateNow(): GateState {
		const { state } = this;
		if (state.kind === 'closed' && this.settings.clock() >= state.until)
			this.state = { kind: 'trial', since: state.until, isTaken: false, series: state.series };
		return this.state;
	}

	private pass(): GatePass {
		const { round } = this;
		this.take(true);
		return (ending) => {
			this.end(ending, { isOfRound: round === this.round });
			this.changed.abort(GATE_CHANGED);
			this.changed = new AbortController();
		};
	}

	private take(isTaken: boolean): void {
		const { state } = this;
		if (state.kind === 'trial')
			this.state = { kind: 'trial', since: state.since, isTaken, series: state.series };
	}

	private end(ending: Parameters<GatePass>[0], { isOfRound }: { isOfRound: boolean }): void {
		// If several requests are in flight, only the first refusal counts.
		if (typeof ending === 'object') this.close(ending, isOfRound ? 1 : 0);
		else if (!isOfRound) return;
		else if (ending === 'answered') this.state = { kind: 'open' };
		else this.take(false);
	}

	close(given: Throttled, refusals = 1): void {
		const { clock, longestMs = Infinity } = this.settings;
		const now = clock();
		const state = this.stateNow();
		const isNew =
			state.kind === 'open' || (state.kind === 'trial' && now - state.since > SERIES_GAP_MS);
		const before = isNew ? { firstAt: now, refusals: 0 } : state.series;
		const series = { firstAt: before.firstAt, refusals: before.refusals + refusals };
		const running = state.kind === 'closed' ? state : undefined;
		const pause = Math.min(longestMs, this.pauseAfter(given.retryAfterMs, series));
		const until = Math.max(running?.until ?? now, now + pause);
		// If the service asks again without naming a time, an earlier time that still runs stays valid.
		const retryAfterMs = given.retryAfterMs ?? running?.asked.retryAfterMs;
		const asked = { retryAfterMs, requestId: given.requestId, host: given.host };
		this.state = { kind: 'closed', since: now, until, asked, series };
		this.round += 1;
	}

	private pauseAfter(named: number | undefined, { refusals }: Series): number {
		const own = backOff(Math.max(1, refusals), this.settings.random);
		if (named === undefined) return own;
		// If the service says to come back at once and refuses again, slow down nevertheless.
		return named < SHORTEST_WAIT_MS && refusals > 1 ? Math.max(named, own) : named;
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
