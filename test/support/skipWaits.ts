/**
 * For tests whose node waits: the clock stands still, and jumps to the next timer as soon as
 * everything waits for one. Timers keep their order, and a wait of a minute takes some hundredths
 * of a second. The node, n8n and the fake service share the clock. Requests still cross the
 * loopback.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

import type { FakeService } from '../../fake-service/index';

/**
 * How many checks in a row must find no activity before the clock jumps, even while a request is on
 * its way.
 */
const LOOKS = { usual: 15, onTheWay: 500 };
const LOOK_EVERY_MS = 2;

const ID = 'x-request-id';

/** Requests that were sent but have not arrived. On a busy machine, that may take long. */
class OnTheWay {
	private readonly ids = new Set<string>();

	readonly begin = (message: unknown): void => this.note(message, (id) => this.ids.add(id));
	readonly fail = (message: unknown): void => this.note(message, (id) => this.ids.delete(id));

	isEmpty({ requests, redirected }: FakeService): boolean {
		if (this.ids.size > 0)
			for (const { headers } of [...requests, ...redirected]) this.ids.delete(headers[ID] ?? '');
		return this.ids.size === 0;
	}

	private note(message: unknown, change: (id: string) => unknown): void {
		const { request } = message as { request: ClientRequest };
		const id = request.getHeader(ID);
		if (typeof id === 'string') change(id);
	}
}

export function skipWaits(serviceOf: () => FakeService): void {
	const { setInterval: start, clearInterval: stop } = globalThis;
	let looking: NodeJS.Timeout | undefined;
	let onTheWay = new OnTheWay();

	beforeEach(() => {
		onTheWay = new OnTheWay();
		subscribe('http.client.request.start', onTheWay.begin);
		subscribe('http.client.request.error', onTheWay.fail);
		jest.useFakeTimers({
			now: Date.now(),
			doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'],
		});
		let [before, looks] = ['', 0];
		looking = start(() => {
			const service = serviceOf();
			const { requests, storageRequests } = service;
			const ended = requests.filter(({ endedAt }) => endedAt !== null).length;
			const seen = [requests.length, ended, storageRequests.length, jest.getTimerCount()].join();
			looks = seen === before ? looks + 1 : 0;
			before = seen;
			if (looks < (onTheWay.isEmpty(service) ? LOOKS.usual : LOOKS.onTheWay)) return;
			looks = 0;
			jest.advanceTimersToNextTimer();
		}, LOOK_EVERY_MS);
	});
	afterEach(() => {
		stop(looking);
		unsubscribe('http.client.request.start', onTheWay.begin);
		unsubscribe('http.client.request.error', onTheWay.fail);
		jest.useRealTimers();
	});
}
