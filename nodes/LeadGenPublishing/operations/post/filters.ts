/** The filters of *Post → Get Many*. */
import type { JsonRecord } from '../../api/schemas';
import { statusOf } from '../../records/shownFields';
import { timeOf } from '../../records/times';
import {
	anyWordFilter,
	searchFilter,
	timeFilter,
	type ListFilter,
} from '../../panel/filtering/listFilter';

type PostFilter = 'scheduledAfter' | 'scheduledBefore' | 'search' | 'statuses';

/** Null if the post shows that it is not scheduled. */
const dueAt = ({ scheduled_at: due }: JsonRecord): number | null | undefined =>
	due === null ? null : timeOf(due);

/** Both filters read the same field. */
const SCHEDULED = { of: dueAt, whatIsShown: 'when it is scheduled ("scheduled_at")' } as const;

const STATUSES = ['draft', 'published', 'publishing', 'scheduled'];

export const POST_FILTERS: Readonly<Record<PostFilter, ListFilter>> = {
	scheduledAfter: timeFilter('Return only posts that are scheduled for this time or later', {
		...SCHEDULED,
		bound: { kind: 'from' },
	}),
	scheduledBefore: timeFilter('Return only posts that are scheduled for a time before this one', {
		...SCHEDULED,
		bound: { kind: 'before', start: 'scheduledAfter' },
	}),
	search: searchFilter(
		{
			placeholder: 'e.g. launch',
			description: 'Return only posts whose text, notes or ID contain this text',
		},
		{
			textsOf: ({ text, notes }) => [text, notes],
			whatIsShown: 'a text ("text")',
		},
	),
	statuses: anyWordFilter(
		{
			words: STATUSES,
			description:
				'Return only posts with one of these statuses. If none is chosen, any status counts.',
		},
		{ of: statusOf, whatIsShown: 'a status ("status")' },
	),
};
