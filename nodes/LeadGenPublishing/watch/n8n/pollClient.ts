/**
 * The API client of a trigger: when the service asks to wait, all lists wait, in this poll and in
 * later ones.
 */
import type { IPollFunctions } from 'n8n-workflow';

import { Client } from '../../api/client';
import { MAX_PAUSE } from '../list/turns/pollLists';

/** The longest pause within a poll; longer ones are left to a later poll. */
const BRIDGED_PAUSE_MS = 2_000;
const PAGE_TIMEOUT_MS = 20_000;

export const connectForPoll = async (
	functions: IPollFunctions,
	throttle: object,
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
