/**
 * Reads a published post until a change has settled, and says what to do about a rejection. It only
 * reads, and only reports what a read has shown.
 */
import { ApiFailure, outcomeOf, withFindings } from '../../../api/failure';
import { isNotFound, stepFor } from '../../../api/policy';
import { growingPauses } from '../../../api/growingPauses';
import type { Found } from '../../../api/found';
import type { JsonRecord } from '../../../api/schemas';
import type { WriteCall } from '../../../item/itemCall';
import { stateOf, textNow } from './state';
import { capabilitiesOf, etagOf, isBeingChanged } from '../../../records/capabilities';

export interface PostOfCall {
	readonly call: WriteCall;
	readonly id: string;
	/** When to stop waiting, as a time of `api.now()`. */
	readonly deadline: number;
}

type Read = Pick<PostOfCall, 'call' | 'id'>;

export const readPost = async ({ call, id }: Read): Promise<JsonRecord> =>
	(await call.api.call('post.get', { params: { id } })).data;

/** The post, or undefined if it cannot be read: the caller has a more important failure to report. */
export const tryRead = async (post: Read): Promise<JsonRecord | undefined> =>
	(await outcomeOf(readPost(post))).value;

/** Whether the post is gone. False if that is unknown. */
export async function isGone(post: Read): Promise<boolean> {
	const { failure } = await outcomeOf(readPost(post));
	return failure !== undefined && isNotFound(failure);
}

/** For any failed change of a post: adds the refreshed text to an error that asks for its review. */
export async function withRefreshedText(post: Read, error: unknown): Promise<unknown> {
	if (!(error instanceof ApiFailure) || stepFor(error) !== 'showRefreshed') return error;
	const seen = await tryRead(post);
	return withFindings(error, {
		found: [textNow(seen)],
		details: typeof seen?.text === 'string' ? { refreshed_text: seen.text } : undefined,
	});
}

/** The network often needs less than a second for a change. */
const BETWEEN_READS = { firstMs: 500, longestMs: 10_000 };

interface Watched {
	readonly capability: 'can_edit' | 'can_delete';
	/** The etag that was sent. */
	readonly etag?: string;
	/** Whether a post without a change in progress shows the result of the change. */
	readonly isDone?: (post: JsonRecord) => boolean;
}

/** `seen` is the last successful read of the post. */
interface Rest {
	readonly settled: boolean;
	readonly gone: boolean;
	readonly seen?: JsonRecord;
}

/**
 * Reads the post with growing pauses until it has settled, is gone, or the deadline has passed. An
 * unchanged post only counts as settled if it was busy before or has another etag. Otherwise the
 * change may not have started yet.
 */
export async function watch(
	post: PostOfCall,
	failure: ApiFailure,
	{ capability, etag, isDone = () => false }: Watched,
): Promise<Rest> {
	const { api } = post.call;
	// The details of an earlier attempt's failure contain the last state that it saw.
	const before = failure.facts.details ?? {};
	let wasBusy =
		before.post_status !== undefined && capability in before && before[capability] !== true;
	const hasSettled = (seen: JsonRecord): boolean => {
		const isBusy = isBeingChanged(seen);
		const isOther = etag !== undefined && (etagOf(seen) ?? etag) !== etag;
		if (!isBusy && isDone(seen)) return true;
		if (!isBusy && capabilitiesOf(seen)[capability] === true) return wasBusy || isOther;
		wasBusy = true;
		return false;
	};
	let seen: JsonRecord | undefined;
	const nextPause = growingPauses(BETWEEN_READS);
	for (;;) {
		const left = post.deadline - api.now();
		if (left > 0) await api.wait(Math.min(nextPause(), left));
		const { value, failure: unread } = await outcomeOf(readPost(post));
		if (unread !== undefined && isNotFound(unread)) return { settled: true, gone: true };
		seen = value ?? seen;
		if (value !== undefined && hasSettled(value)) return { settled: true, gone: false, seen };
		if (api.now() >= post.deadline) return { settled: false, gone: false, seen };
	}
}

/** The failure of a change that a settled post does not show, or whose post has not settled. */
export function notSeen(
	failure: ApiFailure,
	{ settled, seen }: Rest,
	found: { atRest: readonly Found[]; restless: readonly Found[] },
): ApiFailure {
	// If the request was sent several times, a response was lost, and that request may still take
	// effect.
	const notCarriedOut = settled && failure.facts.attempts <= 1;
	return withFindings(failure, {
		found: settled ? found.atRest : [...found.restless, { kind: 'stillChanging' }],
		details: stateOf(seen),
		settled,
		notCarriedOut,
		uncertain: !notCarriedOut,
	});
}
