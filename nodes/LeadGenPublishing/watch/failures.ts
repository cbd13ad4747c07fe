/** What a failed list means: for its own pause, for the activation, and in words. */
import { NodeApiError, type INode } from 'n8n-workflow';

import { messageOf, toNodeError } from '../api/errors';
import { ApiFailure } from '../api/failure';
import type { FailureKind, ListFailure } from './turns';

export interface Classified extends FailureKind {
	/** It may be over in a moment: no reason not to switch a workflow on. */
	readonly passing: boolean;
}

export function classify(error: unknown): Classified {
	// Told by an earlier poll, or about the state instead of an answer.
	if (error === undefined) return { kind: 'earlier', message: '', passing: true };
	if (!(error instanceof ApiFailure)) {
		const message = error instanceof Error ? error.message : String(error);
		return { kind: 'failed', message, lasting: true, passing: false };
	}
	const { facts } = error;
	const message = messageOf(facts);
	if (facts.status === 429) {
		return { kind: 'rate-limited', message, retryAfterMs: facts.retryAfterMs, passing: true };
	}
	if (facts.retryable) return { kind: facts.code ?? facts.kind, message, passing: true };
	return { kind: facts.code ?? facts.kind, message, lasting: true, passing: false };
}

/** One error that names every account that failed; the account's own, when it is the only one. */
export function toPollError(
	node: INode,
	failures: readonly ListFailure[],
	{ watched }: { watched: number },
): Error {
	const [first] = failures;
	const alone = first?.account === 'own' || (first?.account === 'clients' && watched === 0);
	if (failures.length === 1 && alone && first.error !== undefined) {
		return toNodeError(node, first.error);
	}
	const lines = failures.map(({ account, kind, message }) => `${account}: ${message} (${kind})`);
	const unread = failures.filter(({ kind }) => kind !== 'damaged-state');
	const subject = failures.length === 1 ? 'One list' : `${failures.length} lists`;
	const names = failures.map(({ account }) => account).join(', ');
	const message =
		unread.length === 0
			? (first?.message ?? '')
			: `${subject} could not be read: ${names}. ${unread[0]?.message ?? ''}`;
	const waits = failures.map(({ retryAfterMs }) => retryAfterMs ?? 0);
	const limited = failures.filter(({ kind }) => kind === 'rate-limited');
	const allLimited = limited.length === failures.length && limited.length >= watched;
	const error = new NodeApiError(
		node,
		{ message },
		{
			message,
			description: `${lines.join('\n')}\nThe other lists are watched as usual; these are tried again by themselves.`,
			// The wait of one list must not hold up the others: n8n is told only when all have to wait.
			...(allLimited
				? { failure: { cause: 'rate-limited' as const, retryAfterMs: Math.min(...waits) } }
				: {}),
		},
	);
	error.message = message;
	return error;
}
