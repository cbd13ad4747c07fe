import { hasEmailFilter, hasEmailQuery } from '../../fields/filters';
import { listing } from '../listing';
import { hasAnyEmail, simplifyLead } from './simplify';

export const getAll = listing({
	endpoint: 'lead.getAll',
	action: 'Get many leads',
	description: 'Get the leads that posts and lead magnets have brought in',
	filters: [hasEmailFilter],
	query: hasEmailQuery,
	simplify: { what: 'flat fields that fit a CRM', record: simplifyLead },
	hint: (leads) => {
		const without = leads.filter((lead) => !hasAnyEmail(lead)).length;
		return without === 0
			? undefined
			: `${leads.length} leads read, ${without} without any email address`;
	},
});
