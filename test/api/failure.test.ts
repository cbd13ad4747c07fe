/** Who has said what a failure says, and what is added to it by those who have looked again. */
import { withFindings } from '../../nodes/LeadGenPublishing/api/failure';
import { isNotFound, isSaidByService } from '../../nodes/LeadGenPublishing/api/policy';
import { failure } from '../operations/itemScene';
import type { SomeFacts } from '../support/facts';

it.each<[SomeFacts, said: boolean, notFound: boolean]>([
	[{}, true, true],
	[{ status: 403 }, true, false],
	[{ problem: 'webPage' }, false, false],
	[{ kind: 'unreadable', problem: 'noEnvelope' }, false, false],
	[{ kind: 'redirected', status: 302 }, false, false],
])('%j: said by the service %p, not found %p', (facts, said, notFound) => {
	expect(isSaidByService(failure(404, facts).facts)).toBe(said);
	expect(isNotFound(failure(404, facts))).toBe(notFound);
});

it('keeps what was found before, and does not touch what the service said', () => {
	const given = failure(502, {
		serviceDetails: { reason: 'x' },
		details: { field: 'a', other: 1 },
	});
	const found = { found: [{ kind: 'postGone' }], uncertain: false } as const;
	const { facts } = withFindings(given, { ...found, details: { field: 'b', post_id: '1' } });
	const details = { field: 'b', other: 1, post_id: '1' };
	expect(facts).toEqual({ ...given.facts, ...found, details });
	expect(withFindings(given, found).facts.details).toEqual(given.facts.details);
});
