/** The service's own message, for the items only. It was scrubbed, and may name people. Pure. */
import type { FailureFacts } from '../../api/failure';
import type { Asked } from '../facts';

const LONGEST = 200;

const messageIn = (failure: FailureFacts): string =>
	('serviceMessage' in failure && failure.serviceMessage) || '';

export function saysOf(asked: readonly Asked[]): string | undefined {
	const message = asked
		.map(({ outcome }) => (outcome.kind === 'failed' ? messageIn(outcome.failure) : ''))
		.find((text) => text.trim() !== '');
	return message !== undefined && message.length > LONGEST
		? `${message.slice(0, LONGEST)}…`
		: message;
}
