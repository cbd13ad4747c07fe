/** What is said of an item that is not sent again, because its outcome is unknown. */
import { OpenWriteError } from '../../nodes/LeadGenPublishing/words/inputError';
import { type FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import { messageOf } from '../../nodes/LeadGenPublishing/words/message';
import { notSentAgain } from '../../nodes/LeadGenPublishing/words/notSentAgain';

const KNOWN = 'An earlier attempt at this item may have succeeded, so it was not sent again.';
const LOST: FailureFacts = {
	...{ kind: 'answered', endpoint: 'post.create', agency: false, status: 502, reason: 'odd' },
	...{ requestId: 'n8n:1', retryable: true, attempts: 1, uncertain: true },
};

it('says what happened then, and how to find out', () => {
	const error = notSentAgain(LOST);
	expect(error).toBeInstanceOf(OpenWriteError);
	expect(error.message).toBe(`${KNOWN} ${messageOf(LOST)}`);
	expect(error.remedy).toMatch(
		/^\w.*\. If the earlier attempt had no effect, start a new execution to send the item\. Request ID: n8n:1\.$/,
	);
	expect(error.details).toEqual({
		...{ http_status: 502, reason: 'odd', request_id: 'n8n:1' },
		...{ code: 'outcome_unknown', outcome: 'unknown' },
	});
});

it('says as much where nothing is known of it', () => {
	const { message, remedy, details } = notSentAgain(undefined);
	expect(message).toBe(KNOWN);
	expect(remedy).toBe(
		'Use Get or Get Many to check whether it exists. If the earlier attempt had no effect, start a new execution to send the item.',
	);
	expect(details).toEqual({ code: 'outcome_unknown', outcome: 'unknown' });
	expect(notSentAgain(LOST, 'Look.').remedy).toBe('Look. Request ID: n8n:1.');
});
