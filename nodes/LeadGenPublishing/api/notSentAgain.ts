import { messageOf } from './errors';
import { OpenWriteError, type FailureFacts } from './failure';
import { writeDescriptionOf } from './writeDescriptions';

/** The error for an item that is not sent again because its outcome is unknown. */
export function notSentAgain(
	facts: FailureFacts | undefined,
	next = nextAfter(facts),
): OpenWriteError {
	const first = facts === undefined ? '' : ` ${messageOf(facts)}`;
	return new OpenWriteError(
		`A previous attempt of this item may have succeeded, so it was not sent again.${first}`,
		next,
		{
			code: 'outcome_unknown',
			outcome: 'unknown',
			http_status: facts?.status ?? null,
			reason: facts?.reason ?? null,
			request_id: facts?.requestId ?? null,
		},
	);
}

function nextAfter(facts: FailureFacts | undefined): string {
	const check = facts && writeDescriptionOf(facts.endpoint)?.check;
	return `${check ?? 'Check with a Get or Get Many whether it exists'}. If it was not done, start the workflow again: a new execution sends it.`;
}
