/**
 * Lets requests begin a few at a time, spaced apart. Requests that begin together are prepared
 * together by n8n's helper, sent when all are ready, and answered together, so they wait for each
 * other every time. Spaced apart, one is prepared while the others wait for the service.
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
