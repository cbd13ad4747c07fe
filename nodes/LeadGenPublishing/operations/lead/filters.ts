/** The filters of *Lead → Get Many*. */
import { isRecord, type JsonRecord } from '../../api/schemas';
import { profileUrlsOf } from '../../api/wire';
import {
	hasEmail,
	intentOf,
	keywordOf,
	qualificationOf,
	showsEmails,
} from '../../records/shownFields';
import { createdAt } from '../../records/times';
import {
	eitherFilter,
	searchFilter,
	switchFilter,
	timeFilter,
	wordFilter,
	type ListFilter,
} from '../../panel/filtering/listFilter';

type LeadFilter =
	'createdAfter' | 'hasEmail' | 'keyword' | 'onlyWithIntent' | 'qualificationStatus' | 'search';

export const LEAD_FILTERS: Readonly<Record<LeadFilter, ListFilter>> = {
	createdAfter: timeFilter(
		'Return only leads that were created at this time or later. This works only if leads show when they were created.',
		{
			of: (lead) => createdAt(lead) ?? (lead.created_at === null ? null : undefined),
			whatIsShown: 'when it was created ("created_at")',
			bound: { kind: 'from' },
		},
	),
	hasEmail: eitherFilter(
		'Whether to return only leads with an email address, or only those without one',
		{
			asks: 'has_email',
			of: (lead) => (showsEmails(lead) ? hasEmail(lead) : undefined),
			whatIsShown: 'an email address ("emails")',
		},
	),
	keyword: wordFilter(
		{
			placeholder: 'e.g. guide',
			description: 'Return only leads with this latest keyword, ignoring case',
		},
		{ of: keywordOf, whatIsShown: 'a keyword ("latest_keyword")' },
	),
	onlyWithIntent: switchFilter('Whether to return only leads that show intent', {
		of: intentOf,
		whatIsShown: 'whether it has intent ("has_intent")',
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
				'Return only leads whose name, email address, profile URL or ID contains this text',
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
