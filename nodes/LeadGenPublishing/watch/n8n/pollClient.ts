/**
 * The API client of a trigger: when the service asks to wait, all lists wait, in this poll and in
 * later ones.
 */
import type { IPollFunctions } from 'n8n-workflow';

import { Client } from '../../api/client';
import { MAX_PAUSE } from '../list/turns/pollLists';
import { REPORTED_FROM_MS, type Pause } from '../store/pauses';
import type { Throttle } from './processMemory';

/** The longest pause within a poll; longer ones are left to a later poll. */
const BRIDGED_PAUSE_MS = 2_000;
const PAGE_TIMEOUT_MS = 20_000;

export const connectForPoll = async (
	functions: IPollFunctions,
	throttle: Throttle,
): Promise<Client> =>
	await Client.connect(functions, {
		// The engine retries pages by itself; this only covers brief failures.
		retry: {
			maxAttempts: 2,
			maxPauseMs: BRIDGED_PAUSE_MS,
			maxWaitMs: 2 * PAGE_TIMEOUT_MS + BRIDGED_PAUSE_MS,
		},
		timeoutMs: PAGE_TIMEOUT_MS,
		throttle: { of: throttle, longestMs: MAX_PAUSE },
		origin: functions.getMode() === 'manual' ? 'test' : 'poll',
	});

/** For how long the service asked to wait, if that is longer than a poll waits; otherwise 0. */
export const throttledForMs = ({ throttledForMs: ms }: Client): number =>
	ms > BRIDGED_PAUSE_MS ? ms : 0;

/** Whether the service asked for so long a wait that a poll must fail, and none has. */
export function isUntoldWait(client: Client, throttle: Throttle): boolean {
	if (throttledForMs(client) > 0)
		return client.throttledInAllMs >= REPORTED_FROM_MS && throttle.told !== true;
	delete throttle.told;
	return false;
}

/**
 * After a question that the lists can do without: if they have to wait because of it, they are then
 * read for as long before it is asked again.
 */
export function pauseAfterQuestion(client: Client, now: number, leastMs = 0): Pause {
	const waitMs = throttledForMs(client);
	return { failures: 1, since: now + waitMs, ms: Math.max(leastMs, waitMs) };
}
