/** Deletes a published post safely, and reports as deleted only what a read has shown to be gone. */
import { type ApiFailure, outcomeOf, withFindings } from '../../../api/failure';
import type { JsonRecord } from '../../../api/schemas';
import { isGone, settledCheck, showsRefusal, watch, type PublishedPostPort } from './settling';
import { describeState, stateOf } from './state';
import { stepFor } from './steps';

export interface DeletePort extends PublishedPostPort {
	remove(): Promise<JsonRecord>;
}

/**
 * Deletes a published post, once the user has confirmed it. If `checkOnly` is given, the failure of
 * an earlier attempt, nothing is sent: reads show the outcome of that attempt.
 */
export async function deletePublished(
	port: DeletePort,
	{ deadline, checkOnly }: { deadline: number; checkOnly?: ApiFailure },
): Promise<{ note?: string }> {
	if (checkOnly !== undefined) return await watchDeletion(checkOnly, { port, deadline });
	const { failure } = await outcomeOf(port.remove());
	if (failure === undefined) return {};
	if (stepFor(failure) === 'watch') return await watchDeletion(failure, { port, deadline });
	if (!failure.facts.uncertain) throw failure;
	if (await isGone(port)) return { note: GONE };
	throw withFindings(failure, {
		found: 'The post could still be read afterwards, or could not be read at all.',
	});
}

const GONE = 'The service was not sure at first whether a post was deleted; it is gone now';

async function watchDeletion(
	failure: ApiFailure,
	{ port, deadline }: { port: PublishedPostPort; deadline: number },
): Promise<{ note?: string }> {
	const { settled, gone, seen } = await watch(port, {
		deadline,
		isSettled: settledCheck('can_delete', { failure }),
	});
	if (gone) return { note: GONE };
	throw withFindings(failure, {
		found: settled
			? 'A later read shows the post still there, and no sign of a change in progress.'
			: `The post ${describeState(seen)}. It had not settled when the waiting ended.`,
		details: stateOf(seen),
		settled,
		uncertain: !showsRefusal(settled, failure),
		notCarriedOut: showsRefusal(settled, failure),
	});
}
