/** What deletions share: one whose answer was lost, or denies it, is looked into. */
import { isNotFound, outcomeOf, withFindings } from '../api/failure';
import { openAttempt, type ItemCall } from '../item/itemCall';

const REQUESTS = {
	post: { what: 'post', remove: 'post.delete', read: 'post.get' },
	leadMagnet: { what: 'lead magnet', remove: 'leadMagnet.archive', read: 'leadMagnet.get' },
} as const;

/**
 * For what is not found any more once it is gone, so that a second request does no harm. The service
 * has said so, or the answer was lost and it is not found now.
 */
export async function deleteRecord(
	call: ItemCall,
	{ resource, id }: { resource: keyof typeof REQUESTS; id: string },
): Promise<'deleted' | 'notFound'> {
	const { api } = call;
	const { what, remove, read } = REQUESTS[resource];
	const { failure } = await outcomeOf(api.call(remove, { params: { id } }));
	if (failure === undefined) return 'deleted';
	const wasNotFound = isNotFound(failure) && openAttempt(call) !== undefined;
	if (!wasNotFound && !failure.facts.uncertain) throw failure;
	const { failure: unread } = await outcomeOf(api.call(read, { params: { id } }));
	// A key that may delete may be unable to read.
	if (unread !== undefined && (wasNotFound || isNotFound(unread))) return 'notFound';
	throw withFindings(failure, {
		uncertain: true,
		found: `The ${what} ${unread === undefined ? 'could still be read' : 'could not be read'} afterwards. Its deletion may still be in progress.`,
	});
}
