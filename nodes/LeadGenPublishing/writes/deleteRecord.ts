/**
 * What deletions share: if the response was lost or denies the deletion, a read checks the outcome.
 */
import { outcomeOf, withFindings } from '../api/failure';
import { isNotFound } from '../api/policy';
import { openAttempt, type WriteCall } from '../item/itemCall';

const REQUESTS = {
	post: { what: 'post', remove: 'post.delete', read: 'post.get' },
	leadMagnet: { what: 'lead magnet', remove: 'leadMagnet.archive', read: 'leadMagnet.get' },
} as const;

/**
 * Deletes a record that is not found afterwards, so that a second request does no harm. `deleted`
 * is the service's own response. `notFound` means that a response was lost and the record is not
 * found now.
 */
export async function deleteRecord(
	call: WriteCall,
	{ resource, id }: { resource: keyof typeof REQUESTS; id: string },
): Promise<'deleted' | 'notFound'> {
	const { api } = call;
	const { what, remove, read } = REQUESTS[resource];
	const { failure } = await outcomeOf(api.call(remove, { params: { id } }));
	if (failure === undefined) return 'deleted';
	const wasNotFound = isNotFound(failure) && openAttempt(call) !== undefined;
	if (!wasNotFound && !failure.facts.uncertain) throw failure;
	const { failure: unread } = await outcomeOf(api.call(read, { params: { id } }));
	// A key may be allowed to delete but not to read.
	if (unread !== undefined && (wasNotFound || isNotFound(unread))) return 'notFound';
	throw withFindings(failure, {
		uncertain: true,
		found: [{ kind: 'deletionNotSeen', what, isThere: unread === undefined }],
	});
}
