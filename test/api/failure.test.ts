/** Who has said what a failure says, and what is added to it by those who have looked again. */
import {
	ApiFailure,
	isNotFound,
	isSaidByService,
	withFindings,
	type FailureFacts,
} from '../../nodes/LeadGenPublishing/api/failure';

const failure = (facts: Partial<FailureFacts>): ApiFailure =>
	new ApiFailure({
		...{ kind: 'answered', endpoint: 'post.update', agency: false, status: 404 },
		...{ retryable: false, attempts: 1, uncertain: true, ...facts },
	});

it.each<[Partial<FailureFacts>, said: boolean, notFound: boolean]>([
	[{}, true, true],
	[{ status: 403 }, true, false],
	[{ problem: 'webPage' }, false, false],
	[{ kind: 'unreadable', problem: 'noEnvelope' }, false, false],
	[{ kind: 'redirected', status: 302 }, false, false],
])('%j: said by the service %p, not found %p', (facts, said, notFound) => {
	expect(isSaidByService(failure(facts).facts)).toBe(said);
	expect(isNotFound(failure(facts))).toBe(notFound);
});

it('keeps what the service said beside what was found', () => {
	const given = failure({ serviceDetails: { reason: 'x', field: 'a' }, requestId: '7' });
	const found = { found: 'The post exists.', uncertain: false };
	const { facts } = withFindings(given, { ...found, details: { field: 'b', post_id: '1' } });
	expect(facts).toEqual({
		...given.facts,
		...found,
		serviceDetails: { reason: 'x', field: 'b', post_id: '1' },
	});
	expect(withFindings(failure({}), found).facts.serviceDetails).toEqual({});
});
