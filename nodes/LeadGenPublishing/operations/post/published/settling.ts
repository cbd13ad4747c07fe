/**
 * Reads a post until a change in progress has ended. Only reads, and reports only what a read has
 * shown.
 */
import { type ApiFailure, isNotFound, outcomeOf } from '../../../api/failure';
import type { JsonRecord } from '../../../api/schemas';
import { capabilitiesOf, etagOf, isBeingChanged } from './state';

export interface PublishedPostPort {
	/** Reads the post; throws an `ApiFailure` with 404 if it is gone. */
	read(): Promise<JsonRecord>;
	wait(ms: number): Promise<void>;
	now(): number;
}

/**
 * Returns a check whether a post has settled. An unchanged post is not enough, because the change
 * may not have started: it must have been busy before, or have another etag.
 */
export function settledCheck(
	capability: 'can_edit' | 'can_delete',
	{ sent, failure }: { sent?: string; failure?: ApiFailure } = {},
) {
	let wasBusy = wasBusyAtFailure(failure, capability);
	return (post: JsonRecord): boolean => {
		if (isBeingChanged(post) || capabilitiesOf(post)[capability] !== true) {
			wasBusy = true;
			return false;
		}
		return wasBusy || (sent !== undefined && (etagOf(post) ?? sent) !== sent);
	};
}

/** The details of an earlier attempt's failure contain the last state that it saw. */
function wasBusyAtFailure(failure: ApiFailure | undefined, capability: string): boolean {
	const seen = failure?.facts.serviceDetails ?? {};
	return seen.post_status !== undefined && capability in seen && seen[capability] !== true;
}

/**
 * Whether a post at rest shows that the failed change was not carried out. If the request was sent
 * several times, an answer was lost, and that request may still be on its way.
 */
export const showsRefusal = (settled: boolean, { facts }: ApiFailure): boolean =>
	settled && facts.attempts <= 1;

interface WatchResult {
	readonly settled: boolean;
	readonly gone: boolean;
	/** The last successful read of the post. */
	readonly seen?: JsonRecord;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** Reads the post with growing pauses until it has settled, is gone, or the deadline has passed. */
export async function watch(
	port: PublishedPostPort,
	{ deadline, isSettled }: { deadline: number; isSettled: (post: JsonRecord) => boolean },
): Promise<WatchResult> {
	let seen: JsonRecord | undefined;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
		const left = deadline - port.now();
		if (left > 0) await port.wait(Math.min(pause, left));
		const { value, failure } = await outcomeOf(port.read());
		if (failure === undefined) {
			seen = value;
			if (isSettled(seen)) return { settled: true, gone: false, seen };
		} else if (isNotFound(failure)) {
			return { settled: true, gone: true };
		}
		if (port.now() >= deadline) return { settled: false, gone: false, seen };
	}
}

/** The post, or undefined if it cannot be read: the caller has a more important failure to report. */
export async function tryRead(
	port: Pick<PublishedPostPort, 'read'>,
): Promise<JsonRecord | undefined> {
	return (await outcomeOf(port.read())).value;
}

/** Whether the post is gone; false if that is not known. */
export async function isGone(port: Pick<PublishedPostPort, 'read'>): Promise<boolean> {
	const { failure } = await outcomeOf(port.read());
	return failure !== undefined && isNotFound(failure);
}
