/**
 * Looks at a post until a change of it has come to an end, and sends nothing. What is said about
 * the end is what a read has shown.
 */
import type { ApiFailure } from './failure';
import { isNotFound, outcomeOf } from './outcome';
import { capabilitiesOf, etagOf, isBeingChanged } from './publishedPostState';
import type { JsonRecord } from './schemas';

export interface PublishedPostPort {
	/** Reads the post; throws an `ApiFailure` with 404 when it is gone. */
	read(): Promise<JsonRecord>;
	wait(ms: number): Promise<void>;
	now(): number;
}

/**
 * A post that looks as before may only not have changed yet: the document names no sign of a change
 * under way. It has settled when it was busy and is not any more, or has another etag.
 */
export function restAfter(
	capability: 'can_edit' | 'can_delete',
	{ sent, failure }: { sent?: string; failure?: ApiFailure } = {},
) {
	let wasBusy = sawBusy(failure, capability);
	return (post: JsonRecord): boolean => {
		if (isBeingChanged(post) || capabilitiesOf(post)[capability] !== true) {
			wasBusy = true;
			return false;
		}
		return wasBusy || (sent !== undefined && (etagOf(post) ?? sent) !== sent);
	};
}

/** An earlier attempt may have seen the post busy: its failure tells the state it ended with. */
function sawBusy(failure: ApiFailure | undefined, capability: string): boolean {
	const seen = failure?.facts.serviceDetails ?? {};
	return seen.post_status !== undefined && capability in seen && seen[capability] !== true;
}

interface Watched {
	readonly settled: boolean;
	readonly gone: boolean;
	/** The post as it was last read. */
	readonly seen?: JsonRecord;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** Looks at the post, ever less often, until it has settled, is gone, or the time is up. */
export async function watch(
	port: PublishedPostPort,
	{ deadline, isSettled }: { deadline: number; isSettled: (post: JsonRecord) => boolean },
): Promise<Watched> {
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

/** The post once more, or nothing when it cannot be read: the failure at hand matters more. */
export async function look(port: Pick<PublishedPostPort, 'read'>): Promise<JsonRecord | undefined> {
	return (await outcomeOf(port.read())).value;
}

/** Whether the post is gone; false as well when that cannot be told. */
export async function isGone(port: Pick<PublishedPostPort, 'read'>): Promise<boolean> {
	const { failure } = await outcomeOf(port.read());
	return failure !== undefined && isNotFound(failure);
}
