import { isProfileUrlDoubtful, PROFILE_URL } from '../../api/wire';
import { hasEmail } from '../../records/shownFields';
import { formatCount } from '../../panel/filtering/filtersOfItem';
import { listing } from '../listing';
import { LEAD_FILTERS } from './filters';
import { LEAD } from './simplify';

export const getAllLeads = listing({
	endpoint: 'lead.getAll',
	what: 'leads',
	description: 'Retrieve a list of leads',
	filters: LEAD_FILTERS,
	simplification: LEAD,
	hint: {
		counts: (leads, { filters, simplified, networkWord }) => ({
			// Users who filter by it need no hint.
			withoutEmail: filters.has('hasEmail') ? 0 : leads.filter((lead) => !hasEmail(lead)).length,
			doubtful: simplified
				? leads.filter((lead) => isProfileUrlDoubtful(lead, networkWord)).length
				: 0,
		}),
		say: ({ returned = 0, withoutEmail = 0, doubtful = 0 }) => [
			...(withoutEmail === 0
				? []
				: [
						`${formatCount(withoutEmail)} of ${formatCount(returned)} leads ${withoutEmail === 1 ? 'has' : 'have'} no email address.`,
					]),
			...(doubtful === 0
				? []
				: [
						`${doubtful === 1 ? '1 lead has' : `${formatCount(doubtful)} leads have`} more than one profile URL, so the node could not choose one as "${PROFILE_URL}". In the credential, turn on Enter Vendor Words Manually and enter the Network Word.`,
					]),
		],
	},
});
