/**
 * All records of an account, where one that is overlooked would be an error: a time that only seems
 * free, a text that only seems new, a post that is sent a second time.
 */
import { InputError, isNotFound, outcomeOf } from '../api/failure';
import type { JsonRecord } from '../api/schemas';
import type { BoundApi } from './define';

type Listed = 'post' | 'leadMagnet';

/** A list that is incomplete is read twice, in case it is complete then. */
export async function readAll(
	api: BoundApi,
	resource: Listed,
): Promise<{ readonly records: readonly JsonRecord[]; readonly isComplete: boolean }> {
	const first = await api.list(`${resource}.getAll`);
	if (first.isComplete) return first;
	const { isComplete, records } = await api.list(`${resource}.getAll`);
	const both = [...first.records, ...records].map(
		(record) => [record.id ?? record, record] as const,
	);
	return { isComplete, records: [...new Map(both).values()] };
}

/** As it is now; undefined if it is gone. There may be any number of records to read. */
export async function readOne(
	api: BoundApi,
	resource: Listed,
	id: string,
): Promise<JsonRecord | undefined> {
	const { value, failure } = await api.uncounted(
		async () => await outcomeOf(api.call(`${resource}.get`, { params: { id } })),
	);
	if (failure === undefined) return value.data;
	if (isNotFound(failure)) return undefined;
	throw failure;
}

/** `what` is a plural. */
export const incompleteList = (what: string, remedy = UNSEEN): InputError =>
	new InputError(
		`The list of ${what} is incomplete: the service announced more than it gave`,
		remedy,
		{ code: 'incomplete_list', retryable: true },
	);

const UNSEEN = 'One may exist without being seen, so nothing was sent. Run the node again later.';

/** A list may show summaries: those that do not show what is looked for are read one by one. */
export async function readAccountPosts(
	api: BoundApi,
	shows: (post: JsonRecord) => boolean,
): Promise<JsonRecord[]> {
	const { isComplete, records } = await readAll(api, 'post');
	if (!isComplete) throw incompleteList('posts');
	const posts: JsonRecord[] = [];
	for (const listed of records) {
		const { id } = listed;
		const isEnough = shows(listed) || typeof id !== 'string';
		const post = isEnough ? listed : await readOne(api, 'post', id);
		if (post !== undefined) posts.push(post);
	}
	return posts;
}
