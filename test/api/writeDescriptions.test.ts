import { endpoint, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { writeDescriptionOf } from '../../nodes/LeadGenPublishing/api/writeDescriptions';

const writes = endpointNames.filter((name) => endpoint(name).method !== 'GET');

it.each([...writes, 'media.upload' as const])('%s is described in words of its own', (name) => {
	const { what, done } = writeDescriptionOf(name) ?? {};
	expect(what).toMatch(/^the /);
	expect(done).toMatch(/ (was|were) /);
	expect([what, done]).not.toContain('the change');
	expect(done).not.toMatch(/^the change/);
});

it.each(endpointNames.filter((name) => !writes.includes(name)))('%s changes nothing', (name) => {
	expect(writeDescriptionOf(name)).toBeUndefined();
});
