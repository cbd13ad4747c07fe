/**
 * Conditions under which parameters are shown, in every n8n that is supported: n8n 1 and the first
 * versions of n8n 2 fail at `includes`, `startsWith` and `endsWith` where the value is missing, so
 * that nothing of the workflow runs.
 */
import type { INodeTypeDescription } from 'n8n-workflow';

import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';

/** Those that compare what is missing like anything else, in all versions. */
const SAFE = ['eq', 'not', 'gte', 'lte', 'gt', 'lt'];

function operatorsIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(operatorsIn);
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
		name === '_cnd' ? Object.keys(inner as object) : operatorsIn(inner),
	);
}

it.each<[string, Pick<INodeTypeDescription, 'properties'>]>([
	['the action node', new LeadGenPublishing().description],
	['the trigger', new LeadGenPublishingTrigger().description],
	['the credential', new LeadGenPublishingApi()],
])('of %s need no value', (_, { properties }) => {
	expect(operatorsIn(properties).filter((operator) => !SAFE.includes(operator))).toEqual([]);
});

it('are found wherever they stand', () => {
	const show = { a: [1, { _cnd: { includes: '' } }] };
	const nested = [{ options: [{ displayOptions: { show } }] }];
	expect(operatorsIn(nested)).toEqual(['includes']);
	expect(operatorsIn(new LeadGenPublishing().description.properties)).not.toEqual([]);
});
