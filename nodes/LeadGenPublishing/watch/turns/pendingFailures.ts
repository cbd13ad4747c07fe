/**
 * Promise: no failure is silent. What a poll cannot show, because it has something to deliver, is
 * owed to the next one that has not.
 */
import type { PendingFailure } from '../state';

export interface ListFailure extends PendingFailure {
	error?: unknown;
	retryAfterMs?: number;
}

export const DAMAGED = 'damaged-state';

export const damageFailure = (account: string): ListFailure => ({
	account,
	kind: DAMAGED,
	message:
		'The remembered state was damaged. What is in the list now counts as delivered; ' +
		'records that appeared since the last sound state may have been passed over.',
});

/** Without what cannot be stored. */
export const withoutCause = ({ account, kind, message }: ListFailure): PendingFailure => ({
	account,
	kind,
	message,
});

/** The latest word per account and kind. */
export function mergeFailures(
	before: readonly PendingFailure[],
	failures: readonly ListFailure[],
): ListFailure[] {
	const open = new Map<string, ListFailure>();
	for (const failure of [...before, ...failures]) {
		open.set(`${failure.account} ${failure.kind}`, failure);
	}
	return [...open.values()];
}
