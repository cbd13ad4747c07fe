/**
 * Time that passes only when a world says so. Replaces the clocks and timers of the process, so that
 * a year of polls takes minutes. The service and n8n may disagree about the time of day.
 */
interface Timer {
	readonly at: number;
	readonly run: () => void;
	isCleared: boolean;
}

const RealDate = Date;
const realImmediate = setImmediate;

/** Real turns of the event loop in which nothing happens before the next timer is due. */
const TURNS_BEFORE_TIMER = 2;
const MOST_TURNS = 200_000;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const START = 1_800_000_000_000;

const turn = async (): Promise<void> => await new Promise((resolve) => realImmediate(resolve));

const dateOf = (now: () => number): typeof Date =>
	class extends RealDate {
		constructor(...given: unknown[]) {
			super(...((given.length === 0 ? [now()] : given) as [number]));
		}
		static override now(): number {
			return now();
		}
	} as typeof Date;

export class VirtualTime {
	/** The true time, which is also the service's. */
	now = START;
	/** How far n8n's clock is ahead of the true time. */
	n8nIsAhead = 0;
	private timers: Timer[] = [];
	private restore: () => void = () => undefined;

	get n8nNow(): number {
		return this.now + this.n8nIsAhead;
	}

	install(): void {
		const VirtualDate = dateOf(() => this.n8nNow);
		const before = {
			Date,
			setTimeout: globalThis.setTimeout,
			clearTimeout: globalThis.clearTimeout,
			now: performance.now,
		};
		Object.assign(globalThis, {
			Date: VirtualDate,
			setTimeout: (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
				this.addTimer(() => run(...given), ms),
			clearTimeout: (timer: unknown) => this.clear(timer),
		});
		performance.now = () => this.now - START;
		this.restore = () => {
			const { now, ...globals } = before;
			Object.assign(globalThis, globals);
			performance.now = now;
		};
	}

	uninstall(): void {
		this.restore();
		this.timers = [];
	}

	private addTimer(run: () => void, ms: number): object {
		const timer: Timer & { ref: () => object; unref: () => object } = {
			at: this.now + Math.max(0, Number(ms) || 0),
			run,
			isCleared: false,
			ref: () => timer,
			unref: () => timer,
		};
		this.timers.push(timer);
		return timer;
	}

	private clear(timer: unknown): void {
		if (typeof timer === 'object' && timer !== null && 'isCleared' in timer) {
			timer.isCleared = true;
			if (this.timers.at(-1) === timer) this.timers.pop();
		}
	}

	/** Fires the timer that is due next, and sets the clock to its time. */
	private fireNext(): void {
		this.timers = this.timers.filter(({ isCleared }) => !isCleared);
		const next = this.timers.reduce<Timer | undefined>(
			(first, one) => (first === undefined || one.at < first.at ? one : first),
			undefined,
		);
		if (next === undefined) return;
		next.isCleared = true;
		this.now = Math.max(this.now, next.at);
		next.run();
	}

	/** Resolves after this much virtual time. Only works within `playOut`. */
	async wait(ms: number): Promise<void> {
		await new Promise<void>((resolve) => void this.addTimer(resolve, ms));
	}

	/** Nothing runs meanwhile: timers that nobody waits for any more are dropped. */
	pass(ms: number): void {
		this.now += ms;
		if (this.timers.length > 0) this.timers = this.timers.filter(({ isCleared }) => !isCleared);
	}

	/**
	 * Lets the work continue to its end. If it only waits for a timer, the clock moves to that time.
	 */
	async playOut<T>(work: Promise<T>): Promise<T> {
		let isOver = false;
		const end = (): void => void (isOver = true);
		work.then(end, end);
		let idle = 0;
		for (let turns = 0; !isOver; turns++) {
			if (turns > MOST_TURNS) throw new Error('Nothing goes on any more');
			await turn();
			if (isOver || ++idle < TURNS_BEFORE_TIMER) continue;
			idle = 0;
			this.fireNext();
		}
		return await work;
	}
}
