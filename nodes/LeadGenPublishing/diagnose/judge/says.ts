/** The service's own message, for the items only. It was scrubbed, and may name people. Pure. */
import type { Asked } from '../facts';

const LONGEST = 200;

export function saysOf(asked: readonly Asked[]): string | undefined {
	const message = asked
		.map(({ outcome }) => (outcome.kind === 'failed' ? (outcome.failure.serviceMessage ?? '') : ''))
		.find((text) => text.trim() !== '');
	return message !== undefined && message.length > LONGEST
		? `${message.slice(0, LONGEST)}…`
		: message;
}
