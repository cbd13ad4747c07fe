/**
 * Makes sure that a write happens once, however often n8n runs the node on the same items. A write
 * that was carried out is not sent again. Within one execution, a final refusal and a request for
 * review are repeated without sending anything (`api/nextAttempt.ts`). While an earlier attempt may
 * have succeeded, only exactly the same request is sent, and every error says that the outcome is
 * unknown.
 */
import { ApiFailure, InputError, OpenWriteError, type FailureFacts } from '../../api/failure';
import { nextAttemptAfter, keepsItsKey } from '../../api/nextAttempt';
import { notSentAgain } from '../../api/notSentAgain';
import { outcomeOf } from '../../api/outcome';
import type { JsonRecord } from '../../api/schemas';
import type { ItemCall, Operation } from '../../operations/define';
import { Attempt } from './attempt';
import { textsOfItem } from './itemTexts';
import type { FailedAttempt, Ledger } from './ledger';

export interface Memory {
	readonly ledger: Ledger;
	readonly execution: string;
	/** The number of items in the batch. */
	readonly size: number;
}

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
		const result = await run({ ...call, api: attempt.api, earlier: attempt.earlier });
		if (operation.repeatable !== true && !Array.isArray(result))
			ledger.setDone(item, { result, itemTexts, readable: operation.recall !== undefined, size });
		return result;
	} catch (error) {
		if (operation.repeatable !== true) throw recordFailure(error, { attempt, item, memory });
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

/** Records what the next attempt has to know, and returns the error for the user. */
function recordFailure(
	error: unknown,
	{ attempt, item, memory }: { attempt: Attempt; item: number; memory: Memory },
): unknown {
	const { ledger, execution } = memory;
	const { before, request = before?.request } = attempt;
	const refusals = ledger.refusals(item);
	const inDoubt = attempt.mayHaveSucceeded;
	if (error instanceof OpenWriteError) return error;
	if (!(error instanceof ApiFailure)) {
		if (inDoubt !== undefined && before !== undefined && error instanceof InputError)
			return notRepeated(before, error);
		// Cancelled or crashed after the request was sent: its outcome is unknown.
		if (!(error instanceof InputError) && attempt.request !== undefined && inDoubt === undefined) {
			const facts = interrupted(attempt);
			const mayHaveSucceeded = facts.keyed ? 'keyed' : 'unkeyed';
			ledger.setFailed(item, { execution, facts, mayHaveSucceeded, request, refusals });
		}
		return error;
	}
	const { facts } = error;
	if (facts.uncertain) {
		const mayHaveSucceeded = facts.keyed === true ? 'keyed' : 'unkeyed';
		ledger.setFailed(item, { execution, facts, mayHaveSucceeded, request, refusals });
		// Nothing was sent, so the items after it run nevertheless.
		const onlyChecked = inDoubt === 'unkeyed' && attempt.request === undefined;
		return onlyChecked ? notSentAgain(facts) : error;
	}
	const next = nextAttemptAfter(facts);
	if (inDoubt !== undefined && before !== undefined && facts.notCarriedOut !== true) {
		const combined = withEarlierInDoubt(error, before, inDoubt);
		// The attempt in doubt still decides what to do next, unless this refusal is final.
		const known = next === 'never' ? { ...before, execution, facts: combined.facts } : before;
		ledger.setFailed(item, { ...known, mayHaveSucceeded: inDoubt });
		return combined;
	}
	const refused = facts.keyed === true && next === 'never' && !keepsItsKey(facts);
	if (next === 'never' || attempt.request !== undefined || before !== undefined)
		ledger.setFailed(item, {
			execution,
			facts,
			request,
			refusals: refusals + (refused ? 1 : 0),
		});
	return error;
}

const interrupted = ({ endpoint: name = 'post.get', request }: Attempt): FailureFacts => ({
	kind: 'unreachable',
	endpoint: name,
	agency: false,
	seen: 'the attempt was interrupted',
	retryable: true,
	attempts: 1,
	uncertain: true,
	keyed: request?.key !== undefined,
	idempotencyKey: request?.key,
});

/** This attempt was refused, but the outcome of the previous one remains unknown. */
function withEarlierInDoubt(
	{ facts }: ApiFailure,
	{ facts: before }: FailedAttempt,
	inDoubt: 'keyed' | 'unkeyed',
): ApiFailure {
	const found = `A previous attempt of this item may have succeeded (it ended with ${nameOf(before)}).`;
	return new ApiFailure({
		...facts,
		uncertain: true,
		keyed: inDoubt === 'keyed',
		idempotencyKey: before.idempotencyKey,
		found: [facts.found, found].filter(Boolean).join(' '),
	});
}

/** The request could not be repeated, so the outcome of the previous one remains unknown. */
function notRepeated({ facts }: FailedAttempt, { message }: InputError): ApiFailure {
	const [why = ''] = message.split(/\.(?:\s|$)/);
	return new ApiFailure({
		...facts,
		uncertain: true,
		found: [facts.found, `The request was not repeated: ${why}.`].filter(Boolean).join(' '),
	});
}

const nameOf = ({ reason, status, kind }: FailureFacts): string =>
	[status === undefined ? kind : `HTTP ${status}`, reason].filter(Boolean).join(', ');
