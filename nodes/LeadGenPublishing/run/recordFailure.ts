/** Records what the next attempt has to know of a failure, and says what the user has to know. */
import {
	ApiFailure,
	InputError,
	OpenWriteError,
	requestIdOf,
	type FailureFacts,
} from '../api/failure';
import { keepsItsKey, nextAttemptAfter } from '../api/policy';
import { notSentAgain } from '../words/notSentAgain';
import type { Operation } from '../operations/define';
import type { Attempt } from './attempt';
import type { FailedAttempt } from './ledger';
import type { Once } from './runOnce';

interface Failed extends Pick<Once, 'clientId' | 'memory'> {
	readonly attempt: Attempt;
	readonly item: number;
	readonly operation: Operation;
}

/** Returns the error for the user. */
export function recordFailure(error: unknown, failed: Failed): unknown {
	if (failed.operation.repeatable === undefined) return recorded(error, failed);
	if (!(error instanceof ApiFailure)) return error;
	// It does not matter whether a failed attempt at what may be repeated has succeeded.
	return recorded(new ApiFailure({ ...error.facts, uncertain: false }), failed);
}

function recorded(
	error: unknown,
	{ attempt, item, clientId, memory: { ledger, execution } }: Failed,
): unknown {
	const { before, sent: own } = attempt;
	const request = own?.request ?? before?.request;
	const refusals = ledger.failure(item)?.refusals ?? 0;
	const sent = { execution, request, refusals, clientId };
	const inDoubt = attempt.mayHaveSucceeded;
	if (error instanceof OpenWriteError) return error;
	if (!(error instanceof ApiFailure)) {
		if (inDoubt !== undefined && before !== undefined && error instanceof InputError)
			return notRepeated(before, error);
		// Cancelled or crashed after the request was sent: its outcome is unknown.
		if (!(error instanceof InputError) && own !== undefined && inDoubt === undefined) {
			const facts = interrupted(own, error);
			ledger.setFailed(item, { ...sent, facts, mayHaveSucceeded: doubtOf(facts) });
		}
		return error;
	}
	const { facts } = error;
	if (facts.uncertain) {
		ledger.setFailed(item, { ...sent, facts, mayHaveSucceeded: doubtOf(facts) });
		// Nothing was sent, so the items after it run nevertheless.
		const onlyChecked = inDoubt === 'unkeyed' && own === undefined;
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
	if (next === 'never' || own !== undefined || before !== undefined)
		ledger.setFailed(item, { ...sent, facts, refusals: refusals + (refused ? 1 : 0) });
	return error;
}

const doubtOf = ({ keyed }: FailureFacts) => (keyed === true ? 'keyed' : 'unkeyed');

const MAX_CAUSE = 150;
const interrupted = (
	{ name, request: { key } }: NonNullable<Attempt['sent']>,
	error: unknown,
): FailureFacts => ({
	...{ kind: 'unreachable', endpoint: name, agency: false },
	// The next attempt shows this one's error as the cause.
	seen: `the attempt was interrupted: ${error instanceof Error ? error.message.slice(0, MAX_CAUSE) : 'unknown error'}`,
	...{ retryable: true, attempts: 1, uncertain: true, requestId: requestIdOf(error) },
	...{ keyed: key !== undefined, idempotencyKey: key },
});

/** This attempt was refused, but the outcome of the previous one remains unknown. */
const withEarlierInDoubt = (
	{ facts }: ApiFailure,
	{ facts: before }: FailedAttempt,
	inDoubt: 'keyed' | 'unkeyed',
): ApiFailure =>
	stillInDoubt(
		{ ...facts, keyed: inDoubt === 'keyed', idempotencyKey: before.idempotencyKey },
		`A previous attempt of this item may have succeeded (it ended with ${nameOf(before)}).`,
	);

/** The request could not be repeated, so the outcome of the previous one remains unknown. */
function notRepeated({ facts }: FailedAttempt, { message }: InputError): ApiFailure {
	const [why = ''] = message.split(/\.(?:\s|$)/);
	return stillInDoubt(facts, `The request was not repeated: ${why}.`);
}

const stillInDoubt = (facts: FailureFacts, found: string): ApiFailure =>
	new ApiFailure({
		...facts,
		uncertain: true,
		found: [facts.found, found].filter(Boolean).join(' '),
	});

const nameOf = ({ reason, status, kind }: FailureFacts): string =>
	[status === undefined ? kind : `HTTP ${status}`, reason].filter(Boolean).join(', ');
