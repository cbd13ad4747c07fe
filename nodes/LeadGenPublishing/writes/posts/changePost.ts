/**
 * Changes a post in the way that its status requires.
 *
 *     publishing         ──▶ an error: nothing is sent
 *     published          ──▶ published/update.ts: text under the service's guard, other fields with a key
 *     draft or scheduled ──▶ send ──too close to another boosted post──▶ send with a later time
 *                              └──response lost──▶ a read decides
 */
import { InputError } from '../../words/inputError';
import { outcomeOf } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import type { WriteCall } from '../../item/itemCall';
import { postStatus } from '../../records/postStatus';
import type { RequestBody } from '../../panel/parameters/requestBody';
import { confirmUpdate } from '../updateRecord';
import type { ChangeSettings } from './changeSettings';
import { checkMedia, checkSchedule, warnAboutMedia } from './checks';
import { withStatusNow } from './published/meanwhile';
import { updatePublished } from './published/update';
import { withRefreshedText } from './published/watch';
import { Spacing } from './spacing';

export interface PostChange {
	readonly id: string;
	/** What is sent, including the notes as they are to be stored. */
	readonly post: RequestBody;
	readonly status: unknown;
	/** The post as it was read, if it was. */
	readonly current?: JsonRecord;
	readonly settings: ChangeSettings;
	/** When to stop waiting, as a time of `api.now()`. */
	readonly deadline: number;
}

export async function changePost(call: WriteCall, change: PostChange): Promise<JsonRecord> {
	const { id, status, current } = change;
	if (status === 'publishing') throw isPublishing();
	try {
		return status === 'published'
			? await updatePublished({ ...change, call })
			: await updateUnpublished(call, { ...change, current: current ?? { status } });
	} catch (error) {
		const refreshed = await withRefreshedText({ call, id }, error);
		if (status === 'published' || current === undefined) throw refreshed;
		throw await withStatusNow({ call, id }, refreshed);
	}
}

export const isPublishing = (): InputError =>
	new InputError(
		'The post is being published right now and cannot be edited',
		'Wait until it is published, then run this again.',
		{ code: 'operation_unavailable', post_status: 'publishing' },
		'Nothing was sent',
	);

/** Sends no idempotency key, because the service only accepts one for published posts. */
async function updateUnpublished(
	call: WriteCall,
	{
		id,
		post,
		current,
		settings,
	}: Pick<PostChange, 'id' | 'post' | 'settings'> & { current: JsonRecord },
): Promise<JsonRecord> {
	checkMedia(post, current);
	const timeMayBeStored =
		current.scheduled_at === undefined && postStatus(current.status) === 'scheduled';
	if (!timeMayBeStored || 'scheduled_at' in post.body) checkSchedule(post, call, current);
	warnAboutMedia(post, call, current);
	const changed = { ...current, ...post.body };
	const spacing =
		postStatus(changed.status) === 'scheduled' ? new Spacing(changed, settings.mayMove) : undefined;
	let { body } = post;
	for (;;) {
		const { value, failure } = await outcomeOf(
			call.api.call('post.update', { params: { id }, body }),
		);
		if (failure === undefined) {
			spacing?.sayMoved(call);
			return { id, ...value.data };
		}
		const moved = spacing?.bodyAfter(failure, body);
		if (moved === undefined) {
			const explained = spacing?.explained(failure) ?? failure;
			if (!failure.facts.uncertain) throw explained;
			const record = await confirmUpdate(call, { resource: 'post', id, body, failure: explained });
			spacing?.sayMoved(call);
			return record;
		}
		body = moved;
	}
}
