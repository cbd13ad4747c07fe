/** Explains a rejected change to a post that was published after the node had read it. */
import { ApiFailure, outcomeOf } from '../../../api/failure';
import { readPost, type PostOfCall } from './watch';

/**
 * The rejection of a change to a post that was a draft or scheduled. If the post's new status is
 * the cause, it is added.
 */
export async function withStatusNow(
	post: Pick<PostOfCall, 'call' | 'id'>,
	refusal: unknown,
): Promise<unknown> {
	if (!(refusal instanceof ApiFailure)) return refusal;
	const { facts } = refusal;
	const mayBeTheCause =
		!facts.uncertain && facts.reason === undefined && [400, 409].includes(facts.status ?? 0);
	if (!mayBeTheCause) return refusal;
	// If the read fails, the rejection stays as it is.
	const { value: current } = await outcomeOf(readPost(post));
	const { status } = current ?? {};
	if (status !== 'published' && status !== 'publishing') return refusal;
	const serviceDetails = { ...facts.serviceDetails, post_status: status };
	return new ApiFailure({ ...facts, postStatusNow: status, serviceDetails });
}
