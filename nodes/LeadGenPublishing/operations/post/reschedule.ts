/**
 * Team Boost enforces a distance between the boosted posts of a workspace. Its refusal is certain and
 * contains the earliest possible time, so the same post may be sent again with that time.
 */
import { ApiFailure, outcomeOf } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import type { ItemCall } from '../define';

const MAX_ATTEMPTS = 3;

export async function sendRescheduling(
	body: JsonRecord,
	{
		isScheduled,
		mayReschedule,
		scheduledAt,
		notice,
		send,
	}: {
		/** Whether the post is, or becomes, a scheduled one. */
		isScheduled: boolean;
		mayReschedule: boolean;
		/** The time for which the post is scheduled, if known. */
		scheduledAt: unknown;
		notice: ItemCall['notice'];
		send: (body: JsonRecord) => Promise<JsonRecord>;
	},
): Promise<JsonRecord> {
	let sent = body;
	let time = scheduledAt;
	for (let attempt = 1; ; attempt += 1) {
		const { value: record, failure } = await outcomeOf(send(sent));
		if (failure === undefined) {
			if (attempt > 1)
				notice(
					`A post was rescheduled to ${String(time)}, to keep apart from another boosted post`,
					{
						group: {
							key: 'rescheduled',
							summary: '{count} posts were rescheduled, to keep apart from other boosted posts',
							label: String(time),
						},
					},
				);
			return record;
		}
		const mayMove = isScheduled && mayReschedule && attempt < MAX_ATTEMPTS;
		const later = mayMove ? laterTime(failure, time) : undefined;
		if (later === undefined)
			throw isScheduled ? new ApiFailure({ ...failure.facts, scheduled: true }) : failure;
		time = later;
		sent = { ...body, scheduled_at: later };
	}
}

/** The time offered by the service, if it is later than the refused one. */
function laterTime({ facts }: ApiFailure, refused: unknown): string | undefined {
	if (facts.uncertain) return undefined;
	const { reason, serviceDetails = {} } = facts;
	if (reason !== 'team_boost_spacing_conflict') return undefined;
	const after = typeof refused === 'string' ? Date.parse(refused) : -Infinity;
	for (const offered of [serviceDetails.earliest_scheduled_at, serviceDetails.blocked_until]) {
		const time = typeof offered === 'string' ? Date.parse(offered) : Number.NaN;
		if (time > after) return new Date(time).toISOString();
	}
	return undefined;
}
