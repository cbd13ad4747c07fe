/** The filters of *Post → Get Many*. */
import type { JsonRecord } from '../../api/schemas';
import { isShownWhole } from '../../item/accountRecords';
import { statusOf } from '../../records/shownFields';
import { timeOf } from '../../records/times';
import { anyWordFilter, searchFilter, timeFilter, type ListFilter } from '../filtering/listFilter';

type PostFilter = 'scheduledAfter' | 'scheduledBefore' | 'search' | 'statuses';

const dueAt = (post: JsonRecord): number | undefined => timeOf(post.scheduled_at);

/** Both filters read the same field. */
const SCHEDULED = {
	of: dueAt,
	whatIsShown: 'when they are scheduled ("scheduled_at")',
	shows: (post: JsonRecord): boolean => post.scheduled_at === null || dueAt(post) !== undefined,
	// Drafts and published posts need no time.
	isDoubtful: (post: JsonRecord): boolean =>
		dueAt(post) === undefined && !['draft', 'published'].includes(String(post.status)),
} as const;

const STATUSES = ['draft', 'published', 'publishing', 'scheduled'];

export const POST_FILTERS: Readonly<Record<PostFilter, ListFilter>> = {
	scheduledAfter: timeFilter('Return only posts that are scheduled for this time or later', {
		of: SCHEDULED.of,
		bound: { kind: 'from' },
		whatIsShown: SCHEDULED.whatIsShown,
		shows: SCHEDULED.shows,
		isDoubtful: SCHEDULED.isDoubtful,
	}),
	scheduledBefore: timeFilter('Return only posts that are scheduled for a time before this one', {
		of: SCHEDULED.of,
		bound: { kind: 'before', start: 'scheduledAfter' },
		whatIsShown: SCHEDULED.whatIsShown,
		shows: SCHEDULED.shows,
		isDoubtful: SCHEDULED.isDoubtful,
	}),
	search: searchFilter(
		{
			placeholder: 'e.g. launch',
			description: 'Return only posts with this text in their text, their notes or their ID',
		},
		{
			textsOf: ({ text, notes }) => [text, notes],
			whatIsShown: 'their whole text ("text")',
			isDoubtful: (post) => !isShownWhole(post, 'text'),
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
