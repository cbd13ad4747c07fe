/** Free times for items that may begin at different moments, in any order. */
import { FreeTimes, TakenTimes } from '../../nodes/LeadGenPublishing/planning/slots/freeTimes';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Tuesday. */
const START = Date.UTC(2030, 0, 1);

const PLANS = {
	slots: { slots: [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, minutes: 9 * 60 })) },
	hours: {
		hours: { days: new Set([0, 1, 2, 3, 4, 5, 6]), from: 9 * 60, to: 10 * 60, timeZone: 'UTC' },
	},
};

it.each(['slots', 'hours'] as const)(
	'an item that may begin earlier than the one before gets the earlier time: %s',
	(kind) => {
		const plan = PLANS[kind];
		const request = { timeZone: 'UTC', plan, gapMs: HOUR, randomMs: 0, random: () => 0 };
		const times = new FreeTimes(request, new TakenTimes([]));
		const dayOf = (start: number) => times.next(START + start * DAY)?.time;
		const nine = (day: number): number => START + day * DAY + 9 * HOUR;
		expect([0, 5, 1, 5, 1].map(dayOf)).toEqual([0, 5, 1, 6, 2].map(nine));
	},
);
