/**
 * Makes sure that a write happens once, however often n8n runs the node on the same items. A write
 * that was carried out is not sent again. Within one execution, a final refusal and a request for
 * review are repeated without sending anything (`api/reasons.ts`). While an earlier attempt may
 * have succeeded, only exactly the same request is sent, and every error says that the outcome is
 * unknown.
 */
import { ApiFailure, outcomeOf } from '../api/failure';
import { nextAttemptAfter } from '../api/policy';
import { notSentAgain } from '../words/notSentAgain';
import type { JsonRecord } from '../api/schemas';
import type { BoundApi, ItemCall, Operation } from '../operations/define';
import { Attempt } from './attempt';
import type { Done, FailedAttempt } from './ledger';
import type { Memory } from './memory';
import { recordFailure } from './recordFailure';

type Result = JsonRecord | JsonRecord[];

export interface Once {
	readonly memory: Memory;
	/** The client that the item is for by its parameters; undefined for the own account. */
	readonly clientId: string | undefined;
	readonly apiFor: (clientId: string | undefined) => BoundApi;
	/** Called with the client that an earlier attempt was for, if that is what the item is about. */
	readonly wasFor: (clientId: string | undefined) => void;
}

export async function runOnce(operation: Operation, call: ItemCall, once: Once): Promise<Result> {
	const { clientId, memory } = once;
	const { ledger, execution } = memory;
	const item = call.itemIndex;
	const entry = ledger.entry(item);
	if (entry !== undefined && 'done' in entry)
		return await resultOf(operation, call, { ...once, ...entry });
	const before = entry?.failed;
	if (entry !== undefined && before === undefined) throw notSentAgain(undefined);
	const isFinal = before?.execution === execution && nextAttemptAfter(before.facts) === 'never';
	if (isFinal) throw new ApiFailure(before.facts);
	if (before?.mayHaveSucceeded !== undefined && before.clientId !== clientId) {
		once.wasFor(before.clientId);
		throw notSentAgain(before.facts, FOR_ANOTHER_ACCOUNT);
	}
	const run = before?.mayHaveSucceeded === 'unkeyed' ? operation.resume : operation.run;
	if (run === undefined || mustNotRepeat(operation, before, execution))
		throw notSentAgain(before?.facts);
	const attempt = new Attempt(call.api, relevant(before, execution));
	try {
		const result = await run({
			...call,
			api: attempt.api,
			earlier: attempt.earlier,
			recognisedBy: (identity) => attempt.recognisedBy(identity),
		});
		if (result === undefined) throw notSentAgain(before?.facts);
		if (operation.repeatable !== true && !Array.isArray(result))
			ledger.setDone(item, { result, given: memory.given(call.input), clientId });
		return result;
	} catch (error) {
		throw recordFailure(error, { attempt, item, clientId, memory, operation });
	}
}

/**
 * The service wants the outcome checked before a repetition, but the operation cannot check it. A
 * user's "Retry execution" may repeat it with its key.
 */
const mustNotRepeat = (
	{ resume }: Operation,
	before: FailedAttempt | undefined,
	execution: string,
): boolean =>
	resume === undefined &&
	before?.mayHaveSucceeded === 'keyed' &&
	before.execution === execution &&
	nextAttemptAfter(before.facts) === 'checkOnly';

/** A user's "Retry execution" starts afresh, unless an earlier attempt may have succeeded. */
const relevant = (before: FailedAttempt | undefined, execution: string) =>
	before?.execution === execution || before?.mayHaveSucceeded !== undefined ? before : undefined;

const FOR_ANOTHER_ACCOUNT =
	'It was sent for another account than the one that the item is for now. Check there whether it was done. To send it for the other account, start the workflow again: a new execution sends it.';
const PARAMETERS_CHANGED =
	'An item was carried out by an earlier attempt, and its parameters have changed since: it shows what was done then, and for which account. Start the workflow again to send it with the parameters of now';
const DONE_BUT_UNREAD =
	'An earlier attempt has carried out the change; only its record could not be read again.';
const RESULT_NOT_KEPT =
	'An item was carried out by an earlier attempt, but its result was not kept, to save space: the item is empty';
const ONLY_ID =
	'An item was carried out by an earlier attempt, but its record is not kept, or could not be read again: the item contains only its ID';

/** The result of an item that was carried out, for the account that it was carried out for. */
async function resultOf(
	operation: Operation,
	call: ItemCall,
	{ done, memory, apiFor, wasFor }: Once & { done: Done },
): Promise<JsonRecord> {
	const { given, result, id, clientId } = done;
	wasFor(clientId);
	if (given !== undefined && given !== memory.given(call.input)) call.notice(PARAMETERS_CHANGED);
	if (id === undefined) {
		if (result === undefined) call.notice(RESULT_NOT_KEPT);
		return result ?? {};
	}
	if (operation.recall !== undefined) {
		const recalling = operation.recall(id, { ...call, api: apiFor(clientId) });
		const { value, failure } = await outcomeOf(recalling);
		if (failure === undefined) return value;
		const found = DONE_BUT_UNREAD;
		if (failure.facts.retryable) throw new ApiFailure({ ...failure.facts, found });
	}
	call.notice(ONLY_ID);
	return { id };
}
