/**
 * Time that passes only when every run that goes on is waiting. What the node sends still crosses
 * the loopback, and takes no time.
 */
import { setImmediate, setTimeout } from 'node:timers/promises';

interface Event {
	readonly at: number;
	readonly happen: () => void;
}

/** Real pauses after which a run that neither waits nor sends is taken to wait for another one. */
const QUIET_TURNS = 5;

export class VirtualTime {
	private ms = Date.UTC(2031, 0, 6, 8);
	private events: Event[] = [];
	private readonly runs = new Map<symbol, { asleep: number }>();
	private isMoving = false;
	/** Requests on their way. */
	inFlight = 0;

	readonly now = (): number => this.ms;

	/** For the service, which does not keep time from passing. */
	readonly pause = async (ms: number): Promise<void> =>
		await new Promise((resolve) => this.events.push({ at: this.ms + ms, happen: resolve }));

	/** Runs the work, which may wait with the function that it is given. */
	async during<T>(
		work: (wait: (ms: number, signal?: AbortSignal) => Promise<void>) => Promise<T>,
	): Promise<T> {
		const id = Symbol('run');
		const run = { asleep: 0 };
		this.runs.set(id, run);
		try {
			return await work(async (ms, signal) => {
				run.asleep += 1;
				await this.sleep(ms, signal).finally(() => (run.asleep -= 1));
			});
		} finally {
			this.runs.delete(id);
		}
	}

	/** Lets time pass while nothing runs. */
	async pass(ms: number): Promise<void> {
		const until = this.ms + ms;
		while (await this.next(until));
		this.ms = until;
	}

	private async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			const event = { at: this.ms + ms, happen: resolve };
			const abort = () => {
				this.events = this.events.filter((other) => other !== event);
				reject(new Error('Aborted'));
			};
			if (signal?.aborted === true) return abort();
			signal?.addEventListener('abort', abort, { once: true });
			this.events.push(event);
			void this.move();
		});
	}

	private async move(): Promise<void> {
		if (this.isMoving) return;
		this.isMoving = true;
		while ([...this.runs.values()].some(({ asleep }) => asleep > 0)) {
			await this.allAsleep();
			if (!(await this.next(Infinity))) break;
		}
		this.isMoving = false;
	}

	private async allAsleep(): Promise<void> {
		for (let turn = 0; turn < QUIET_TURNS; turn += 1) {
			if ([...this.runs.values()].every(({ asleep }) => asleep > 0)) return;
			if (this.inFlight > 0) turn = 0;
			await setTimeout(1);
		}
	}

	/** The next event until then, if there is one. */
	private async next(until: number): Promise<boolean> {
		const [first] = this.events.sort((a, b) => a.at - b.at);
		if (first === undefined || first.at > until) return false;
		this.events.shift();
		this.ms = Math.max(this.ms, first.at);
		first.happen();
		await setImmediate();
		return true;
	}
}
