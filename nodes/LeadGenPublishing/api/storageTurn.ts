/**
 * Decides when an upload may begin. Promise: once the storage has asked to wait, no file of the run
 * is sent there before that time, whichever item was told.
 */
import { ApiFailure } from './failure';
import { notSent, type SenderParts } from './sender';
import type { TimeLimit } from './timeLimit';

export interface Turn {
	/** The time limit of the item. */
	readonly time: TimeLimit;
	readonly agency: boolean;
}

export async function inStorageTurn<T>(
	{ gate, now, sleep }: Pick<SenderParts, 'gate' | 'now' | 'sleep'>,
	{ time, agency }: Turn,
	upload: () => Promise<T>,
): Promise<T> {
	const pass = await gate.enter(
		{ ms: time.leftForWaiting(), sinceFirstMs: time.maxMs },
		async (ms, enough) => await sleep(ms, enough),
	);
	if (pass === undefined) {
		throw new ApiFailure({
			...notSent(gate, now()),
			endpoint: 'media.upload',
			agency,
			retryable: true,
			attempts: 0,
			uncertain: false,
		});
	}
	const uploaded = await upload().catch((error: unknown) => {
		if (asksToWait(error)) pass.throttled(error.facts);
		else pass.unanswered();
		throw error;
	});
	pass.answered();
	return uploaded;
}

/** The service has its own gate: only answers of the storage count here. */
const asksToWait = (error: unknown): error is ApiFailure =>
	error instanceof ApiFailure &&
	error.facts.endpoint === 'media.upload' &&
	(error.facts.status === 429 || (error.facts.retryable && error.facts.retryAfterMs !== undefined));
