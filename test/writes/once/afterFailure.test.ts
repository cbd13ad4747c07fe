/** What happens to an item when an attempt fails: each row of the table in `afterFailure.ts`. */
import { notSentAgain } from '../../../nodes/LeadGenPublishing/words/notSentAgain';
import { InputError, OpenWriteError } from '../../../nodes/LeadGenPublishing/words/inputError';
import {
	ApiFailure,
	type Answered,
	type Failed,
} from '../../../nodes/LeadGenPublishing/api/failure';
import {
	afterFailure,
	type FailedAttempt,
} from '../../../nodes/LeadGenPublishing/writes/once/afterFailure';
import type { NotDone, Unknown } from '../../../nodes/LeadGenPublishing/writes/once/itemState';
import { someFacts, type SomeFacts, spoken } from '../../support/facts';

const facts: Failed<Answered> = {
	kind: 'answered',
	endpoint: 'post.startFastResponse',
	agency: false,
	status: 403,
	code: 'forbidden',
	attempts: 1,
	uncertain: false,
	idempotencyKey: 'k',
};
const refusal = new ApiFailure(facts);
const throttled = new ApiFailure({ ...facts, status: 429, code: 'rate_limited' });
const { endpoint, agency, attempts, idempotencyKey } = facts;
const lost = new ApiFailure({
	...{ endpoint, agency, attempts, idempotencyKey },
	kind: 'unreachable',
	uncertain: true,
});
const atRest = new ApiFailure({ ...lost.facts, uncertain: false, notCarriedOut: true });
const sent = { name: 'post.startFastResponse', fingerprint: 'now', key: 'k' } as const;
const request = { ...sent, fingerprint: 'then' };
const unkeyed = { ...request, key: undefined };
const open: Unknown = {
	kind: 'unknown',
	execution: '6',
	request,
	facts: lost.facts,
	next: 'sameRequest',
	parameters: 'then',
	refusals: 2,
};
const notDone: NotDone = { kind: 'notDone', execution: '7', request, refusals: 2 };
const notAgain = notSentAgain(facts);
const badInput = new InputError('The time is past', 'Choose another one.', {}, 'Nothing was sent');
const stopped = new Error('The execution was canceled');

const after = (error: unknown, more: Partial<FailedAttempt> = {}) =>
	afterFailure({
		error,
		before: undefined,
		isSettled: false,
		sent: undefined,
		refusals: 2,
		execution: '7',
		parameters: 'now',
		clientId: undefined,
		...more,
	});

it.each<[string, unknown, Partial<FailedAttempt>, object | undefined]>([
	['"was not sent again"', notAgain, { before: open }, undefined],
	['bad input', badInput, { before: notDone }, undefined],
	['an interruption, nothing sent', stopped, { before: open }, undefined],
	['an interruption after sending', stopped, { sent }, { kind: 'unknown', request: sent }],
	[
		'an interruption after sending, an earlier one open',
		stopped,
		{ sent, before: open },
		undefined,
	],
	[
		'an unknown outcome',
		lost,
		{ sent },
		{ kind: 'unknown', parameters: 'now', next: 'sameRequest', refusals: 2 },
	],
	[
		'an unknown outcome, sent earlier',
		lost,
		{ before: open },
		{ kind: 'unknown', parameters: 'then' },
	],
	[
		'an unknown outcome after a check with reads alone',
		lost,
		{ before: open },
		{ kind: 'unknown', request },
	],
	[
		'an unknown outcome after an earlier attempt that was certainly not done',
		lost,
		{ sent, before: notDone },
		{ kind: 'unknown', request: sent, parameters: 'now' },
	],
	[
		'an unknown outcome of another request, after reads have shown that of the earlier one',
		lost,
		{ sent, before: open, isSettled: true },
		{ kind: 'unknown', request: sent, parameters: 'now' },
	],
	['an unknown outcome of what was never sent', lost, {}, undefined],
	['a permanent refusal', refusal, { sent }, { kind: 'refused', execution: '7', refusals: 3 }],
	[
		'a permanent refusal without a key',
		new ApiFailure({ ...facts, idempotencyKey: undefined }),
		{ sent },
		{ kind: 'refused', refusals: 2 },
	],
	[
		'a refusal after reads have shown the outcome of the earlier one',
		refusal,
		{ sent, before: open, isSettled: true },
		{ kind: 'refused' },
	],
	['another certain failure', throttled, { sent }, { kind: 'notDone', request: sent }],
	['another certain failure, nothing sent', throttled, {}, undefined],
	['the same after another attempt', throttled, { before: notDone }, { kind: 'notDone', request }],
	[
		'the same of another request',
		throttled,
		{ sent, before: notDone },
		{ kind: 'notDone', request: sent },
	],
	[
		'a read that shows that nothing was carried out',
		atRest,
		{ before: open },
		{ kind: 'notDone', request },
	],
])('%s: the error stays the same', (_, error, more, state) => {
	const became = after(error, more);
	expect(became.error).toBe(error);
	if (state === undefined) expect(became.state).toBeUndefined();
	else expect(became.state).toMatchObject(state);
});

it.each<[string, unknown, object | undefined]>([
	['bad input', badInput, undefined],
	['a permanent refusal', refusal, { kind: 'unknown', next: 'never', execution: '7', request }],
	['another certain failure', throttled, open],
])('%s while an earlier attempt is open: its outcome stays unknown', (_, error, state) => {
	const became = after(error, { sent, before: open });
	const said = spoken((became.error as ApiFailure).facts);
	expect(said).toMatchObject({ uncertain: true });
	expect(said.found).toMatch(/^(The request was not repeated: The time is past\.|An earlier att)/);
	expect(said.found).not.toContain('Nothing was sent');
	if (state === undefined) expect(became.state).toBeUndefined();
	else expect(became.state).toMatchObject(state);
});

it.each<[string, SomeFacts]>([
	['unreachable', {}],
	['HTTP 502', { kind: 'answered', status: 502 }],
	['HTTP 502, provider_ambiguous', { kind: 'answered', status: 502, reason: 'provider_ambiguous' }],
])('the error names how the earlier attempt ended: %s', (ending, more) => {
	const before = { ...open, facts: someFacts({ ...lost.facts, ...more }) };
	const found = [{ kind: 'notFound' }] as const;
	const { error } = after(new ApiFailure({ ...refusal.facts, found }), { sent, before });
	expect(spoken((error as ApiFailure).facts).found).toBe(
		`A later read did not find the record. An earlier attempt at this item may have succeeded (it ended with ${ending}).`,
	);
});

it.each<[string, Partial<FailedAttempt>, SomeFacts]>([
	['with its key', { sent }, { idempotencyKey: 'k' }],
	['without a key', { sent: unkeyed }, { idempotencyKey: undefined }],
])('an interruption after sending is kept as a lost response: %s', (_, more, key) => {
	expect(after(new Error('x'.repeat(500)), more).state).toMatchObject({
		next: key.idempotencyKey !== undefined ? 'sameRequest' : 'checkOnly',
		facts: {
			...{ kind: 'unreachable', endpoint: sent.name, agency: false },
			...{ attempts: 1, uncertain: true, ...key },
			seen: `the attempt was interrupted: ${'x'.repeat(150)}`,
		},
	});
	expect(after('no error', more).state).toMatchObject({
		facts: { seen: 'the attempt was interrupted: unknown error' },
	});
});

it.each<[string, Unknown, SomeFacts]>([
	['with its key', open, { idempotencyKey: 'k' }],
	['without a key', { ...open, request: unkeyed }, { idempotencyKey: undefined }],
])('a refusal while an earlier attempt is open speaks of that one: %s', (_, before, key) => {
	const facts = { ...lost.facts, idempotencyKey: before.request.key };
	const { error } = after(refusal, { sent, before: { ...before, facts } });
	expect((error as ApiFailure).facts).toMatchObject({ status: 403, ...key });
});

it('an unknown outcome without a key that was only checked says that nothing was sent again', () => {
	const became = after(lost, { before: { ...open, request: unkeyed } });
	expect(became.error).toBeInstanceOf(OpenWriteError);
	expect(became.state).toMatchObject({ kind: 'unknown', request: unkeyed });
	// Once it was sent again, its own error says more.
	expect(after(lost, { sent: unkeyed, before: { ...open, request: unkeyed } }).error).toBe(lost);
});

it('a row stays small, whatever the service has said', () => {
	const open502 = { ...facts, status: 502, uncertain: true };
	const loud = {
		serviceMessage: 'x'.repeat(5_000),
		serviceDetails: { long: 'x'.repeat(5_000) },
		details: { longer: 'x'.repeat(5_000) },
	};
	const { state } = after(new ApiFailure({ ...open502, ...loud }), { sent });
	expect(JSON.stringify(state).length).toBeLessThan(1_000);
	const short = { serviceMessage: 'Busy', serviceDetails: { hour: 9 }, details: { minute: 5 } };
	expect(after(new ApiFailure({ ...open502, ...short }), { sent }).state).toMatchObject({
		facts: short,
	});
});
