/**
 * Team Boost enforces a distance between the boosted posts of a workspace. After its rejection,
 * which contains the earliest possible time, the same post may be sent again with that time.
 */
import { withFindings, type ApiFailure } from '../../api/failure';
import { isReason } from '../../api/policy';
import type { JsonRecord } from '../../api/schemas';
import type { WriteCall } from '../../item/itemCall';
import { instantOf, wholeSecondFrom } from '../../records/storedValue';
import { shownTime } from '../../words/shownTime';

const MAX_MOVES = 2;

export class Spacing {
	private moves = 0;
	private time: unknown;

	constructor(
		/** The scheduled post, as far as it is known. */
		post: JsonRecord,
		/** Whether the user allows the node to move it. */
		private readonly mayMove: boolean,
	) {
		this.time = post.scheduled_at;
	}

	/** The body with the time that the service offers. Undefined if the post is not moved. */
	bodyAfter(failure: ApiFailure, body: JsonRecord): JsonRecord | undefined {
		if (!this.mayMove || this.moves === MAX_MOVES) return undefined;
		const later = laterTime(failure, this.time);
		if (later === undefined) return undefined;
		this.moves += 1;
		this.time = later;
		return { ...body, scheduled_at: later };
	}

	/** The failure that ends the item. */
	explained(failure: ApiFailure): ApiFailure {
		return withFindings(failure, { postNow: 'toBeScheduled' });
	}

	/** To be called when the post is sent. */
	sayMoved({ notice, timeZone }: Pick<WriteCall, 'notice' | 'timeZone'>): void {
		if (this.moves === 0) return;
		const label = shownTime(instantOf(this.time) ?? NaN, { timeZone });
		notice(`A post was rescheduled to ${label} to keep its distance from another boosted post.`, {
			group: {
				key: 'rescheduled',
				summary: '{count} posts were rescheduled to keep their distance from other boosted posts.',
				label: String(label),
			},
		});
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
