/** What the trigger says of lists that failed, and how long n8n is to wait after it. */
import type { INode } from 'n8n-workflow';

import { messageOf } from '../../../nodes/LeadGenPublishing/api/errors';
import { ApiFailure, type FailureFacts } from '../../../nodes/LeadGenPublishing/api/failure';
import type { ListFailure } from '../../../nodes/LeadGenPublishing/watch/list/turns/pollLists';
import { noAnswer } from '../../../nodes/LeadGenPublishing/watch/n8n/clients';
import {
	classify,
	isRefusal,
	toPollError,
	UndecidedOwner,
	type ErrorContext,
} from '../../../nodes/LeadGenPublishing/watch/n8n/failures';

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
			{ kind: 'rate-limited', retryAfterMs: 7, unsent: true },
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
		expect(classify(error)).toStrictEqual({
			...('lasting' in expected ? {} : { retryAfterMs: undefined }),
			...expected,
			message: messageOf(error.facts),
		});
	});

	it.each([
		[undefined, { kind: 'earlier', message: '' }],
		[new UndecidedOwner('who?'), { kind: 'undecided', message: 'who?' }],
		[new TypeError('of our own'), { kind: 'failed', message: 'of our own', lasting: true }],
		['text', { kind: 'failed', message: 'text', lasting: true }],
	])('that is %p', (error, expected) => {
		expect(classify(error)).toStrictEqual(expected);
	});

	it('is a refusal if the service will answer the same again', () => {
		expect(isRefusal(failed({ status: 403 }))).toBe(true);
		expect(isRefusal(failed({ status: 503, retryable: true }))).toBe(false);
		expect(isRefusal(failed({ status: 429 }))).toBe(false);
		expect(isRefusal(failed({ kind: 'notSent' }))).toBe(false);
		expect([new Error('no'), undefined, 'text'].some(isRefusal)).toBe(false);
	});

	it.each([
		['own', false],
		['6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', true],
	])('without an answer for %s may pass, and is said of this request', (account, agency) => {
		expect(noAnswer('lead.getAll', account).facts).toEqual({
			...{ kind: 'unreachable', seen: 'no answer within the time of one poll' },
			...{ endpoint: 'lead.getAll', agency, retryable: true, attempts: 1, uncertain: false },
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
	});

	it.each([
		[5_000, 5_000],
		[DAY + 1, DAY],
	])('that asks n8n to wait %i ms makes it wait %i ms', (retryAfterMs, expected) => {
		const error = failed({ status: 429, retryable: true, retryAfterMs });
		const { failure, message } = told([one('own', { error })]);
		expect(failure).toEqual({ cause: 'rate-limited', retryAfterMs: expected });
		expect(message).toContain(`Retry after ${expected / 1000} s.`);
	});

	it('asks for no wait that the service has not asked for', () => {
		const error = failed({ status: 503, retryable: true });
		expect(told([one('own', { error })]).message).not.toMatch(/Retry after|NaN/);
	});

	it('of the own account says it in other words if it was reported by an earlier poll', () => {
		expect(told([one('own')]).message).toBe(
			'The leads of the own account could not be read. own broke.',
		);
	});

	it('names the client, and the one before it if both have failed', () => {
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

	it('names ten accounts, and counts the others', () => {
		const names = [...'bcdefghijklm'];
		expect(told(names.slice(0, 11).map((name) => one(name))).message).toContain('k, and 1 more.');
		expect(told(names.slice(0, 10).map((name) => one(name))).message).toBe(
			`The leads of 10 accounts could not be read: ${names.slice(0, 10).join(', ')}. b broke.`,
		);
		const { message, description } = told(names.map((name) => one(name)));
		expect(message).toBe(
			`The leads of 12 accounts could not be read: ${names.slice(0, 10).join(', ')}, and 2 more. b broke.`,
		);
		expect(description?.split('\n').slice(-3)).toEqual([
			...['k: k broke. (server)', 'and 2 more', GO_ON],
		]);
	});

	it.each(['damaged-state', 'no-clients', 'no-id', 'other-account'])(
		'says of a list that was read (%s) only what is to be said',
		(kind) => {
			expect(told([one('own', { kind })]).message).toBe('own broke.');
			expect(told([one('all', { kind })]).message).toBe('all broke.');
			expect(told([one('clients', { kind })]).message).toBe('clients broke.');
			expect(told([one('a', { kind })]).message).toBe('Ada (a): a broke.');
			expect(told([one('own', { kind }), one('b')]).message).toBe(
				'The leads of b could not be read. b broke. own broke.',
			);
			const same = { kind, message: 'The same.' };
			expect(told([one('own', same), one('all', same)]).message).toBe('The same.');
			expect(told([one('own', { kind }), one('all', { kind })]).description).toBe(
				`the own account: own broke. (${kind})\nall lists: all broke. (${kind})\n${GO_ON}`,
			);
		},
	);

	describe('of the list of clients', () => {
		const forbidden = failed({ status: 403, code: 'forbidden', endpoint: 'client.getAll' });

		it('says what to do where nothing can be watched', () => {
			const { message, description, failure } = told([one('clients', { error: forbidden })], {
				watchedCount: 0,
			});
			expect(message).toMatch(
				/^"Watch" is set to "All Clients", but the service does not list clients for this API key\. \S/,
			);
			expect(message).toContain(messageOf(forbidden.facts));
			expect(description).toMatch(/or set "Watch" to "Own Account"\.$/);
			expect(failure).toEqual({ cause: 'configuration-invalid' });
		});

		it.each<[string, Partial<FailureFacts>]>([
			['its status', { status: 403, code: 'scope_missing' }],
			['its code', { status: 400, code: 'forbidden' }],
		])('knows a refusal by %s', (_, facts) => {
			const error = failed({ ...facts, endpoint: 'client.getAll' });
			const { message } = told([one('clients', { error })], { watchedCount: 0 });
			expect(message).toMatch(/does not list clients for this API key/);
		});

		it.each([
			['a key that is not accepted', failed({ status: 401, endpoint: 'client.getAll' })],
			['what may pass', failed({ status: 503, retryable: true, endpoint: 'client.getAll' })],
			['a redirect', failed({ kind: 'redirected', status: 302, endpoint: 'client.getAll' })],
			['no such path', failed({ status: 404, code: 'not_found', endpoint: 'client.getAll' })],
			[
				'a page that is none of the API',
				failed({ kind: 'unreadable', status: 403, code: 'forbidden', endpoint: 'client.getAll' }),
			],
		])('is that of the service for %s', (_, error) => {
			const { message } = told([one('clients', { error })], { watchedCount: 0 });
			expect(message).toBe(messageOf(error.facts));
		});

		it('is not what the lists are about where clients are known', () => {
			const { message, description } = told([one('clients', { error: forbidden })], {
				watchedCount: 1,
			});
			expect(message).toBe('The list of clients could not be read. clients broke.');
			expect(description).toMatch(/^the list of clients: clients broke\. \(server\)\n/);
			expect(told([one('clients'), one('b')], { watchedCount: 0 }).message).toBe(
				'The leads of 2 accounts could not be read: the list of clients, b. clients broke.',
			);
		});
	});

	describe('that tells n8n to wait', () => {
		const limited = (account: string, retryAfterMs?: number) =>
			one(account, { kind: 'rate-limited', retryAfterMs });

		it.each<[string, ListFailure[], Partial<ErrorContext>, number | undefined]>([
			['all lists are to wait', [limited('a', 900), limited('b', 800)], {}, 800],
			['one is to wait, and there is no other', [limited('b', 900)], { watchedCount: 1 }, 900],
			['one is to wait of two', [limited('a', 900)], {}, undefined],
			['one is to wait, and one has failed', [limited('a', 900), one('b')], {}, undefined],
			[
				'one is to wait, and has failed in another way as well',
				[limited('a', 900), one('a', { retryAfterMs: 500 })],
				{ watchedCount: 1 },
				500,
			],
			['it is not said for how long', [limited('a'), limited('b', 800)], {}, 0],
			[
				'the only one is to wait, and the clients cannot be listed',
				[limited('a', 900), one('clients')],
				{ watchedCount: 1 },
				undefined,
			],
			['it is for longer than a day', [limited('b', 2 * DAY)], { watchedCount: 1 }, DAY],
			['nothing is sent any more', [one('a')], { throttledForMs: 61_001 }, 61_001],
		])('if %s', (_, failures, changes, retryAfterMs) => {
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
});
