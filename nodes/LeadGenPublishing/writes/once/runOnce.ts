/**
 * A write happens once, however often n8n runs the node on the same items: "Retry On Fail" and "Retry
 * execution" run every item again, including those that succeeded.
 *
 *                      succeeded
 *     ┌───────────┐ ───────────────▶ done ──▶ its result is shown again
 *     │ untouched │  finally rejected
 *     └───────────┘ ───────────────▶ refused ──▶ the same error; another execution runs it again
 *           │        succeeded, but a later run cannot recognize it
 *           ├──────────────────────▶ doneWithError ──▶ the same error in every attempt
 *           │        certainly had no effect
 *           ├──────────────────────▶ notDone ──▶ runs again with the same key and etag
 *           │        may have had an effect
 *           └──────────────────────▶ unknown ──▶ a read shows the outcome, or exactly the same
 *                                                request is sent with the same key, or nothing is
 *
 * `decide.ts` says what to do with an item by its state, `attempt.ts` records what is sent,
 * `afterFailure.ts` says what the state is after a failure, and `ledger.ts` keeps the states.
 */
import { notSentAgain } from '../../words/notSentAgain';
import { DoneError } from '../../words/inputError';
import { ApiFailure, outcomeOf, withFindings } from '../../api/failure';
import { mayPass } from '../../api/policy';
import type { JsonRecord } from '../../api/schemas';
import type { BoundApi, WriteCall } from '../../item/itemCall';
import { addFields, saidOf } from '../../panel/output/record';
import { afterFailure, type AfterFailure, type FailedAttempt } from './afterFailure';
import { Attempt } from './attempt';
import { decide } from './decide';
import type { Done, KeptResult, NotDone, Unknown } from './itemState';
import type { Ledger } from './ledger';

type Result = JsonRecord | JsonRecord[];

interface CallOfItem extends WriteCall {
	readonly itemIndex: number;
}

/** What runs: an operation that writes. */
export interface Write<Call extends CallOfItem> {
	readonly run: (call: Call) => Promise<Result>;
	/** See `Operation`. */
	readonly resume?: (call: Call) => Promise<Result | undefined>;
	readonly recall?: (id: string, call: Call) => Promise<JsonRecord>;
	readonly repeatable?: true | 'untilDone';
}

export interface Once {
	readonly ledger: Ledger;
	readonly execution: string;
	/** A hash of the parameters that decide what is sent, and for whom. */
	readonly parameters: () => string;
	/** The client that the item's parameters name. Undefined for the own account. */
	readonly clientId: string | undefined;
	readonly apiFor: (clientId: string | undefined) => BoundApi;
	/** Called with the client that an earlier attempt was for, if that is what the item is about. */
	readonly wasFor: (clientId: string | undefined) => void;
}

export async function runOnce<Call extends CallOfItem>(
	write: Write<Call>,
	call: Call,
	once: Once,
): Promise<Result> {
	const { ledger, execution, clientId } = once;
	const state = ledger.state(call.itemIndex);
	const canCheck = write.resume !== undefined;
	const decision = decide(state, { execution, clientId, canCheck });
	switch (decision.kind) {
		case 'show':
			return await resultOf(write, call, { ...once, done: decision.done });
		case 'showError': {
			const { problem, remedy, details } = decision.done;
			throw new DoneError(problem, remedy, details);
		}
		case 'repeatError':
			throw new ApiFailure(decision.facts);
		case 'hold': {
			const { facts, clientId: before } = decision.unknown;
			if (!decision.isOtherAccount) throw notSentAgain(facts);
			once.wasFor(before);
			throw notSentAgain(facts, FOR_ANOTHER_ACCOUNT);
		}
		case 'run':
			return await attempt(write, { call, once, work: write.run });
		case 'runAgain':
			return await attempt(write, { call, once, work: write.run, before: decision.before });
		case 'check': {
			const { before } = decision;
			const work = write.resume ?? write.run;
			const result = await attempt(write, { call, once, work, before });
			if (result === undefined) throw notSentAgain(before.facts);
			return result;
		}
	}
}

async function attempt<Call extends CallOfItem, R extends Result | undefined>(
	write: Write<Call>,
	{
		call,
		once: { ledger, execution, clientId, parameters },
		work,
		before,
	}: {
		call: Call;
		once: Once;
		work: (call: Call) => Promise<R>;
		before?: NotDone | Unknown;
	},
): Promise<R> {
	const item = call.itemIndex;
	const trying = new Attempt(call.api, before);
	let result: R;
	try {
		result = await work(trying.callFor(call));
	} catch (error) {
		const after = afterAttempt(write, error, {
			before,
			isSettled: trying.isSettled,
			sent: trying.sent,
			refusals: ledger.refusals(item),
			execution,
			parameters: parameters(),
			clientId,
		});
		if (after.state !== undefined) ledger.set(item, after.state);
		throw after.error;
	}
	if (result === undefined || write.repeatable === true || Array.isArray(result)) return result;
	// It is the result of the earlier attempt, which had other values.
	if (before?.kind === 'unknown' && !trying.hasSent && before.parameters !== parameters())
		call.notice(PARAMETERS_CHANGED);
	ledger.set(item, {
		kind: 'done',
		parameters: parameters(),
		clientId,
		result: keptOf(write, result),
	});
	ledger.remember(item, result);
	return result;
}

/** If a write may be repeated, it does not matter whether a failed attempt has succeeded. */
function afterAttempt(
	{ repeatable }: Pick<Write<CallOfItem>, 'repeatable'>,
	error: unknown,
	attempted: Omit<FailedAttempt, 'error'>,
): AfterFailure {
	if (repeatable === undefined) return afterFailure({ ...attempted, error });
	if (!(error instanceof ApiFailure)) return { error };
	const certain = new ApiFailure({ ...error.facts, uncertain: false });
	return afterFailure({ ...attempted, error: certain });
}

const MAX_KEPT_RECORD = 1_000;

/**
 * If a record can be read again, only its ID is kept. Any other record is kept itself, if it is
 * small.
 */
function keptOf({ recall }: { readonly recall?: unknown }, result: JsonRecord): KeptResult {
	const { id } = result;
	const isId = typeof id === 'string' && id.length <= MAX_KEPT_RECORD;
	const said = saidOf(result);
	if (isId && recall !== undefined) return { kind: 'id', id, said };
	const text = JSON.stringify(result);
	if (text.length <= MAX_KEPT_RECORD)
		// A copy, because the nodes after this one may change their input.
		return { kind: 'record', record: JSON.parse(text) as JsonRecord };
	return isId ? { kind: 'id', id, said } : { kind: 'notKept' };
}

const FOR_ANOTHER_ACCOUNT =
	'It was sent for a different account than the item now names. Check that account first. To send it for the other account, start a new execution.';
const PARAMETERS_CHANGED =
	'An item was completed in an earlier attempt, and its parameters have changed since then. The output shows what was done then, and for which account. To change that record, update it. To send the item with its current parameters, start a new execution.';
const RESULT_NOT_KEPT =
	'An item was completed in an earlier attempt, but its result was not stored, because it was too large, or the execution has too many items. The output item is empty.';
const ONLY_ID =
	'An item was completed in an earlier attempt, but its record was not stored or could not be read again. The output item contains only the ID of the record.';

/** The result of a completed item, for the account that it was sent for. */
async function resultOf<Call extends CallOfItem>(
	{ recall }: Write<Call>,
	call: Call,
	{ done, ledger, parameters, apiFor, wasFor }: Once & { done: Done },
): Promise<JsonRecord> {
	const { result, clientId } = done;
	wasFor(clientId);
	if (done.parameters !== parameters()) call.notice(PARAMETERS_CHANGED);
	const remembered = ledger.remembered(call.itemIndex);
	if (remembered !== undefined) return remembered;
	if (result.kind === 'record') return result.record;
	if (result.kind === 'notKept') {
		call.notice(RESULT_NOT_KEPT);
		return {};
	}
	const { id, said } = result;
	if (recall !== undefined) {
		const recalling = recall(id, { ...call, api: apiFor(clientId) });
		const { value, failure } = await outcomeOf(recalling);
		if (failure === undefined) return addFields(value, said);
		if (mayPass(failure.facts)) throw withFindings(failure, { found: [{ kind: 'doneButUnread' }] });
	}
	call.notice(ONLY_ID);
	return addFields({ id }, said);
}
