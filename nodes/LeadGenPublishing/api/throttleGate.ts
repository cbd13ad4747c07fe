/**
 * The gate before a host. Promise: once the service has asked to wait, no request passes before that
 * time, and afterwards they do not all pass at once.
 *
 * It is open until the service asks to wait; then it is closed for that time, and after that half
 * open: one request passes, with every good answer one more may be under way, and after enough of
 * them it is open again.
 */
import { sleep } from 'n8n-workflow';

import type { Clock } from './timeLimit';
import { keyFrom } from './identifiers';
import { backOff, DEFAULT_RETRY } from './retry';

type State =
	| { readonly kind: 'open' }
	/** `width`: how many requests may be under way once it is not closed any more. */
	| { readonly kind: 'closed' | 'halfOpen'; readonly width: number };

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
	private state: State = { kind: 'open' };
	/** When the service has last asked to wait, and until when. */
	private closedAt = 0;
	private opensAt = 0;
	private closedBy: string | undefined;
	private hasNamedTime = false;
	/** When it first did so, with no good answer since then. */
	private throttledSince: number | undefined;
	private timesInARow = 0;
	private underWay = 0;
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
		return this.hasNamedTime;
	}

	/** The last request that was told to wait. */
	get throttledRequestId(): string | undefined {
		return this.closedBy;
	}

	/** Waits for a pass; undefined as soon as none can come within the limits. */
	async enter(patience: WaitLimits, sleep: Sleep): Promise<Pass | undefined> {
		const { clock } = this.settings;
		const latest = clock() + patience.ms;
		for (;;) {
			const now = clock();
			if (this.state.kind === 'closed' && now >= this.opensAt)
				this.state = { ...this.state, kind: 'halfOpen' };
			const { state, opensAt } = this;
			// A request that may not wait does not queue either.
			const mayPass =
				state.kind === 'open' ||
				(state.kind === 'halfOpen' && (this.underWay < state.width || patience.ms <= 0));
			if (mayPass) return this.pass();
			const inSum = (this.throttledSince ?? now) + patience.sinceFirstMs;
			const until = state.kind === 'closed' ? Math.min(latest, inSum) : latest;
			if (now >= until || (state.kind === 'closed' && opensAt >= until)) return undefined;
			await this.changeWithin((state.kind === 'closed' ? opensAt : latest) - now, sleep);
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
			this.wake();
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
		if (this.state.kind === 'open') return;
		const { width } = this.state;
		this.state = width >= FULL_WIDTH ? { kind: 'open' } : { kind: 'halfOpen', width: width + 1 };
	}

	private close({ retryAfterMs, requestId }: Throttled): void {
		const { clock, longestMs = Infinity } = this.settings;
		const now = clock();
		if (this.throttledSince === undefined || now - this.opensAt > EPISODE_GAP_MS)
			this.throttledSince = now;
		const isStillClosed = now < this.opensAt;
		this.hasNamedTime = retryAfterMs !== undefined || (isStillClosed && this.hasNamedTime);
		this.closedAt = now;
		this.opensAt = Math.max(this.opensAt, now + Math.min(longestMs, this.waitFor(retryAfterMs)));
		this.closedBy = requestId;
		this.round = {};
		this.underWay = 0;
		this.state = { kind: 'closed', width: 1 };
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
		const changed = new Promise<void>((resolve) => this.waiting.push(resolve));
		await Promise.race([changed, sleep(ms, enough.signal)]).finally(() => enough.abort());
	}

	private wake(): void {
		const { waiting } = this;
		this.waiting = [];
		for (const goOn of waiting) goOn();
	}
}

/** An execution uses few keys, and one storage. */
const MAX_GATES = 50;

export interface ThrottleScope {
	/** What shares gates: something that lives as long as they are to. */
	readonly of: object;
	readonly longestMs?: number;
}

const gates = new WeakMap<object, Map<string, ThrottleGate>>();

/** The gate of a host for a key: shared by an execution, by the polls of a trigger, or by the editor. */
export function throttleGate(
	{ of: scope, longestMs }: ThrottleScope,
	{ host, secret = '' }: { host: string; secret?: string },
	settings: Pick<GateSettings, 'clock' | 'random'>,
): ThrottleGate {
	const shared = gates.get(scope) ?? new Map<string, ThrottleGate>();
	gates.set(scope, shared);
	// The key itself is not kept.
	const name = keyFrom(host, secret);
	const gate = shared.get(name) ?? new ThrottleGate({ ...settings, longestMs });
	// A `Map` iterates in the order of insertion: the one that was not used for longest goes.
	shared.delete(name);
	shared.set(name, gate);
	const [unused] = shared.keys();
	if (shared.size > MAX_GATES && unused !== undefined) shared.delete(unused);
	return gate;
}

const AT_ONCE = 2;
const APART_MS = 1;

export class Turnstile {
	private passed = 0;
	private open: Promise<void> = Promise.resolve();

	constructor(private readonly wait: (ms: number) => Promise<void> = sleep) {}

	async pass(): Promise<void> {
		const mine = this.open;
		this.passed += 1;
		if (this.passed % AT_ONCE === 0) this.open = mine.then(async () => await this.wait(APART_MS));
		await mine;
	}
}
