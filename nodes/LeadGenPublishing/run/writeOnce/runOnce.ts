/**
 * Makes sure that a write happens once, however often n8n runs the node on the same items. A write
 * that was carried out is not sent again. Within one execution, a final refusal and a request for
 * review are repeated without sending anything (`api/nextAttempt.ts`). While an earlier attempt may
 * have succeeded, only exactly the same request is sent, and every error says that the outcome is
 * unknown.
 */
import { ApiFailure } from '../../api/failure';
import { nextAttemptAfter } from '../../api/nextAttempt';
import { notSentAgain } from '../../api/notSentAgain';
import { outcomeOf } from '../../api/outcome';
import type { JsonRecord } from '../../api/schemas';
import type { ItemCall, Operation } from '../../operations/define';
import { Attempt } from './attempt';
import type { FailedAttempt } from './entries';
import { textsOfItem } from './itemTexts';
import type { Memory } from './memory';
import { recordFailure } from './recordFailure';

type Result = JsonRecord | JsonRecord[];

/** The first item, if any, whose failure is already final in this execution. */
export function firstAnswer({
	ledger,
	execution,
}: Memory): { error: ApiFailure; itemIndex: number } | undefined {
	for (const [itemIndex, attempt] of ledger.failures())
		if (isFinal(attempt, execution)) return { error: new ApiFailure(attempt.facts), itemIndex };
	return undefined;
}

const isFinal = (attempt: FailedAttempt, execution: string): boolean =>
	attempt.execution === execution && nextAttemptAfter(attempt.facts) === 'never';

export async function runOnce(
	operation: Operation,
	call: ItemCall,
	memory: Memory,
): Promise<Result> {
	const { ledger, execution, size } = memory;
	const item = call.itemIndex;
	const itemTexts = () => textsOfItem(operation, call);
	const entry = ledger.entry(item, itemTexts);
	if (entry?.state === 'done') return entry.result;
	if (entry?.state === 'doneById') return await recallResult(operation, call, entry.id);
	if (entry?.state === 'doneOnly') {
		call.notice(RESULT_NOT_KEPT);
		return {};
	}
	if (entry !== undefined && isFinal(entry, execution)) throw new ApiFailure(entry.facts);
	const run = entry?.mayHaveSucceeded === 'unkeyed' ? operation.resume : operation.run;
	if (run === undefined || mustNotRepeat(operation, entry, execution))
		throw notSentAgain(entry?.facts);
	const attempt = new Attempt(call.api, relevantEntry(entry, execution));
	try {
		const result = await run({
			...call,
			api: attempt.api,
			earlier: attempt.earlier,
			recognisedBy: (identity) => attempt.recognisedBy(identity),
		});
		if (result === undefined) throw notSentAgain(entry?.facts);
		if (operation.repeatable !== true && !Array.isArray(result))
			ledger.setDone(item, { result, itemTexts, readable: operation.recall !== undefined, size });
		return result;
	} catch (error) {
		if (operation.repeatable === undefined) throw recordFailure(error, { attempt, item, memory });
		throw error instanceof ApiFailure
			? recordFailure(asCertain(error), { attempt, item, memory })
			: error;
	}
}

/**
 * The service wants the outcome checked before a repetition, but the operation cannot check it. A
 * user's "Retry execution" may repeat it with its key.
 */
const mustNotRepeat = (
	{ resume }: Operation,
	entry: FailedAttempt | undefined,
	execution: string,
): boolean =>
	resume === undefined &&
	entry?.mayHaveSucceeded === 'keyed' &&
	entry.execution === execution &&
	nextAttemptAfter(entry.facts) === 'checkOnly';

/** For repeatable operations, it does not matter whether a failed attempt has succeeded. */
const asCertain = ({ facts }: ApiFailure): ApiFailure =>
	new ApiFailure({ ...facts, uncertain: false });

/** A user's "Retry execution" starts afresh, unless an earlier attempt may have succeeded. */
const relevantEntry = (entry: FailedAttempt | undefined, execution: string) =>
	entry?.execution === execution || entry?.mayHaveSucceeded !== undefined ? entry : undefined;

const RESULT_NOT_KEPT =
	'An item was carried out by an earlier attempt, but its result was not kept, to save space, or refers to parameters that have changed since: the item is empty';

const ONLY_ID =
	'An item was carried out by an earlier attempt, but its record is not kept, or could not be read again: the item contains only its ID';

async function recallResult(operation: Operation, call: ItemCall, id: string): Promise<JsonRecord> {
	if (operation.recall === undefined) {
		call.notice(ONLY_ID);
		return { id };
	}
	const { value, failure } = await outcomeOf(operation.recall(id, call));
	if (failure === undefined) return value;
	if (failure.facts.retryable)
		throw new ApiFailure({ ...failure.facts, found: 'The change itself was carried out before.' });
	call.notice(ONLY_ID);
	return { id };
}
