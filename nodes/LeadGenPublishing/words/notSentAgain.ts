/** The error for an item that is not sent again because its outcome is unknown. */
import { OpenWriteError } from './inputError';
import { type FailureFacts } from '../api/failure';
import { reasonOf, responseStatus } from '../api/policy';
import { givenIn } from '../api/schemas';
import { messageOf, withRequestId } from './message';
import { writeDescriptionOf } from './writeDescriptions';

export function notSentAgain(
	facts: FailureFacts | undefined,
	next = nextAfter(facts),
): OpenWriteError {
	const known = 'An earlier attempt at this item may have succeeded, so it was not sent again.';
	const remedy = facts ? withRequestId(next, facts) : next;
	const ofResponse = givenIn({
		http_status: facts && responseStatus(facts),
		reason: facts && reasonOf(facts),
		request_id: facts?.requestId,
	});
	return new OpenWriteError(facts ? `${known} ${messageOf(facts)}` : known, remedy, {
		...ofResponse,
		code: 'outcome_unknown',
		outcome: 'unknown',
	});
}

function nextAfter(facts: FailureFacts | undefined): string {
	const check = facts && writeDescriptionOf(facts.endpoint)?.check;
	return `${check ?? 'Use Get or Get Many to check whether it exists'}. If the earlier attempt had no effect, start a new execution to send the item.`;
}
