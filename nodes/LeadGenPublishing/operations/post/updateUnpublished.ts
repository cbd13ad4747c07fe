import type { JsonRecord } from '../../api/schemas';
import { readOnTeamBoostConflict } from '../../fields/retrySafety';
import type { Values } from '../../parameters/values';
import type { ItemCall } from '../define';
import { updateRecord } from '../updateRecord';
import { checkMedia, checkSchedule, warnAboutMissingDocument, type PostBody } from './body';
import { sendRescheduling } from './reschedule';

/** Without a key: the service takes one only for published posts. */
export async function updateUnpublished(
	call: ItemCall,
	{
		id,
		post,
		current,
		options,
	}: { id: string; post: PostBody; current: JsonRecord; options: Values },
): Promise<JsonRecord> {
	const { api, notice } = call;
	const { body } = post;
	checkMedia(post, current);
	const timeMayBeStored = current.scheduled_at === undefined && current.status === 'scheduled';
	if (!timeMayBeStored || 'scheduled_at' in body)
		checkSchedule(post, {
			now: api.now(),
			current,
			notice,
			timeZone: call.functions.getTimezone(),
		});
	warnAboutMissingDocument(post, { current, notice });
	const status = body.status ?? current.status;
	return await sendRescheduling(body, {
		isScheduled: status === 'scheduled',
		mayReschedule: readOnTeamBoostConflict(options) === 'reschedule',
		scheduledAt: body.scheduled_at ?? current.scheduled_at,
		notice,
		send: async (sent) => await updateRecord(call, { resource: 'post', id, body: sent }),
	});
}
