/**
 * The message of each failure of a list, whether it may pass, and whether it is about the offset.
 */
import type { NodeApiError } from 'n8n-workflow';

import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import { emptyKnowledge } from '../../nodes/LeadGenPublishing/watch/clients';
import { announce, type ListFailure } from '../../nodes/LeadGenPublishing/feed/reports/listFailure';
import { classify, isRefusal, refusesOffset } from '../../nodes/LeadGenPublishing/watch/classify';
import { clientListError, toPollError } from '../../nodes/LeadGenPublishing/watch/pollErrors';
import type { PollSession } from '../../nodes/LeadGenPublishing/watch/session';
import { someFacts, type SomeFacts } from '../support/facts';

const failure = (facts: SomeFacts): ApiFailure =>
	new ApiFailure(someFacts({ endpoint: 'lead.getAll', ...facts }));
const answered = (status: number, code: string): ApiFailure => failure({ status, code });

it.each<[string, ApiFailure, { kind: string; lasting: boolean; retryAfterMs?: number }]>([
	[
		'a request to slow down',
		failure({ status: 429, code: 'rate_limited', retryAfterMs: 5_000 }),
		{ kind: 'rate-limited', lasting: false, retryAfterMs: 5_000 },
	],
	['no right', answered(403, 'forbidden'), { kind: 'forbidden', lasting: true }],
	['a wrong key', answered(401, 'unauthorized'), { kind: 'unauthorized', lasting: true }],
	['no such list', answered(404, 'not_found'), { kind: 'not_found', lasting: true }],
	[
		'a fault of the service',
		answered(500, 'internal_error'),
		{ kind: 'internal_error', lasting: false },
	],
	['no answer', failure({ kind: 'unreachable' }), { kind: 'unreachable', lasting: false }],
])('%s', (_, error, expected) => {
	expect(classify(error)).toMatchObject(expected);
	expect(classify(error).message).toMatch(/\w+ \w+/);
	expect(isRefusal(error)).toBe(expected.lasting);
});

it('an error that is not a failed request is permanent, and keeps its own message', () => {
	expect(classify(new Error('Out of memory'))).toEqual({
		kind: 'failed',
		message: 'Out of memory',
		cause: 'node',
		lasting: true,
	});
	expect(classify('text').message).toBe('text');
	expect(isRefusal(new Error('x'))).toBe(false);
});

it.each([
	[400, true],
	[404, true],
	[413, true],
	[416, true],
	[422, true],
	[401, false],
	[403, false],
	[429, false],
	[500, false],
])('an answer of %i to an offset: whether it refuses the offset', (status, expected) => {
	expect(refusesOffset(answered(status, 'some_code'))).toBe(expected);
});

it('a missing response rejects no offset', () => {
	expect(refusesOffset(failure({ kind: 'unreachable' }))).toBe(false);
	expect(refusesOffset(new Error('x'))).toBe(false);
});

describe('the error of a poll', () => {
	const session = {
		functions: { getNode: () => ({ id: '1', name: 'Trigger', type: 'x', parameters: {} }) },
		settings: { event: 'newLead' },
		known: { ...emptyKnowledge(), names: new Map([['a', { user_id: 'a', full_name: 'Ada' }]]) },
	} as unknown as PollSession;
	const failed = (account: string, error: ApiFailure): ListFailure => ({
		...{ account, error, isAfterHead: false },
		...classify(error),
	});
	const errorOf = (failures: ListFailure[], accounts: readonly string[] = ['a', 'b', 'c']) =>
		toPollError(session, failures, accounts) as NodeApiError;
	const told = (...failures: ListFailure[]): string[] =>
		(errorOf(failures).description ?? '').split('\n');
	const OTHERS = 'The other lists are watched as usual.';
	const GOES_ON =
		'The trigger tries again on its own. Everything that arrives in the meantime is delivered then.';
	const NEXT = `${OTHERS} You do not have to do anything. ${GOES_ON}`;

	it('gives no advice where it is enough to wait', () => {
		const outage = answered(503, 'service_unavailable');
		const lines = told(failed('a', outage), failed('b', outage));
		expect(lines).toEqual([
			expect.stringMatching(/^Ada \(a\): .* \(service_unavailable\)$/),
			expect.stringMatching(/^b: .* \(service_unavailable\)$/),
			NEXT,
		]);
	});

	it('gives each advice once', () => {
		const forbidden = answered(403, 'forbidden');
		const lines = told(failed('a', forbidden), failed('b', forbidden));
		expect(lines).toHaveLength(4);
		expect(lines[2]).toMatch(/\w+ \w+ .*\.$/);
		expect(lines[3]).toBe(`${OTHERS} ${GOES_ON}`);
	});

	it('names ten accounts and ten lists, and counts the others', () => {
		const outage = answered(503, 'service_unavailable');
		const of = (count: number) =>
			Array.from({ length: count }, (_, index) => failed(`id ${index}`, outage));
		const { message } = errorOf(of(3));
		expect(message).toMatch(/^The leads of 3 accounts could not be read: id 0, id 1, id 2\. /);
		expect(errorOf(of(4)).message).toMatch(/4 accounts .*: id 0, id 1, id 2, id 3\. /);
		const lines = (count: number) => told(...of(count)).slice(0, -1);
		expect(lines(10)).toHaveLength(10);
		expect(lines(10)[9]).toMatch(/^id 9: /);
		expect(lines(12)).toHaveLength(11);
		expect(lines(12)[10]).toBe('and 2 more');
	});

	it('says that the trigger keeps polling if it announces something, and nothing has failed', () => {
		const noId = announce('no-id', { account: 'a', count: 1 });
		expect(told(noId).at(-1)).toBe('The trigger keeps polling.');
		expect(told(noId, failed('b', answered(503, 'x'))).at(-1)).toBe(NEXT);
	});

	it('says whose list an announcement is about, unless it is the own one or concerns all', () => {
		const messageOf = (account?: string) => errorOf([announce('no-id', { account })]).message;
		const [ofAll, ofOwn, ofClient] = [messageOf(), messageOf('own'), messageOf('a')];
		expect([ofOwn, ofClient]).toEqual([ofAll, `Ada (a): ${ofAll}`]);
	});

	it.each<[string, ListFailure[], string[], object | undefined]>([
		[
			'the only list, for good',
			[failed('a', answered(403, 'forbidden'))],
			['a'],
			{ cause: 'configuration-invalid' },
		],
		[
			'two lists, for good',
			['a', 'b'].map((account) => failed(account, answered(403, 'forbidden'))),
			['a', 'b'],
			undefined,
		],
		['one of two lists', [failed('a', answered(403, 'forbidden'))], ['a', 'b'], undefined],
		['the only list, for a while', [failed('a', answered(503, 'x'))], ['a'], undefined],
	])(
		'tells n8n to wait for a person only if nothing can be read: %s',
		(_, failures, accounts, cause) => {
			expect(errorOf(failures, accounts).failure).toEqual(cause);
		},
	);

	it('tells n8n to wait for a person if the key may not list clients', () => {
		const error = clientListError(session, answered(403, 'forbidden')) as NodeApiError;
		expect(error.failure).toEqual({ cause: 'configuration-invalid' });
	});
});
