/** The filters of *Activity → Get Many*. */
import { PROFILE_URL } from '../../api/wire';
import type { JsonRecord } from '../../api/schemas';
import { isRecord } from '../../api/schemas';
import { keywordOf, statusOf } from '../../records/shownFields';
import { searchFilter, wordFilter, type ListFilter } from '../../panel/filtering/listFilter';

export const ACTIVITY_FILTERS: Readonly<
	Record<'keyword' | 'search' | 'source' | 'status', ListFilter>
> = {
	keyword: wordFilter(
		{
			placeholder: 'e.g. guide',
			description: 'Return only activity with this keyword, ignoring case',
		},
		{ of: keywordOf, whatIsShown: 'a keyword ("keyword")' },
	),
	search: searchFilter(
		{
			placeholder: 'e.g. Ada',
			description:
				'Return only activity that contains this text in the author name, profile URL, content or an ID',
		},
		{ textsOf, whatIsShown: 'a name, profile URL or content ("author_name", "content")' },
	),
	source: wordFilter(
		{
			placeholder: 'e.g. comment',
			description:
				'Where the activity came from. The service does not document the allowed values; "comment" is one.',
		},
		{ asks: 'source', of: ({ source }) => source, whatIsShown: 'where it came from ("source")' },
	),
	status: wordFilter(
		{
			placeholder: 'e.g. matched',
			description: 'Return only activity with this status, ignoring case',
		},
		{ of: statusOf, whatIsShown: 'a status ("status")' },
	),
};

function textsOf(activity: JsonRecord): unknown[] {
	const { author_name: author, content, metadata } = activity;
	const ofProfiles = Object.keys(activity).filter((name) => name.endsWith(PROFILE_URL));
	const ids = isRecord(metadata)
		? Object.entries(metadata).filter(([name]) => name.endsWith('_id'))
		: [];
	return [author, content, ...ofProfiles.map((name) => activity[name]), ...ids.map(([, id]) => id)];
}
