/** A post that is published between the read of it and the change that is then refused. */
import { ApiFailure, outcomeOf } from '../../../api/failure';
import { readPost, type PostOfCall } from './watch';

/**
 * The refusal of a change to a post that was a draft or scheduled; with the status that the post has
 * now if that is the cause.
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
	// A read that fails says nothing; the refusal stays what it is.
	const { value: current } = await outcomeOf(readPost(post));
	const { status } = current ?? {};
	if (status !== 'published' && status !== 'publishing') return refusal;
	const serviceDetails = { ...facts.serviceDetails, post_status: status };
	return new ApiFailure({ ...facts, postStatusNow: status, serviceDetails });
}
