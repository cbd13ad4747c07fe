/** The API client for lists in the editor, where a person waits for the answer. */
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { Client } from '../api/client';

/** All lists of the editor wait together, as long as this process lives. */
const EDITOR = {};
const MAX_THROTTLE_MS = 10 * 60_000;

export const connectForEditor = async (functions: ILoadOptionsFunctions): Promise<Client> =>
	await Client.connect(functions, {
		retry: { maxAttempts: 2, maxPauseMs: 5_000, maxWaitMs: 30_000 },
		throttle: { of: EDITOR, longestMs: MAX_THROTTLE_MS },
		origin: 'editor',
	});
