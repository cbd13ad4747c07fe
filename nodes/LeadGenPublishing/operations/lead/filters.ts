/** The filters of *Lead → Get Many*. */
import { isRecord, type JsonRecord } from '../../api/schemas';
import { profileUrlsOf } from '../../api/wire';
import {
	hasEmail,
	hasIntent,
	intentOf,
	keywordOf,
	qualificationOf,
} from '../../records/shownFields';
import { createdAt } from '../../records/times';
import {
	searchFilter,
	switchFilter,
	timeFilter,
	wordFilter,
	type ListFilter,
} from '../filtering/listFilter';

type LeadFilter =
	'createdAfter' | 'hasEmail' | 'keyword' | 'onlyWithIntent' | 'qualificationStatus' | 'search';

const isDated = (lead: JsonRecord): boolean => createdAt(lead) !== undefined;

export const LEAD_FILTERS: Readonly<Record<LeadFilter, ListFilter>> = {
	createdAfter: timeFilter(
		'Return only leads that were created at this time or later. This requires leads with a creation time.',
		{
			of: createdAt,
			bound: { kind: 'from' },
			whatIsShown: 'when they were created ("created_at")',
			shows: isDated,
			isDoubtful: (lead) => !isDated(lead),
		},
	),
	hasEmail: {
		kind: 'asked',
		declared: {
			type: 'boolean',
			default: true,
			description: 'Whether to return only leads with an email address, or only those without one',
		},
		asks: 'has_email',
		read: (filters, name) => (filters.has(name) ? filters.flag(name) : undefined),
		contradicts: (lead, asked) => isRecord(lead.emails) && hasEmail(lead) !== asked,
	},
	keyword: wordFilter(
		{
			placeholder: 'e.g. guide',
			description: 'Return only leads with this latest keyword, ignoring case',
		},
		{ of: keywordOf, whatIsShown: 'a keyword ("latest_keyword")' },
	),
	onlyWithIntent: switchFilter('Whether to return only leads that show intent', {
		matches: hasIntent,
		whatIsShown: 'whether they have intent ("has_intent")',
		shows: (lead) => intentOf(lead) !== undefined,
	}),
	qualificationStatus: wordFilter(
		{
			placeholder: 'e.g. qualified',
			description: 'Return only leads with this status, ignoring case',
		},
		{ of: qualificationOf, whatIsShown: 'a qualification status ("qualification_status")' },
	),
	search: searchFilter(
		{
			placeholder: 'e.g. Ada',
			description:
				'Return only leads with this text in their name, an email address, the profile URL or the ID',
		},
		{ textsOf, whatIsShown: 'a name, an email address or a profile URL' },
	),
};

function textsOf(lead: JsonRecord): unknown[] {
	const { name, email, emails } = lead;
	const addresses = isRecord(emails) ? Object.values(emails) : [emails].flat();
	// A value that is not text is not searched, but counts as shown.
	return [name, email, emails, ...addresses, ...profileUrlsOf(lead)];
}
