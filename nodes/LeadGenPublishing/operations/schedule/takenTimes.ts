/**
 * What is scheduled in an account, from one reading of its list of posts. A list that may lack a post
 * is an error: a time that only seems free would be given twice.
 */
import { InputError, isNotFound, outcomeOf } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import type { BoundApi } from '../define';
import { instantOf } from '../storedValue';

/** Of all posts, drafts with a time included: somebody means to publish them then. */
export async function readTakenTimes(api: BoundApi): Promise<number[]> {
	const first = await api.list('post.getAll');
	const { isComplete, records } = first.isComplete ? first : await api.list('post.getAll');
	if (!isComplete) throw incompletePosts();
	const times: number[] = [];
	for (const listed of records) {
		const record = showsTime(listed) ? listed : await whole(api, listed);
		times.push(...timesOf(record));
	}
	return times;
}

/** A list may show a summary. What is published or a draft needs no time. */
const showsTime = ({ scheduled_at: time, status }: JsonRecord): boolean =>
	time !== undefined || status === 'draft' || status === 'published';

async function whole(api: BoundApi, listed: JsonRecord): Promise<JsonRecord> {
	const { id } = listed;
	if (typeof id !== 'string') return listed;
	const { value, failure } = await api.uncounted(
		async () => await outcomeOf(api.call('post.get', { params: { id } })),
	);
	if (failure === undefined) return value.data;
	if (isNotFound(failure)) return { status: 'draft' };
	throw failure;
}

function timesOf({ scheduled_at: due, published_at: published, status, id }: JsonRecord): number[] {
	const times = [due, published].map(instantOf).filter((time) => time !== undefined);
	if (times.length > 0 || status !== 'scheduled') return times;
	throw new InputError(
		`The service does not show when a scheduled post${typeof id === 'string' ? ` (${id})` : ''} is due, so it is not known what is free`,
		'Look at the post in the service, and give the times of this account by hand or with Schedule > Spread.',
		{ code: 'not_recognisable' },
	);
}

const incompletePosts = (): InputError =>
	new InputError(
		'The list of posts is incomplete: the service announced more than it gave, so it is not known what is free',
		'Run the node again later.',
		{ code: 'incomplete_list', retryable: true },
	);
