/** What a poll says of lists that failed, and how long n8n is to wait after it. */
import type { INode } from 'n8n-workflow';

import { messageOf } from '../../nodes/LeadGenPublishing/api/errors';
import { ApiFailure, type FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import { announce, type ListFailure } from '../../nodes/LeadGenPublishing/watch/reports';
import { toPollError, type ErrorContext } from '../../nodes/LeadGenPublishing/watch/failures';
import { DAY } from './playedTrigger';

const node: INode = {
	...{ id: 'n', name: 'N', type: 'n', typeVersion: 1, parameters: {} },
	position: [0, 0],
};
const failed = (facts: Partial<FailureFacts> = {}) =>
	new ApiFailure({
		...{ kind: 'answered', endpoint: 'lead.getAll', agency: false, retryable: false },
		...{ attempts: 1, uncertain: false },
		...facts,
	});
/** Accounts `a`, `b`, …; the first of them has a name. */
const context: ErrorContext = {
	...{ watchedCount: 2, throttledForMs: 0, records: 'leads' },
	nameOf: (account) => (account === 'a' ? 'Ada' : undefined),
};
const one = (account: string, more: Partial<ListFailure> = {}): ListFailure => ({
	...{ account, kind: 'server', message: `${account} broke.` },
	...more,
});
const told = (failures: readonly ListFailure[], changes: Partial<ErrorContext> = {}) => {
	const { message, description, failure } = toPollError(node, failures, {
		...context,
		...changes,
	}) as Error & { description?: string; failure?: unknown };
	return { message, description, failure };
};
const GO_ON =
	'The other lists are watched as usual; what could not be read is tried again by itself.';
const damaged = announce('damaged-state', { account: 'own' });

it('it is the error of the own account, if that is all', () => {
	const error = failed({ status: 403, serviceMessage: 'No.' });
	for (const account of ['own', 'own2'])
		expect(told([one(account, { error })])).toMatchObject({
			message: messageOf(error.facts),
			failure: { cause: 'configuration-invalid' },
		});
	expect(told([one('own', { error: new Error('of our own') })]).message).toBe('of our own');
	for (const [retryAfterMs, expected] of [
		[5_000, 5_000],
		[DAY + 1, DAY],
	] as const) {
		const limited = failed({ status: 429, retryable: true, retryAfterMs });
		const { failure, message } = told([one('own', { error: limited })]);
		expect(failure).toEqual({ cause: 'rate-limited', retryAfterMs: expected });
		expect(message).toContain(`Retry after ${expected / 1000} s.`);
	}
});

it.each<[string, ListFailure[]]>([
	['The leads of the own account could not be read. own broke.', [one('own')]],
	['The leads of Ada (a) could not be read. a broke.', [one('a', { error: failed() })]],
	['The leads of Ada (a) could not be read. a broke.', [one('a'), one('a', { kind: 'auth' })]],
	['The leads of b could not be read.', [one('b', { message: '' })]],
	['The leads of 2 accounts could not be read: Ada (a), b. a broke.', [one('a'), one('b')]],
	['The leads of 3 accounts could not be read: b, c, d. b broke.', [one('b'), one('c'), one('d')]],
	['The list of clients could not be read. clients broke.', [one('clients', { error: failed() })]],
	[
		'The leads of 2 accounts could not be read: the list of clients, b. clients broke.',
		[one('clients'), one('b')],
	],
	[damaged.message, [damaged]],
	[damaged.message, [damaged, announce('damaged-state', {})]],
	[`The leads of b could not be read. b broke. ${damaged.message}`, [one('b'), damaged]],
	['Nobody.', [announce('no-clients', { account: 'clients', more: 'Nobody.' })]],
	[
		'Ada (a): 3 records without an ID cannot be told from others, so the trigger passes over what has none.',
		[announce('no-id', { account: 'a', count: 3 })],
	],
])('it says "%s"', (message, failures) => {
	expect(told(failures).message).toBe(message);
});

it('it names three in its message and ten below it, and counts the others', () => {
	const { message, description } = told([...'bcdefghijklm'].map((name) => one(name)));
	expect(message).toBe('The leads of 12 accounts could not be read: b, c, d, and 9 more. b broke.');
	expect(description?.split('\n')).toEqual([
		...[...'bcdefghijk'].map((name) => `${name}: ${name} broke. (server)`),
		...['and 2 more', GO_ON],
	]);
	const ids = Array.from({ length: 40 }, (_, at) => one(`6f1c2f0e-7d4b-4a53-9d53-${at}`));
	expect(told(ids).message.length).toBeLessThanOrEqual(300);
	expect(told([one('a'), one('clients')]).description).toBe(
		`Ada (a): a broke. (server)\nthe list of clients: clients broke. (server)\n${GO_ON}`,
	);
});

it.each([
	...(['asked-to-wait', 'damaged-state', 'list-full', 'no-id', 'other-account'] as const),
	...(['out-of-reach', 'too-deep', 'lost-scan'] as const),
])('it tells "%s" in a few whole sentences', (kind) => {
	for (const count of [1, 250_000]) {
		const { message, account } = announce(kind, { count });
		expect(account).toBe('all');
		expect(message).toMatch(/^(n8n|[A-Z0-9]).*\.$/);
		expect(message.length).toBeLessThanOrEqual(300);
		expect(message).not.toMatch(/\b0\b|undefined|NaN|^1 records/);
	}
});

it.each<[string, ListFailure[], Partial<ErrorContext>, number | undefined]>([
	['lists are to wait', [one('a', { kind: 'rate-limited' })], {}, undefined],
	['nothing is sent any more', [one('a')], { throttledForMs: 61_001 }, 61_001],
])('it tells n8n to wait if %s', (_, failures, changes, retryAfterMs) => {
	const { failure, description } = told(failures, changes);
	expect(failure).toEqual(
		retryAfterMs === undefined ? undefined : { cause: 'rate-limited', retryAfterMs },
	);
	expect(description?.split('\n').at(-1)).toBe(
		changes.throttledForMs === undefined
			? GO_ON
			: 'The service asked to wait: no list is read for another 62 s.',
	);
});
