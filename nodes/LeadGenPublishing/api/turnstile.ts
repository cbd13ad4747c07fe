/**
 * Lets requests begin a few at a time, and some time apart. Those that begin together compute
 * together in n8n's helper, go out when all of them are ready, come back together, and so wait for
 * each other every time. Apart, one computes while the others wait for the service.
 */
import { sleep } from 'n8n-workflow';

export interface Pace {
	readonly atOnce: number;
	readonly apartMs: () => number;
}

export class Turnstile {
	private passed = 0;
	private open: Promise<void> = Promise.resolve();

	constructor(
		private readonly pace: Pace,
		private readonly wait: (ms: number) => Promise<void> = sleep,
	) {}

	async pass(): Promise<void> {
		const mine = this.open;
		this.passed += 1;
		if (this.passed % this.pace.atOnce === 0) {
			this.open = mine.then(async () => {
				const apart = this.pace.apartMs();
				if (apart > 0) await this.wait(apart);
			});
		}
		await mine;
	}
}
