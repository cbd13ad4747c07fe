/**
 * The service's own message and the ID of the request, for the items only. The message was scrubbed,
 * and may name people. Pure.
 */
import type { FailureFacts } from '../../api/failure';
import type { Asked } from '../facts';

const LONGEST = 200;

/** Of the first failure that has a message, or else of the first one with a request ID. */
export function saysOf(asked: readonly Asked[]): string | undefined {
	const failures = asked.flatMap(({ outcome }) =>
		outcome.kind === 'failed' ? outcome.failure : [],
	);
	const shown =
		failures.find((failure) => messageIn(failure) !== '') ??
		failures.find(({ requestId }) => requestId !== undefined);
	if (shown === undefined) return undefined;
	// The service's support asks for it.
	const id = shown.requestId === undefined ? '' : `(request ID ${shown.requestId})`;
	return [messageIn(shown), id].filter((part) => part !== '').join(' ');
}

function messageIn(failure: FailureFacts): string {
	const message = ('serviceMessage' in failure && failure.serviceMessage?.trim()) || '';
	return message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message;
}
