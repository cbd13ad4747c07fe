/** The client of a trigger: all of its lists wait together, in this poll and in the next ones. */
import type { IPollFunctions } from 'n8n-workflow';

import { Client } from '../api/client';
import { MAX_PAUSE } from './turns';

/** A pause that a poll waits for; a longer one is left to a later poll. */
const BRIDGED_PAUSE_MS = 2_000;
const PAGE_TIMEOUT_MS = 20_000;

export const connectForPoll = async (functions: IPollFunctions): Promise<Client> =>
	await Client.connect(functions, {
		// The engine comes back to a page by itself; here only a hiccup is bridged.
		retry: {
			maxAttempts: 2,
			maxPauseMs: BRIDGED_PAUSE_MS,
			maxWaitMs: 2 * PAGE_TIMEOUT_MS + BRIDGED_PAUSE_MS,
		},
		timeoutMs: PAGE_TIMEOUT_MS,
		throttle: {
			of: `trigger/${functions.getWorkflow().id ?? ''}/${functions.getNode().id}`,
			longestMs: MAX_PAUSE,
		},
		origin: functions.getMode() === 'manual' ? 'test' : 'poll',
	});

/** How long the service wants to be left alone, when that is longer than a poll waits; else 0. */
export const throttledForMs = ({ throttledForMs: ms }: Client): number =>
	ms > BRIDGED_PAUSE_MS ? ms : 0;
