/**
 * The message of each failure of a list, whether it may pass, and whether it is about the offset.
 */
import type { NodeApiError } from 'n8n-workflow';

import { ApiFailure, type FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import { emptyKnowledge } from '../../nodes/LeadGenPublishing/watch/clients';
import type { ListFailure } from '../../nodes/LeadGenPublishing/watch/listFailure';
import {
	classify,
	isRefusal,
	refusesOffset,
	toPollError,
} from '../../nodes/LeadGenPublishing/watch/pollErrors';
import type { PollSession } from '../../nodes/LeadGenPublishing/watch/session';

const failure = (facts: Partial<FailureFacts>): ApiFailure =>
	new ApiFailure({
		kind: 'answered',
		endpoint: 'lead.getAll',
		agency: false,
		retryable: false,
		attempts: 1,
		uncertain: false,
		...facts,
	});
const answered = (status: number, code: string, retryable = false): ApiFailure =>
	failure({ status, code, retryable });

it.each<[string, ApiFailure, { kind: string; lasting: boolean; retryAfterMs?: number }]>([
	[
		'a request to slow down',
		failure({ status: 429, code: 'rate_limited', retryable: true, retryAfterMs: 5_000 }),
		{ kind: 'rate-limited', lasting: false, retryAfterMs: 5_000 },
	],
	['no right', answered(403, 'forbidden'), { kind: 'forbidden', lasting: true }],
	['a wrong key', answered(401, 'unauthorized'), { kind: 'unauthorized', lasting: true }],
	['no such list', answered(404, 'not_found'), { kind: 'not_found', lasting: true }],
	[
		'a fault of the service',
		answered(500, 'internal_error', true),
		{ kind: 'internal_error', lasting: false },
	],
	[
		'no answer',
		failure({ kind: 'unreachable', retryable: true }),
		{ kind: 'unreachable', lasting: false },
	],
])('%s', (_, error, expected) => {
	expect(classify(error)).toMatchObject(expected);
	expect(classify(error).message).toMatch(/\w+ \w+/);
	expect(isRefusal(error)).toBe(expected.lasting);
});

it('an error that is not a failed request is permanent, and keeps its own message', () => {
	expect(classify(new Error('Out of memory'))).toEqual({
		kind: 'failed',
		message: 'Out of memory',
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
	expect(refusesOffset(answered(status, 'some_code', status >= 429))).toBe(expected);
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
	const told = (...failures: ListFailure[]): string[] => {
		const { description } = toPollError(session, failures, ['a', 'b', 'c']) as NodeApiError;
		return (description ?? '').split('\n');
	};
	const NEXT = 'The other lists are watched as usual. The trigger tries again on its own.';

	it('gives no advice where it is enough to wait', () => {
		const outage = answered(503, 'service_unavailable', true);
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
		expect(lines[3]).toBe(NEXT);
	});
});
