import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { detailsOf, messageOf, toNodeError } from '../../nodes/LeadGenPublishing/api/errors';
import { explain } from '../../nodes/LeadGenPublishing/api/explain';
import { codeOfStatus, KNOWN_CODES, KNOWN_REASONS } from '../../nodes/LeadGenPublishing/api/words';
import { endpointNames, ENDPOINTS } from '../../nodes/LeadGenPublishing/api/endpoints';
import {
	ApiFailure,
	InputError,
	type FailureFacts,
} from '../../nodes/LeadGenPublishing/api/failure';

const NODE: INode = {
	id: '1',
	name: 'Node',
	type: 'x',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const facts = (more: Partial<FailureFacts> = {}): FailureFacts => ({
	kind: 'answered',
	endpoint: 'post.update',
	agency: false,
	status: 409,
	code: 'conflict',
	serviceMessage: 'The words of the service',
	requestId: 'req_abc',
	retryable: false,
	attempts: 1,
	uncertain: false,
	labels: ['Act As', 'Idempotency Key', 'Max Wait (Seconds)', 'On Stale Version'],
	...more,
});

/** Each code of 7.1: its HTTP number, a piece of the message, a piece of the remedy. */
const CODES: ReadonlyArray<[string, number, string, string]> = [
	['bad_request', 400, 'did not accept the request', 'Check the parameters'],
	['unauthorized', 401, 'API key was not accepted', 'mistyped, revoked or inactive'],
	['forbidden', 403, 'API key may not do this', 'needs the scope "posts:write" (or "*")'],
	['not_found', 404, 'found nothing there', 'with "Act As" set to "Client"'],
	['method_not_allowed', 405, 'does not offer this method', 'Check the Base URL'],
	['conflict', 409, 'state of the resource does not allow', 'with Post > Get'],
	['bad_request', 422, 'network rejected the update', 'Change what is sent'],
	['rate_limited', 429, 'asks to slow down', 'Max Wait (Seconds)'],
	['internal_error', 500, 'something unexpected', 'If it stays'],
	['not_implemented', 501, 'not implemented', 'another operation'],
	['upstream_error', 502, 'could not complete the update safely', 'If it stays'],
];

/** Each reason of 7.2 to 7.4, with its status where the document gives one. */
const REASONS: ReadonlyArray<[string, number, string, string]> = [
	['provider_state_refreshed', 409, 'has changed on the network', 'Review the text'],
	['stale_provider_version', 409, 'has changed since it was read', 'On Stale Version'],
	['mutation_in_progress', 409, 'still in progress', 'shows that the post has settled'],
	['idempotency_conflict', 409, 'already used for a different request', 'Idempotency Key'],
	['provider_ambiguous', 409, 'cannot tell whether', 'Do not repeat it blindly'],
	['team_boost_spacing_conflict', 409, 'too close', 'Schedule the post later'],
	['provider_attachment_identity_unavailable', 422, 'cannot be identified', 'left as it was'],
	['provider_attachment_mismatch', 502, 'may have been updated', 'Post > Get'],
	['invalid_fast_response_config', 400, 'settings are not allowed', '2, 5 or 10 minutes'],
	['fast_response_requires_schedule', 409, 'needs a post that has a schedule', 'Schedule the post'],
	['boost_window_conflict', 409, 'occupies that time window', 'wait until its window has ended'],
	['idempotency_key_reused', 409, 'already used for a different request', 'enter a new one'],
	['post_not_boost_eligible', 409, 'cannot be boosted', 'Choose another post'],
	['account_paused', 409, 'account is paused', 'Resume the account'],
	['network_not_connected', 409, 'No usable network account', 'Connect the network account'],
	['network_organization_not_found', 404, 'organization is not known', 'Refresh first'],
	['network_organization_permission_denied', 403, 'no permission for this page', 'administrator'],
	['network_organization_stale', 409, 'older than 24 hours', 'Network Organization > Refresh'],
	['network_organization_provider_rejected', 422, 'rejected the action', 'Do not repeat it'],
	['network_organization_duplicate', 409, 'already enrolled', 'enrolment that exists'],
	['network_identifier_unpinned', 409, 'cannot be pinned', 'reconnect'],
	['pod_consent_required', 403, 'consent to the pod', 'give the consent in the dashboard'],
	['rate_limited', 429, 'asks to slow down', 'Max Wait (Seconds)'],
];

describe('the codes of 7.1', () => {
	it.each(CODES)('[code %s] %i says what happened and what to do', (code, status, what, next) => {
		const failure = facts({ code, status, reason: undefined });
		expect(messageOf(failure)).toContain(what);
		expect(messageOf(failure)).toContain('The words of the service');
		expect(messageOf(failure)).toContain('[req_abc]');
		expect(explain(failure).next).toContain(next);
	});

	it('are all in the table, and no other', () => {
		expect([...new Set(CODES.map(([code]) => code))].sort()).toEqual([...KNOWN_CODES].sort());
	});

	it.each(CODES)('[code %s] is guessed from HTTP %i when there is no envelope', (code, status) => {
		expect(codeOfStatus(status)).toBe(code);
	});

	it('that nobody knows are told with their name and number', () => {
		expect(messageOf(facts({ code: 'teapot', status: 418 }))).toBe(
			'The service answered with HTTP 418 (teapot): The words of the service. [req_abc]',
		);
	});
});

describe('the reasons of 7.2 to 7.4', () => {
	it.each(REASONS)('[reason %s] %i says what happened and what to do', (...row) => {
		const [reason, status, what, next] = row;
		const failure = facts({ reason, status, code: codeOfStatus(status) });
		expect(messageOf(failure)).toContain(what);
		expect(messageOf(failure)).toContain(`(${reason})`);
		expect(messageOf(failure)).toContain('The words of the service');
		expect(explain(failure).next).toContain(next);
	});

	it('are all in the table; "write_forbidden" is a capability\'s reason', () => {
		const listed = [...REASONS.map(([reason]) => reason), 'write_forbidden'];
		expect([...KNOWN_REASONS].sort()).toEqual(listed.sort());
	});

	it('that nobody knows leave the code its word and are named', () => {
		const message = messageOf(facts({ reason: 'brand_new_reason' }));
		expect(message).toContain('does not allow this (brand_new_reason): The words of the service');
	});

	it.each(['constructor', 'toString', '__proto__'])('named %p are only words, too', (reason) => {
		expect(messageOf(facts({ reason }))).toContain(`does not allow this (${reason})`);
		expect(messageOf(facts({ code: reason, status: 400 }))).toContain(`HTTP 400 (${reason})`);
	});
});

describe('hints that the endpoint gives', () => {
	const scoped = endpointNames.filter((name) => ENDPOINTS[name].scope.includes(':'));

	it.each([
		[true, /documentation of the service.*Try again later\./],
		[false, /documentation of the service(?!.*Try again later)/],
	])('of a code that nobody knows say when to try again (retryable: %s)', (retryable, expected) => {
		const unknown = facts({ endpoint: 'post.getAll', status: 503, code: 'odd_hour', retryable });
		expect(explain(unknown).next).toMatch(expected);
	});

	it.each(scoped)('[code forbidden] names the scope that %s needs', (endpoint) => {
		const { next } = explain(facts({ code: 'forbidden', status: 403, endpoint }));
		expect(next).toContain(`needs the scope "${ENDPOINTS[endpoint].scope}"`);
	});

	it('[code forbidden] names no scope where the document names none', () => {
		const { next } = explain(
			facts({ code: 'forbidden', status: 403, endpoint: 'socialAction.create' }),
		);
		expect(next).not.toContain('scope');
	});

	it('[code forbidden] speaks of the grant for a client, and only then', () => {
		const of = (agency: boolean) => explain(facts({ code: 'forbidden', status: 403, agency }));
		expect(of(true).what).toContain('for this client');
		expect(of(true).next).toContain('active grant');
		expect(of(false).next).not.toContain('grant');
	});

	it('[code forbidden] says that only agency keys list clients', () => {
		const { next } = explain(facts({ code: 'forbidden', status: 403, endpoint: 'client.getAll' }));
		expect(next).toContain('Only agency keys');
	});

	it.each(['post.startFastResponse', 'post.stopFastResponse'] as const)(
		'[code not_found] of %s speaks of the rollout, and not to repeat it',
		(endpoint) => {
			const { what, next } = explain(facts({ code: 'not_found', status: 404, endpoint }));
			expect(what).toContain('Fast Response is not enabled for this account');
			expect(next).toContain('repeating this does not help');
		},
	);
});

describe('answers that are none of the service', () => {
	it.each([
		[{ kind: 'unreachable', seen: 'connection refused' }, 'could not be reached (connection'],
		[{ kind: 'redirected', status: 307 }, 'redirect (HTTP 307), which is not followed'],
		[{ kind: 'unreadable', status: 200, seen: 'a web page (HTML)' }, 'a web page (HTML)'],
	] as const)('%p', (kind, message) => {
		const failure = facts({ ...kind, code: undefined, serviceMessage: undefined });
		expect(messageOf(failure)).toContain(message);
		expect(explain(failure).next).toContain('Base URL');
	});
});

it('says how to wait longer for a change under way only where the node has waited for it', () => {
	const next = (found?: string) =>
		explain(facts({ reason: 'mutation_in_progress', found, endpoint: 'post.startFastResponse' }))
			.next;
	expect(next()).not.toContain('Max Wait (Seconds)');
	expect(next('It had not settled when the waiting ended.')).toContain('Max Wait (Seconds)');
});

describe('a write of unknown fate', () => {
	it.each(endpointNames)('is not said to have been sent just once (%s)', (endpoint) => {
		for (const reason of [undefined, ...KNOWN_REASONS]) {
			const of = facts({ endpoint, reason, uncertain: true, keyed: false });
			expect([messageOf(of), explain(of).next].join(' ')).not.toMatch(
				/not sent again|no (second|other)|nothing was|only once/i,
			);
			expect(explain(of).next).not.toMatch(/^\s|\s$|\s{2}/);
		}
	});

	it('tells to look before it is repeated', () => {
		expect(explain(facts({ uncertain: true })).next).toContain('with Post > Get before you repeat');
		expect(explain(facts({ uncertain: true, keyed: true })).next).toContain('is safe');
	});

	it('is not called retryable', () => {
		const failure = new ApiFailure(facts({ uncertain: true, retryable: true }));
		expect(detailsOf(failure)).toMatchObject({ outcome: 'unknown', retryable: false });
	});
});

describe('the details of an item on the error output', () => {
	it("have the five fixed names, and the service's own beside them", () => {
		const failure = new ApiFailure(
			facts({
				reason: 'team_boost_spacing_conflict',
				serviceDetails: {
					reason: 'team_boost_spacing_conflict',
					spacing_minutes: 60,
					http_status: 'forged',
					request_id: 'forged',
				},
			}),
		);
		expect(detailsOf(failure)).toMatchObject({
			http_status: 409,
			code: 'conflict',
			reason: 'team_boost_spacing_conflict',
			request_id: 'req_abc',
			retryable: false,
			spacing_minutes: 60,
		});
	});

	it('have the same names for an input that was not sent', () => {
		const details = detailsOf(new InputError('What', 'Remedy', { parameter: 'text' }));
		expect(details).toEqual({
			http_status: null,
			code: 'invalid_input',
			reason: null,
			request_id: null,
			retryable: false,
			next: 'Remedy',
			parameter: 'text',
		});
	});

	it('say how long to wait', () => {
		const failure = new ApiFailure(facts({ status: 429, retryable: true, retryAfterMs: 1_200 }));
		expect(detailsOf(failure)).toMatchObject({ retry_after_seconds: 2 });
		expect(messageOf(failure.facts)).toContain('Retry after 2 s.');
	});
});

describe('an error of n8n', () => {
	it.each([
		[401, 'unauthorized', 'credential-invalid'],
		[429, 'rate_limited', 'rate-limited'],
		[400, 'bad_request', 'configuration-invalid'],
	])('of HTTP %i [code %s] names the cause %s', (status, code, cause) => {
		const error = toNodeError(NODE, new ApiFailure(facts({ status, code })), { itemIndex: 3 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({ failure: { cause }, httpCode: String(status) });
		expect(error.context.itemIndex).toBe(3);
	});

	it('of a passing trouble says so', () => {
		const failure = new ApiFailure(facts({ status: 503, retryable: true, retryAfterMs: 9 }));
		expect(toNodeError(NODE, failure)).toMatchObject({
			failure: { cause: 'temporarily-unavailable', retryAfterMs: 9 },
		});
	});

	it('keeps our words where n8n would put its own for a known status', () => {
		const error = toNodeError(NODE, new ApiFailure(facts({ status: 404, code: 'not_found' })));
		expect(error.message).toBe(
			'The service found nothing there: The words of the service. [req_abc]',
		);
		expect(error.description).not.toContain('req_abc');
	});

	it('keeps our words where n8n would put its own for a word of the service', () => {
		const failure = facts({ serviceMessage: 'Behind it: ECONNREFUSED, ETIMEDOUT' });
		const { message } = toNodeError(NODE, new ApiFailure(failure));
		expect(message).toBe(messageOf(failure));
	});

	it('of a bad input shows the remedy as its description', () => {
		const error = toNodeError(NODE, new InputError('What', 'Remedy'), { itemIndex: 1 });
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.description).toBe('Remedy');
	});

	it('says what it was where there was no answer, and names no item where none is meant', () => {
		const unreachable = facts({ kind: 'unreachable', status: undefined, code: undefined });
		const error = toNodeError(NODE, new ApiFailure(unreachable));
		expect(error).toMatchObject({ httpCode: 'unreachable' });
		expect(error.context.itemIndex).toBeUndefined();
		expect(error.description).toContain('Check the Base URL');
	});

	it('names throttling as its cause by number or code, with its time', () => {
		for (const more of [
			{ status: 429, code: 'odd' },
			{ status: 400, code: 'rate_limited' },
		]) {
			const error = toNodeError(NODE, new ApiFailure(facts({ ...more, retryAfterMs: 9 })));
			expect(error).toMatchObject({ failure: { cause: 'rate-limited', retryAfterMs: 9 } });
		}
	});

	it('keeps the item that it has, whichever is meant', () => {
		const original = new NodeOperationError(NODE, 'As it was', { itemIndex: 5 });
		toNodeError(NODE, original, { itemIndex: 2 });
		expect(original.context.itemIndex).toBe(5);
		const ofApi = new NodeApiError(NODE, { message: 'As it was' });
		expect(toNodeError(NODE, ofApi)).toBe(ofApi);
		expect(ofApi.context.itemIndex).toBeUndefined();
		const input = toNodeError(NODE, new InputError('What', 'Remedy'), { itemIndex: 4 });
		expect([input.message, input.context.itemIndex]).toEqual(['What', 4]);
		expect(toNodeError(NODE, new Error('oops'), { itemIndex: 4 }).context.itemIndex).toBe(4);
	});

	it('is passed through when it is one already, and learns the item', () => {
		const original = new NodeOperationError(NODE, 'As it was');
		expect(toNodeError(NODE, original, { itemIndex: 2 })).toBe(original);
		expect(original.context.itemIndex).toBe(2);
		expect(toNodeError(NODE, 'text').message).toBe('text');
		expect(toNodeError(NODE, new TypeError('oops')).message).toBe('oops');
	});
});

describe('the message', () => {
	const said = (more: Partial<FailureFacts>) =>
		messageOf(facts({ status: 418, code: 'teapot', ...more })).replace(/^.*?\(teapot\)/, '');

	it.each([
		['No', ': No. [req_abc]'],
		[' No', ': No. [req_abc]'],
		['One, two. ', ': One, two. [req_abc]'],
		['Why? ', ': Why? [req_abc]'],
		['Ha! No', ': Ha! No. [req_abc]'],
		[' ., ', '. [req_abc]'],
		['See req_abc', ': See req_abc.'],
	])('ends the words %p of the service once', (serviceMessage, expected) => {
		expect(said({ serviceMessage })).toBe(expected);
	});

	it.each<[string, Partial<FailureFacts>, string]>([
		['nothing more', {}, '.'],
		['a reason', { reason: 'odd' }, ' (odd).'],
		['what was found', { found: 'It is there.' }, '. It is there.'],
		['when to come again', { retryAfterMs: 1_001, retryable: true }, '. Retry after 2 s.'],
		['at once', { retryAfterMs: 0, retryable: true }, '. Retry after 0 s.'],
		['in an hour', { retryAfterMs: 3_600_000, retryable: true }, '. Retry after 3600 s.'],
		['not when to come, if that is of no use', { retryAfterMs: 1_001 }, '.'],
		[
			'not when to come, if the outcome is open',
			{ retryAfterMs: 1_001, retryable: true, uncertain: true },
			'. It is not known whether the post was updated.',
		],
		[
			'an open outcome of a read, which has none',
			{ uncertain: true, endpoint: 'post.get' },
			'. It is not known whether it was done.',
		],
	])('says %s', (_, more, expected) => {
		expect(said({ serviceMessage: undefined, requestId: undefined, ...more })).toBe(expected);
	});
});

describe('the details', () => {
	it('are these and no other, where nothing else is known', () => {
		const unreachable = facts({
			...{ kind: 'unreachable', status: undefined, code: undefined, requestId: undefined },
			retryable: true,
		});
		expect(detailsOf(new ApiFailure(unreachable))).toEqual({
			...{ http_status: null, code: 'unreachable', reason: null, request_id: null },
			...{ retryable: true, next: explain(unreachable).next },
		});
		expect(detailsOf(new Error('odd'))).toEqual({
			...{ http_status: null, code: 'n8n_error', reason: null },
			...{ request_id: null, retryable: false },
		});
	});

	it('name the key of an open outcome, and no other', () => {
		const keyed = { keyed: true, idempotencyKey: 'the-key', retryable: true };
		expect(detailsOf(new ApiFailure(facts({ ...keyed, uncertain: true })))).toMatchObject({
			...{ outcome: 'unknown', idempotency_key: 'the-key', retryable: false },
		});
		const certain = detailsOf(new ApiFailure(facts(keyed)));
		expect(certain).toMatchObject({ retryable: true });
		for (const name of ['outcome', 'idempotency_key', 'retry_after_seconds', 'not_before'])
			expect(certain).not.toHaveProperty(name);
		const unkeyed = detailsOf(new ApiFailure(facts({ uncertain: true })));
		expect(unkeyed).not.toHaveProperty('idempotency_key');
	});

	it('call retryable what the next attempt recognises', () => {
		const open = { uncertain: true, retryable: true };
		const isRetryable = (recognisable?: boolean) =>
			detailsOf(new ApiFailure(facts({ ...open, recognisable }))).retryable;
		expect([true, false, undefined].map(isRetryable)).toEqual([true, false, false]);
	});

	it('say to the second how long to wait', () => {
		const failure = new ApiFailure(facts({ retryAfterMs: 3_600_000 }));
		expect(detailsOf(failure)).toMatchObject({ retry_after_seconds: 3_600 });
	});

	it('say when the service is to be asked again', () => {
		const held = facts({ kind: 'notSent', notBefore: '2030-01-01T00:00:00.000Z' });
		expect(detailsOf(new ApiFailure(held))).toMatchObject({
			not_before: '2030-01-01T00:00:00.000Z',
		});
	});
});

it('failures say by themselves what they are', () => {
	expect(String(new ApiFailure(facts()))).toBe('ApiFailure: post.update: conflict');
	const unreachable = facts({ kind: 'unreachable', code: undefined });
	expect(String(new ApiFailure(unreachable))).toBe('ApiFailure: post.update: unreachable');
	expect(String(new InputError('What', 'Remedy'))).toBe('InputError: What');
});
