/** Explains a rejected change to a post that was published after the node had read it. */
import { ApiFailure, outcomeOf, withFindings } from '../../../api/failure';
import { mayBeOfOtherState } from '../../../api/policy';
import { postStatus } from '../../../records/postStatus';
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
	if (!mayBeOfOtherState(facts)) return refusal;
	// If the read fails, the rejection stays as it is.
	const { value: current } = await outcomeOf(readPost(post));
	const status = postStatus(current?.status);
	if (status !== 'published' && status !== 'publishing') return refusal;
	return withFindings(refusal, { postNow: status, details: { post_status: status } });
}
