/** Which times a post of the account takes. Pure. */
import { InputError } from '../../words/inputError';
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
	if (!isBlank(due) && status !== 'published')
		throw notTold(post, 'does not show in a readable form when a post');
	if (status === 'scheduled') throw notTold(post, 'does not show when a scheduled post');
	return [];
}

const notTold = ({ id }: JsonRecord, what: string): InputError =>
	new InputError(
		`The service ${what}${typeof id === 'string' ? ` (${id})` : ''} is due, so the node cannot tell which times are free`,
		'Check the post in the service. Set the times of this account by hand or with Schedule > Spread.',
		{ code: 'not_recognisable' },
	);
