import { isProfileUrlDoubtful, PROFILE_URL } from '../../api/wire';
import { hasEmailFilter, hasEmailQuery } from '../../fields/filters';
import { listing } from '../listing';
import { hasAnyEmail, LEAD } from './simplify';

export const getAllLeads = listing({
	endpoint: 'lead.getAll',
	what: 'leads',
	description: 'Retrieve a list of leads',
	filters: [hasEmailFilter],
	query: hasEmailQuery,
	simplification: LEAD,
	hint: {
		counts: (leads, { filters, simplified, networkWord }) => ({
			// No hint for users who filter by it: they know.
			withoutEmail: filters.has('hasEmail') ? 0 : leads.filter((lead) => !hasAnyEmail(lead)).length,
			doubtful: simplified
				? leads.filter((lead) => isProfileUrlDoubtful(lead, networkWord)).length
				: 0,
		}),
		say: ({ read = 0, withoutEmail = 0, doubtful = 0 }) => [
			...(withoutEmail === 0
				? []
				: [
						`Leads read: ${formatCount(read)}. Without any email address: ${formatCount(withoutEmail)}.`,
					]),
			...(doubtful === 0
				? []
				: [
						`Leads that show more than one profile URL, so that none could be taken as "${PROFILE_URL}": ${formatCount(doubtful)}. In the credential, turn on Set Words by Hand and enter the Network Word.`,
					]),
		],
	},
});

/** `1234` → "1,234". */
const formatCount = (count: number): string => count.toLocaleString('en-US');
