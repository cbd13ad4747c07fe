/** The filters of *Lead Magnet → Get Many*. */
import { keywordOf } from '../../records/shownFields';
import { searchFilter, wordFilter, type ListFilter } from '../../panel/filtering/listFilter';

export const LEAD_MAGNET_FILTERS: Readonly<Record<'keyword' | 'search', ListFilter>> = {
	keyword: wordFilter(
		{
			placeholder: 'e.g. guide',
			description: 'Return only lead magnets with this keyword, ignoring case',
		},
		{ of: keywordOf, whatIsShown: 'a keyword ("keyword")' },
	),
	search: searchFilter(
		{
			placeholder: 'e.g. playbook',
			description:
				'Return only lead magnets whose resource name, keyword, description, resource link or ID contains this text',
		},
		{
			textsOf: (magnet) => [
				magnet.resource_name,
				magnet.keyword,
				magnet.description,
				magnet.resource_link,
			],
			whatIsShown: 'a name, a keyword, a description or a link',
		},
	),
};
