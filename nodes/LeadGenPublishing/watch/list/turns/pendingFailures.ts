/**
 * Failures that are reported later. Promise: if a poll cannot report a failure because it has items
 * to deliver, the next poll without items does. What may pass by itself is tolerated first.
 */
import { isTolerable, pauseAfter, type Pause } from '../../store/pauses';
import type { PendingFailure } from '../../store/state';
import type { ClassifiedFailure } from './pollInput';

export interface ListFailure extends PendingFailure {
	error?: unknown;
	retryAfterMs?: number;
	/** Which failure in a row this is, if it is not reported yet. */
	tolerated?: number;
}

export const isReported = ({ tolerated }: ListFailure): boolean => tolerated === undefined;

/** One more failure in a row: the pause after it, and the failure as it is reported or tolerated. */
export function countFailure(
	{ account, error }: { account: string; error: unknown },
	{
		before,
		classified,
		fault = false,
	}: { before: Pause | undefined; classified: ClassifiedFailure; fault?: boolean },
	times: { now: number; random: number },
): { pause: Pause; failure: ListFailure } {
	const { lasting, ...about } = classified;
	const pause = pauseAfter(before, { ...about, lasting, fault }, times);
	const tolerated = isTolerable(pause, { lasting }) ? { tolerated: pause.failures } : {};
	return { pause, failure: { ...about, account, error, ...tolerated } };
}

const DAMAGED = 'damaged-state';
export const FULL = 'list-full';
/** That its list was read does not end such a failure. */
export const ABOUT_READ_LISTS: ReadonlySet<string> = new Set([DAMAGED, FULL]);

export const damageFailure = (account: string): ListFailure => ({
	account,
	kind: DAMAGED,
	message:
		'The remembered state was damaged. What is in the list now counts as delivered; ' +
		'records that appeared since the last sound state may have been passed over.',
});

/** Without the parts that cannot be stored. */
export const withoutCause = ({ account, kind, message }: ListFailure): PendingFailure => ({
	account,
	kind,
	message,
});

/** The latest failure per account and kind. */
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
