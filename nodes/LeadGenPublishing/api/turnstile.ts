/**
 * Lets requests begin two at a time, a millisecond apart. Those that begin together compute
 * together in n8n's helper, go out when all of them are ready, come back together, and so wait for
 * each other every time. Apart, one computes while the others wait for the service.
 */
import { sleep } from 'n8n-workflow';

const AT_ONCE = 2;
const APART_MS = 1;

export class Turnstile {
	private passed = 0;
	private open: Promise<void> = Promise.resolve();

	constructor(private readonly wait: (ms: number) => Promise<void> = sleep) {}

	async pass(): Promise<void> {
		const mine = this.open;
		this.passed += 1;
		if (this.passed % AT_ONCE === 0) {
			this.open = mine.then(async () => await this.wait(APART_MS));
		}
		await mine;
	}
}
