/** Which times a post of the account takes. Pure. */
import { timeNotShown } from '../../words/slotWords';
import type { JsonRecord } from '../../api/schemas';
import { isBlank } from '../../parse/jsonValues';
import { postStatus } from '../../records/postStatus';
import { instantOf } from '../../records/storedValue';

/**
 * Whether a post shows its time. Published posts and drafts need none. A scheduled post must have one,
 * so null or an empty text only says that the list does not show it.
 */
export function showsTime({ scheduled_at: time, status: shown }: JsonRecord): boolean {
	const status = postStatus(shown);
	if (status === 'scheduled') return !isBlank(time);
	return time !== undefined || status === 'draft' || status === 'published';
}

/** Drafts with a time count, because someone plans to publish them then. */
export function takenTimesOf(post: JsonRecord): number[] {
	const { scheduled_at: due, published_at: published } = post;
	const status = postStatus(post.status);
	const times = [due, published].map(instantOf).filter((time) => time !== undefined);
	if (times.length > 0) return times;
	if (!isBlank(due) && status !== 'published') throw timeNotShown(post, 'unreadable');
	if (status === 'scheduled') throw timeNotShown(post, 'hidden');
	return [];
}
