/**
 * Sees to it that a write happens once, however often n8n runs the node on the same items. What an
 * earlier attempt has carried out is not sent again; what the service has refused for good, or
 * wants reviewed, gives the first answer again within one execution (`api/nextAttempt.ts`); and as
 * long as an earlier attempt may have succeeded, nothing but the very same request goes out, and
 * every answer says that the outcome is unknown.
 */
import { ApiFailure, InputError, OpenWriteError, type FailureFacts } from '../../api/failure';
import { nextAttemptAfter, keepsItsKey } from '../../api/nextAttempt';
import { outcomeOf } from '../../api/outcome';
import type { JsonRecord } from '../../api/schemas';
import { Attempt, notSentAgain } from './attempt';
import type { ItemCall, Operation } from '../define';
import { textsOfItem } from './itemTexts';
import type { FailedAttempt, Ledger } from './ledger';

export interface Memory {
	readonly ledger: Ledger;
	readonly execution: string;
	/** The number of items in the batch. */
	readonly size: number;
}

type Result = JsonRecord | JsonRecord[];

/** The first item, if any, for which this execution has its answer already. */
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
	const given = () => textsOfItem(operation, call);
	const entry = ledger.entry(item, given);
	if (entry?.state === 'done') return entry.result;
	if (entry?.state === 'doneById') return await recalled(operation, call, entry.id);
	if (entry?.state === 'doneOnly') {
		call.notice(RESULT_NOT_KEPT);
		return {};
	}
	if (entry !== undefined && isFinal(entry, execution)) throw new ApiFailure(entry.facts);
	const run = entry?.mayHaveSucceeded === 'unkeyed' ? operation.resume : operation.run;
	if (run === undefined || isLeftAlone(operation, entry, execution))
		throw notSentAgain(entry?.facts);
	const attempt = new Attempt(call.api, relevant(entry, execution));
	try {
		const result = await run({ ...call, api: attempt.api, earlier: attempt.earlier });
		if (operation.repeatable !== true && !Array.isArray(result))
			ledger.done(item, { result, given, readable: operation.recall !== undefined, size });
		return result;
	} catch (error) {
		if (operation.repeatable !== true) throw remember(error, { attempt, item, memory });
		throw error instanceof ApiFailure
			? remember(asHarmless(error), { attempt, item, memory })
			: error;
	}
}

/**
 * The service wants this one looked at and not repeated, and there is nothing to look at. A person's
 * "Retry execution" may repeat it with its key.
 */
const isLeftAlone = (
	{ resume }: Operation,
	entry: FailedAttempt | undefined,
	execution: string,
): boolean =>
	resume === undefined &&
	entry?.mayHaveSucceeded === 'keyed' &&
	entry.execution === execution &&
	nextAttemptAfter(entry.facts) === 'checkOnly';

/** What may simply run again leaves no question open when it fails. */
const asHarmless = ({ facts }: ApiFailure): ApiFailure =>
	new ApiFailure({ ...facts, uncertain: false });

/** A person's "Retry execution" starts from the post as it is, unless something is left open. */
const relevant = (entry: FailedAttempt | undefined, execution: string) =>
	entry?.execution === execution || entry?.mayHaveSucceeded !== undefined ? entry : undefined;

const RESULT_NOT_KEPT =
	'An item was carried out by an earlier attempt, but its result was not kept for want of space, or was made from parameters that have changed since: the item comes out empty';

const ONLY_ID =
	'An item was carried out by an earlier attempt, but its record is not kept, or could not be read again: the item holds its ID alone';

async function recalled(operation: Operation, call: ItemCall, id: string): Promise<JsonRecord> {
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

/** Keeps what a further attempt has to know, and gives the error for the user. */
function remember(
	error: unknown,
	{ attempt, item, memory }: { attempt: Attempt; item: number; memory: Memory },
): unknown {
	const { ledger, execution } = memory;
	const { before, request = before?.request } = attempt;
	const refusals = ledger.refusals(item);
	const open = attempt.mayHaveSucceeded;
	if (error instanceof OpenWriteError) return error;
	if (!(error instanceof ApiFailure)) {
		if (open !== undefined && before !== undefined && error instanceof InputError)
			return stillOpen(before, error);
		// Cancelled or crashed in the middle: nobody knows how far it came.
		if (!(error instanceof InputError) && attempt.request !== undefined && open === undefined) {
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
		// A mere look: no reason to hold up the items behind it.
		const looked = open === 'unkeyed' && attempt.request === undefined;
		return looked ? notSentAgain(facts) : error;
	}
	const further = nextAttemptAfter(facts);
	if (open !== undefined && before !== undefined && facts.notCarriedOut !== true) {
		const combined = alsoOpen(error, before, open);
		// What is to be done next is still decided by the attempt in doubt, unless this is the end.
		const known = further === 'never' ? { ...before, execution, facts: combined.facts } : before;
		ledger.setFailed(item, { ...known, mayHaveSucceeded: open });
		return combined;
	}
	const refused = facts.keyed === true && further === 'never' && !keepsItsKey(facts);
	if (further === 'never' || attempt.request !== undefined || before !== undefined)
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

/** This attempt was refused, which does not tell what the one before it did. */
function alsoOpen(
	{ facts }: ApiFailure,
	{ facts: before }: FailedAttempt,
	open: 'keyed' | 'unkeyed',
): ApiFailure {
	const found = `A previous attempt of this item may have succeeded (it ended with ${nameOf(before)}).`;
	return new ApiFailure({
		...facts,
		uncertain: true,
		keyed: open === 'keyed',
		idempotencyKey: before.idempotencyKey,
		found: [facts.found, found].filter(Boolean).join(' '),
	});
}

/** Something stood against a further request, so that the one before it stays in doubt. */
function stillOpen({ facts }: FailedAttempt, { message }: InputError): ApiFailure {
	const [why = ''] = message.split(/\.(?:\s|$)/);
	return new ApiFailure({
		...facts,
		uncertain: true,
		found: [facts.found, `The request was not repeated: ${why}.`].filter(Boolean).join(' '),
	});
}

const nameOf = ({ reason, status, kind }: FailureFacts): string =>
	[status === undefined ? kind : `HTTP ${status}`, reason].filter(Boolean).join(', ');
