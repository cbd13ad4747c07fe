/**
 * Team Boost enforces a distance between the boosted posts of a workspace. After its rejection,
 * which contains the earliest possible time, the same post may be sent again with that time.
 */
import { type ApiFailure, outcomeOf, withFindings } from '../../api/failure';
import { isReason } from '../../api/policy';
import type { JsonRecord } from '../../api/schemas';
import { shownTime } from '../../words/shownTime';
import { readOnTeamBoostConflict } from '../../panel/fields/retrySafety';
import type { ItemCall } from '../../item/itemCall';
import { instantOf, wholeSecondFrom } from '../../records/storedValue';

const MAX_ATTEMPTS = 3;

/** `post` is the resulting post, as far as it is known. `body` is the part of it that is sent. */
export async function sendRescheduling(
	{ input, notice, functions }: ItemCall,
	{
		post,
		body,
		send,
	}: { post: JsonRecord; body: JsonRecord; send: (body: JsonRecord) => Promise<JsonRecord> },
): Promise<JsonRecord> {
	const isScheduled = post.status === 'scheduled';
	const mayMove =
		isScheduled && readOnTeamBoostConflict(input.collection('options')) === 'reschedule';
	let time = post.scheduled_at;
	for (let attempt = 1; ; attempt += 1) {
		const sent = attempt === 1 ? body : { ...body, scheduled_at: time };
		const { value: record, failure } = await outcomeOf(send(sent));
		if (failure === undefined) {
			if (attempt === 1) return record;
			const label = shownTime(instantOf(time) ?? NaN, { timeZone: functions.getTimezone() });
			notice(`A post was rescheduled to ${label} to keep its distance from another boosted post.`, {
				group: {
					key: 'rescheduled',
					summary:
						'{count} posts were rescheduled to keep their distance from other boosted posts.',
					label: String(label),
				},
			});
			return record;
		}
		const later = mayMove && attempt < MAX_ATTEMPTS ? laterTime(failure, time) : undefined;
		if (later === undefined)
			throw isScheduled ? withFindings(failure, { postNow: 'toBeScheduled' }) : failure;
		time = later;
	}
}

/** The time offered by the service, if it is later than the rejected one. */
function laterTime({ facts }: ApiFailure, refused: unknown): string | undefined {
	if (facts.uncertain || !isReason(facts, 'team_boost_spacing_conflict')) return undefined;
	const { serviceDetails = {} } = facts;
	const after = instantOf(refused) ?? -Infinity;
	for (const offered of [serviceDetails.earliest_scheduled_at, serviceDetails.blocked_until]) {
		const time = wholeSecondFrom(offered);
		if (time !== undefined && time > after) return new Date(time).toISOString();
	}
	return undefined;
}
