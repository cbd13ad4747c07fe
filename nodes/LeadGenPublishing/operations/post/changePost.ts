/** Changes a post in the way that its status requires. */
import { InputError } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import {
	readEtag,
	readKey,
	readOnStaleVersion,
	readOnTeamBoostConflict,
	requireOverwriteAllowedByPerson,
} from '../../panel/fields/retrySafety';
import type { Values } from '../../panel/parameters/values';
import type { ItemCall } from '../../item/itemCall';
import { updateRecord } from '../updateRecord';
import { checkMedia, checkSchedule, warnAboutMedia, type PostBody } from './body';
import { updatePublished } from './published/update';
import { showingRefreshedText } from './published/watch';
import { sendRescheduling } from './reschedule';

export interface PostChange {
	readonly id: string;
	/** What is sent, including the notes as they are to be stored. */
	readonly post: PostBody;
	readonly status: unknown;
	/** The post as it was read, if it was. */
	readonly current?: JsonRecord;
	readonly options: Values;
	/** When to stop waiting, as a time of `api.now()`. */
	readonly deadline: number;
}

export async function changePost(call: ItemCall, change: PostChange): Promise<JsonRecord> {
	const { id, status, current } = change;
	if (status === 'publishing') throw isPublishing();
	const sending =
		status === 'published'
			? updatePublished({ ...change, call })
			: updateUnpublished(call, { ...change, current: current ?? { status } });
	return await showingRefreshedText(sending, { call, id });
}

export const isPublishing = (): InputError =>
	new InputError(
		'The post is being published right now and cannot be edited',
		'Wait until it is published, then run this again.',
		{ code: 'operation_unavailable', post_status: 'publishing' },
		'Nothing was sent',
	);

/** Checks the options before the post is read, although not every status uses them. */
export function checkChangeOptions(call: ItemCall, options: Values): void {
	readEtag(options);
	readKey(options, { stableKey: () => '', request: [] });
	if (readOnStaleVersion(options) !== 'fail')
		requireOverwriteAllowedByPerson(call.functions, options);
	readOnTeamBoostConflict(options);
}

/** Sends no idempotency key, because the service only accepts one for published posts. */
async function updateUnpublished(
	call: ItemCall,
	{ id, post, current }: Pick<PostChange, 'id' | 'post'> & { current: JsonRecord },
): Promise<JsonRecord> {
	const { body } = post;
	checkMedia(post, current);
	const timeMayBeStored = current.scheduled_at === undefined && current.status === 'scheduled';
	if (!timeMayBeStored || 'scheduled_at' in body) checkSchedule(post, call, current);
	warnAboutMedia(post, call, current);
	return await sendRescheduling(call, {
		post: { ...current, ...body },
		body,
		send: async (sent) => await updateRecord(call, { resource: 'post', id, body: sent }),
	});
}
