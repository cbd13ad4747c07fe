/**
 * All posts of an account, where one that is overlooked would be an error: a time that only seems
 * free, or a text that only seems new.
 */
import { InputError, isNotFound, outcomeOf } from '../api/failure';
import type { JsonRecord } from '../api/schemas';
import type { BoundApi } from './define';

/** A list may show summaries: those that do not show what is looked for are read one by one. */
export async function readAccountPosts(
	api: BoundApi,
	shows: (post: JsonRecord) => boolean,
): Promise<JsonRecord[]> {
	const first = await api.list('post.getAll');
	const { isComplete, records } = first.isComplete ? first : await api.list('post.getAll');
	if (!isComplete) {
		throw new InputError(
			'The list of posts is incomplete: the service announced more than it gave, so it is not known what is scheduled in the account. Nothing was sent',
			'Run the node again later.',
			{ code: 'incomplete_list', retryable: true },
		);
	}
	const posts: JsonRecord[] = [];
	for (const listed of records) {
		const post = shows(listed) ? listed : await whole(api, listed);
		if (post !== undefined) posts.push(post);
	}
	return posts;
}

/** Undefined if it is gone. */
async function whole(api: BoundApi, listed: JsonRecord): Promise<JsonRecord | undefined> {
	const { id } = listed;
	if (typeof id !== 'string') return listed;
	// There may be any number of posts to read.
	const { value, failure } = await api.uncounted(
		async () => await outcomeOf(api.call('post.get', { params: { id } })),
	);
	if (failure === undefined) return value.data;
	if (isNotFound(failure)) return undefined;
	throw failure;
}
