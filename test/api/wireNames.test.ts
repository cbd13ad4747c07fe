/** Names with the network's word, told from those that only look like it. */
import {
	documentedReason,
	networkWordOf,
	profileUrlField,
} from '../../nodes/LeadGenPublishing/api/wire';

describe('the word in front of a reason', () => {
	it.each(['x', 'a-b', 'x'.repeat(64)])('may be %s', (word) => {
		expect(documentedReason(`${word}_organization_stale`)).toBe('network_organization_stale');
	});

	it.each(['-pronet', 'pronet_', 'x'.repeat(65)])('is not %s', (word) => {
		const reason = `${word}_organization_stale`;
		expect(documentedReason(reason)).toBe(reason);
	});
});

describe("the network's word in a lead", () => {
	it.each([
		['a field with a long name', 'most_recent_engagement_at'],
		['the author of a post', 'post_author_profile_url'],
		['a person in two roles', 'previous_company_contact_profile_url'],
	])('is not taken from %s', (_, name) => {
		expect(networkWordOf([{ [name]: 'x', pronet_profile_url: 'y' }])).toBe('pronet');
		expect(networkWordOf([{ [name]: 'x' }])).toBeUndefined();
	});

	it('with a hyphen is looked for as it is, and only then with an underscore', () => {
		const underscored = { pro_net_profile_url: 'x' };
		expect(profileUrlField(underscored, 'pro-net')).toBe('pro_net_profile_url');
		const both = { ...underscored, 'pro-net_profile_url': 'y' };
		expect(profileUrlField(both, 'pro-net')).toBe('pro-net_profile_url');
	});
});
