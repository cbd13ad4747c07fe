/** The sentences for what the node has found out about a failed write. Pure. */
import type { Found, SeenPost } from '../api/found';

export const foundInWords = (found: readonly Found[] = []): string =>
	found.map(sentenceOf).join(' ');

function sentenceOf(found: Found): string {
	switch (found.kind) {
		case 'notRead':
			return `${found.what === 'post' ? 'The post' : 'The record'} could not be read afterwards.`;
		case 'notFound':
			return 'A later read did not find the record.';
		case 'postGone':
			return 'The post does not exist any more.';
		case 'perhapsThere':
			return 'The post could still be read afterwards, or could not be read at all.';
		case 'notBeingDeleted':
			return 'A later read still shows the post and no deletion in progress.';
		case 'notBeingUpdated':
			return 'A later read shows neither the new text nor a change in progress.';
		case 'deletionNotSeen':
			return `The ${found.what} could ${found.isThere ? 'still be read' : 'not be read'} afterwards. Its deletion may still be in progress.`;
		case 'valuesNotShown':
			return `A later read did not show the new ${found.fields.join(', ')}. The update may still be in progress.`;
		case 'newText':
			return `A later read ${found.isShown ? 'shows the new text' : 'does not show the new text'}.`;
		case 'textNow':
			return found.text === undefined
				? 'The post shows no text.'
				: `Its text is now: "${found.text}${found.isCut ? '…' : ''}".`;
		case 'postNow':
			return `The post ${stateInWords(found.post)}.`;
		case 'stillChanging':
			return 'The post was still changing when the wait ended.';
		case 'earlierHadOtherContent':
			return 'The earlier attempt had different content.';
		case 'earlierAttempt':
			return `An earlier attempt at this item may have succeeded (it ended with ${found.ended}).`;
		case 'notRepeated':
			return `The request was not repeated: ${found.problem}.`;
		case 'doneButUnread':
			return 'An earlier attempt already completed the change, but its record could not be read again.';
		case 'lookedFor':
			return `The node looked for it ${found.times === 1 ? 'once' : `${found.times} times`} and did not find it.`;
		case 'notLookedForAfterwards':
			return `The node could not check afterwards whether the ${found.what} exists.${found.why === undefined ? '' : ` ${found.why}.`}`;
		case 'notLookedForBefore':
			return `The node could not check whether the ${found.what} already exists, so it created nothing.`;
		case 'statusAsStated':
			return `The node did not read the post first, because "Current Status" says that it is ${found.status}. If it is not, set "Current Status" to "Read From Service".`;
		case 'serviceSays':
			return `Details from the service: ${found.details.join(', ')}.`;
		case 'fileAndLimit':
			return `The file has ${found.size} bytes. The service reports a limit of ${found.limit} bytes for ${found.contentType}, but the storage may have a lower one.`;
	}
}

function stateInWords(post: SeenPost | undefined): string {
	if (post === undefined) return 'could not be read';
	const why = post.reason === undefined ? '' : `, ${post.reason}`;
	return `is ${post.status ?? 'in an unknown state'}${why}`;
}
