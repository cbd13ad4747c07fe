/** What the trigger says of lists that failed, and how long n8n is to wait after it. */
import type { INode } from 'n8n-workflow';

import { messageOf } from '../../nodes/LeadGenPublishing/api/errors';
import { ApiFailure, type FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import { announce, type ListFailure } from '../../nodes/LeadGenPublishing/watch/reports';
import {
	classify,
	isRefusal,
	toPollError,
	type ErrorContext,
} from '../../nodes/LeadGenPublishing/watch/failures';
import { noAnswer } from '../../nodes/LeadGenPublishing/watch/session';

const node: INode = {
	...{ id: 'n', name: 'N', type: 'n', typeVersion: 1, parameters: {} },
	position: [0, 0],
};
const DAY = 24 * 3_600_000;

const failed = (facts: Partial<FailureFacts> = {}) =>
	new ApiFailure({
		...{ kind: 'answered', endpoint: 'lead.getAll', agency: false, retryable: false },
		...{ attempts: 1, uncertain: false },
		...facts,
	});

describe('a failure', () => {
	it.each<[string, Partial<FailureFacts>, object]>([
		[
			'that asks to wait',
			{ status: 429, retryable: true, retryAfterMs: 5_000 },
			{ kind: 'rate-limited', retryAfterMs: 5_000 },
		],
		[
			'that was not sent, since an earlier one asked to wait',
			{ kind: 'notSent', code: 'rate_limited', retryable: true, retryAfterMs: 7 },
			{ kind: 'rate-limited', retryAfterMs: 7 },
		],
		['that may pass', { status: 503, retryable: true }, { kind: 'answered' }],
		[
			'that may pass after a while',
			{ status: 503, code: 'unavailable', retryable: true, retryAfterMs: 9 },
			{ kind: 'unavailable', retryAfterMs: 9 },
		],
		['of a proxy', { status: 502 }, { kind: 'answered' }],
		['of a proxy, as no document names it', { status: 599 }, { kind: 'answered' }],
		['of the service', { status: 501 }, { kind: 'answered', lasting: true }],
		['with a status that is none', { status: 600 }, { kind: 'answered', lasting: true }],
		['without a status', {}, { kind: 'answered', lasting: true }],
		['that refuses', { status: 403, code: 'forbidden' }, { kind: 'forbidden', lasting: true }],
	])('%s', (_, facts, expected) => {
		const error = failed(facts);
		expect(classify(error)).toEqual({ ...expected, message: messageOf(error.facts) });
	});

	it('of our own says what it says', () => {
		const own = { kind: 'failed', message: 'of our own', lasting: true };
		expect(classify(new TypeError('of our own'))).toEqual(own);
		expect(classify('of our own')).toEqual(own);
	});

	it('is a refusal if the service will answer the same again', () => {
		expect(isRefusal(failed({ status: 403 }))).toBe(true);
		expect(isRefusal(failed({ status: 503, retryable: true }))).toBe(false);
		expect(isRefusal(failed({ status: 429 }))).toBe(false);
		expect(isRefusal(failed({ kind: 'notSent' }))).toBe(false);
		expect([new Error('no'), undefined, 'text'].some(isRefusal)).toBe(false);
	});

	it('without an answer may pass, and is said of this request', () => {
		for (const [account, agency] of [
			['own', false],
			['6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', true],
		] as const)
			expect(noAnswer('lead.getAll', account).facts).toMatchObject({
				...{ kind: 'unreachable', endpoint: 'lead.getAll', agency, retryable: true },
			});
	});
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
	const error = toPollError(node, failures, { ...context, ...changes });
	const { message, description, failure } = error as Error & {
		description?: string;
		failure?: unknown;
	};
	return { message, description, failure };
};
const GO_ON =
	'The other lists are watched as usual; what could not be read is tried again by itself.';

describe('the error of a poll', () => {
	it('is that of the own account, if that is all', () => {
		const error = failed({ status: 403, serviceMessage: 'No.' });
		for (const account of ['own', 'own2'])
			expect(told([one(account, { error })])).toMatchObject({
				message: messageOf(error.facts),
				failure: { cause: 'configuration-invalid' },
			});
		expect(told([one('own', { error: new Error('of our own') })]).message).toBe('of our own');
		expect(told([one('own')]).message).toBe(
			'The leads of the own account could not be read. own broke.',
		);
	});

	it.each([
		[5_000, 5_000],
		[DAY + 1, DAY],
	])('that asks n8n to wait %i ms makes it wait %i ms', (retryAfterMs, expected) => {
		const error = failed({ status: 429, retryable: true, retryAfterMs });
		const { failure, message } = told([one('own', { error })]);
		expect(failure).toEqual({ cause: 'rate-limited', retryAfterMs: expected });
		expect(message).toContain(`Retry after ${expected / 1000} s.`);
		const none = failed({ status: 503, retryable: true });
		expect(told([one('own', { error: none })]).message).not.toMatch(/Retry after|NaN/);
	});

	it('names the clients that failed, by name and ID', () => {
		expect(told([one('a', { error: failed() })])).toEqual({
			message: 'The leads of Ada (a) could not be read. a broke.',
			description: `Ada (a): a broke. (server)\n${GO_ON}`,
			failure: undefined,
		});
		expect(told([one('a'), one('b')])).toMatchObject({
			message: 'The leads of 2 accounts could not be read: Ada (a), b. a broke.',
			description: `Ada (a): a broke. (server)\nb: b broke. (server)\n${GO_ON}`,
		});
		expect(told([one('a'), one('a', { kind: 'auth' })]).message).toBe(
			'The leads of Ada (a) could not be read. a broke.',
		);
		expect(told([one('b', { message: '' })]).message).toBe('The leads of b could not be read.');
	});

	it('names three of them in its message and ten below it, and counts the others', () => {
		const { message, description } = told([...'bcdefghijklm'].map((name) => one(name)));
		expect(message).toBe(
			'The leads of 12 accounts could not be read: b, c, d, and 9 more. b broke.',
		);
		expect(description?.split('\n').slice(-3)).toEqual([
			...['k: k broke. (server)', 'and 2 more', GO_ON],
		]);
		const three = told([...'bcd'].map((name) => one(name)));
		expect(three.message).toBe('The leads of 3 accounts could not be read: b, c, d. b broke.');
		const ids = Array.from({ length: 40 }, (_, at) => one(`6f1c2f0e-7d4b-4a53-9d53-${at}`));
		expect(told(ids).message.length).toBeLessThanOrEqual(300);
	});

	it('says of lists that were read only what is to be said', () => {
		const damaged = announce('damaged-state', { account: 'own' });
		expect(told([damaged]).message).toBe(damaged.message);
		expect(told([announce('no-id', { account: 'a', count: 3 })]).message).toMatch(
			/^Ada \(a\): 3 records without an ID /,
		);
		expect(told([one('b'), damaged]).message).toBe(
			`The leads of b could not be read. b broke. ${damaged.message}`,
		);
		expect(told([damaged, announce('damaged-state', {})]).message).toBe(damaged.message);
		expect(told([announce('no-clients', { account: 'clients', more: 'Nobody.' })])).toMatchObject({
			message: 'Nobody.',
			description: `the list of clients: Nobody. (no-clients)\n${GO_ON}`,
		});
	});

	it.each([
		...(['asked-to-wait', 'damaged-state', 'list-full', 'no-id', 'other-account'] as const),
		...(['out-of-reach', 'too-deep', 'unsaved-scan'] as const),
	])('tells "%s" in a few whole sentences', (kind) => {
		for (const count of [1, 250_000]) {
			const { message, account } = announce(kind, { count });
			expect(account).toBe('all');
			expect(message).toMatch(/^[A-Z0-9].*\.$/);
			expect(message.length).toBeLessThanOrEqual(300);
			expect(message).not.toMatch(/\b0\b|undefined|NaN|^1 records/);
		}
	});

	describe('of the list of clients', () => {
		const endpoint = 'client.getAll';
		const forbidden = failed({ status: 403, code: 'forbidden', endpoint });
		const alone = (error: ApiFailure) => told([one('clients', { error })], { watchedCount: 0 });

		it('says what to do where nothing can be watched', () => {
			const { message, description, failure } = alone(forbidden);
			expect(message).toMatch(
				/^"Watch" is set to "All Clients", but the service does not list clients for this API key\. \S/,
			);
			expect(message).toContain(messageOf(forbidden.facts));
			expect(description).toMatch(/or set "Watch" to "Own Account"\.$/);
			expect(failure).toEqual({ cause: 'configuration-invalid' });
			for (const facts of [
				{ status: 403, code: 'scope_missing' },
				{ status: 400, code: 'forbidden' },
			])
				expect(alone(failed({ ...facts, endpoint })).message).toMatch(/does not list clients/);
		});

		it.each<[string, Partial<FailureFacts>]>([
			['a key that is not accepted', { status: 401 }],
			['what may pass', { status: 503, retryable: true }],
			['a redirect', { kind: 'redirected', status: 302 }],
			['no such path', { status: 404, code: 'not_found' }],
			['what is none of the API', { kind: 'unreadable', status: 403, code: 'forbidden' }],
		])('is that of the service for %s', (_, facts) => {
			const error = failed({ ...facts, endpoint });
			expect(alone(error).message).toBe(messageOf(error.facts));
		});

		it('is not what the lists are about where clients are known', () => {
			expect(told([one('clients', { error: forbidden })])).toMatchObject({
				message: 'The list of clients could not be read. clients broke.',
				description: `the list of clients: clients broke. (server)\n${GO_ON}`,
			});
			expect(told([one('clients'), one('b')], { watchedCount: 0 }).message).toBe(
				'The leads of 2 accounts could not be read: the list of clients, b. clients broke.',
			);
		});
	});

	const limited = (account: string, retryAfterMs?: number) =>
		one(account, { kind: 'rate-limited', retryAfterMs });

	it.each<[string, ListFailure[], Partial<ErrorContext>, number | undefined]>([
		['all lists are to wait', [limited('a', 900), limited('b', 800)], {}, 800],
		['the only one is to wait', [limited('b', 900)], { watchedCount: 1 }, 900],
		['one is to wait of two', [limited('a', 900)], {}, undefined],
		['one is to wait, and one has failed', [limited('a', 900), one('b')], {}, undefined],
		['it is not said for how long', [limited('a'), limited('b', 800)], {}, 0],
		['it is for longer than a day', [limited('b', 2 * DAY)], { watchedCount: 1 }, DAY],
		[
			'the only one is to wait, and the clients cannot be listed',
			[limited('a', 900), one('clients')],
			{ watchedCount: 1 },
			undefined,
		],
		['nothing is sent any more', [one('a')], { throttledForMs: 61_001 }, 61_001],
	])('tells n8n to wait if %s', (_, failures, changes, retryAfterMs) => {
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
});
