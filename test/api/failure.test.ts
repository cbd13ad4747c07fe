/** Who has said what a failure says, and what is added to it by those who have looked again. */
import {
	isNotFound,
	isSaidByService,
	withFindings,
	type FailureFacts,
} from '../../nodes/LeadGenPublishing/api/failure';
import { failure } from '../operations/itemScene';

it.each<[Partial<FailureFacts>, said: boolean, notFound: boolean]>([
	[{}, true, true],
	[{ status: 403 }, true, false],
	[{ problem: 'webPage' }, false, false],
	[{ kind: 'unreadable', problem: 'noEnvelope' }, false, false],
	[{ kind: 'redirected', status: 302 }, false, false],
])('%j: said by the service %p, not found %p', (facts, said, notFound) => {
	expect(isSaidByService(failure(404, facts).facts)).toBe(said);
	expect(isNotFound(failure(404, facts))).toBe(notFound);
});

it('keeps what the service said beside what was found', () => {
	const given = failure(502, { serviceDetails: { reason: 'x', field: 'a' }, requestId: '7' });
	const found = { found: 'The post exists.', uncertain: false };
	const { facts } = withFindings(given, { ...found, details: { field: 'b', post_id: '1' } });
	expect(facts).toEqual({
		...given.facts,
		...found,
		serviceDetails: { reason: 'x', field: 'b', post_id: '1' },
	});
	expect(withFindings(failure(502), found).facts.serviceDetails).toEqual({});
});
