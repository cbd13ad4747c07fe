/**
 * For tests whose node waits: the clock stands, and jumps to the next timer as soon as nothing but a
 * timer can go on. What is timed keeps its order, and a wait of a minute takes some hundredths of a
 * second. The node, n8n and the fake service share the clock; requests cross the loopback as ever.
 */
import type { FakeService } from '../../fake-service/index';

/** How many looks in a row see nothing happen, before the clock jumps. */
const LOOKS = 6;
const LOOK_EVERY_MS = 2;

export function skipWaits(serviceOf: () => FakeService): void {
	const { setInterval: start, clearInterval: stop } = globalThis;
	let looking: NodeJS.Timeout | undefined;

	beforeEach(() => {
		jest.useFakeTimers({
			now: Date.now(),
			doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'],
		});
		let [before, looks] = ['', 0];
		looking = start(() => {
			const { requests, storageRequests } = serviceOf();
			const ended = requests.filter(({ endedAt }) => endedAt !== null).length;
			const seen = [requests.length, ended, storageRequests.length, jest.getTimerCount()].join();
			looks = seen === before ? looks + 1 : 0;
			before = seen;
			if (looks < LOOKS) return;
			looks = 0;
			jest.advanceTimersToNextTimer();
		}, LOOK_EVERY_MS);
	});
	afterEach(() => {
		stop(looking);
		jest.useRealTimers();
	});
}
