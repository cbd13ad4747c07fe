/** What became of a request, and what was found out about it later. */
import {
	ApiFailure,
	type FailureFacts,
	isNotFound,
	outcomeOf,
	withFindings,
} from '../../nodes/LeadGenPublishing/api/failure';
import { notSentAgain } from '../../nodes/LeadGenPublishing/api/errors';

const facts = (more: Partial<FailureFacts> = {}): FailureFacts => ({
	...{ kind: 'answered', endpoint: 'post.create', agency: false, status: 502, attempts: 1 },
	...{ code: 'upstream_error', retryable: true, uncertain: true },
	...more,
});

it('is a value or a failure of the service; all else is thrown', async () => {
	expect(await outcomeOf(Promise.resolve(7))).toEqual({ value: 7 });
	const failure = new ApiFailure(facts());
	expect(await outcomeOf(Promise.reject(failure))).toEqual({ failure });
	const fault = new Error('odd');
	await expect(outcomeOf(Promise.reject(fault))).rejects.toBe(fault);
});

it('tells what was not found', () => {
	const isMissing = (status: number) => isNotFound(new ApiFailure(facts({ status })));
	expect([404, 403, 405].map(isMissing)).toEqual([true, false, false]);
	const ofProxy = [{ seen: 'a web page (HTML)' }, { kind: 'unreadable' }] as const;
	for (const more of ofProxy)
		expect(isNotFound(new ApiFailure(facts({ status: 404, ...more })))).toBe(false);
});

it('adds what was found, without taking anything away', () => {
	const given = facts({ serviceDetails: { reason: 'x', more: 1 }, found: 'Before.' });
	const found = withFindings(new ApiFailure(given), {
		...{ found: 'It is there.', uncertain: false, details: { more: 2, text: 'a' } },
	});
	expect(found.facts).toEqual({
		...given,
		...{ found: 'It is there.', uncertain: false },
		serviceDetails: { reason: 'x', more: 2, text: 'a' },
	});
	expect(withFindings(new ApiFailure(facts()), { found: 'a' }).facts.serviceDetails).toEqual({});
});

describe('an item that is not sent again', () => {
	it('says what is known of the attempt before', () => {
		const error = notSentAgain(facts({ requestId: 'req_1', reason: 'odd', serviceMessage: 'No' }));
		expect(error.message).toMatch(/was not sent again\. The network behind .*: No\./);
		expect(error.remedy).toMatch(/^Look for it with Post > Get Many\. If it was not done, start/);
		expect(error.details).toEqual({
			...{ code: 'outcome_unknown', outcome: 'unknown' },
			...{ http_status: 502, reason: 'odd', request_id: 'req_1' },
		});
	});

	it('says less where less is known', () => {
		const error = notSentAgain(undefined);
		expect(error.message).toMatch(/so it was not sent again\.$/);
		expect(error.remedy).toMatch(/^Check with a Get or Get Many whether it exists\. If it/);
		expect(error.details).toMatchObject({ http_status: null, reason: null, request_id: null });
		const unreachable = facts({ kind: 'unreachable', status: undefined });
		expect(notSentAgain(unreachable, 'Do this.')).toMatchObject({
			...{ remedy: 'Do this.', details: { http_status: null, reason: null, request_id: null } },
		});
		// Where nothing shows it, it says so.
		const harmless = facts({ endpoint: 'media.createUploadUrl' });
		expect(notSentAgain(harmless).remedy).toMatch(/^Check with a Get or Get Many/);
	});
});
