/**
 * Gives each input item the next free time of its account. The account's posts are read once per
 * account and run. Times that this execution has already given also count as taken.
 */
import { addFields } from '../../panel/output/record';
import { wallOf } from '../../parse/wallClock';
import type { JsonRecord } from '../../api/schemas';
import { defineOperation } from '../define';
import type { FreeTime, FreeTimesRequest } from '../../planning/slots/freeTimes';
import { clockText, dayName, weekTime } from '../../panel/fields/times/hours';
import { startOf } from '../../planning/slots/slotPlan';
import {
	nothingFree,
	readSlotPlan,
	slotPlanFields,
	slotPlanOptions,
} from '../../panel/fields/times/slotPlanFields';
import { takeFreeSlot } from '../freeSlot';
import { outputFieldOption, readOutputField } from './outputField';

export const nextFreeSlot = defineOperation({
	value: 'nextFreeSlot',
	action: 'Find next free slot',
	description: 'Give each item the next free time in the calendar of its account',
	keepsItem: true,
	endpoints: ['post.getAll'],
	fields: slotPlanFields,
	options: [outputFieldOption, ...slotPlanOptions],
	run: async (call) => {
		const { api, input, functions, itemIndex, shared, notice } = call;
		const outputField = readOutputField(input.collection('options'));
		const plan = readSlotPlan(input, { timeZone: functions.getTimezone(), notice });
		const found = await takeFreeSlot(call, {
			plan,
			start: startOf(plan, shared('now', api.now)),
			tries: 'startOver',
		});
		if (found === undefined) throw nothingFree(input);
		return {
			...addFields(functions.getInputData()[itemIndex]?.json ?? {}, reasons(found, plan.request)),
			[outputField]: new Date(found.time).toISOString(),
		};
	},
});

/** Explains the chosen time: its slot, and the taken time before it. */
function reasons({ within, after }: FreeTime, { plan, timeZone }: FreeTimesRequest): JsonRecord {
	const wall = wallOf(within.from, timeZone);
	const slot =
		'hours' in plan
			? `${dayName(wall)} ${clockText(plan.hours.from)}–${clockText(plan.hours.to)}`
			: weekTime(wall);
	return {
		slot: `${slot} ${timeZone}`,
		after: after === undefined ? null : new Date(after).toISOString(),
	};
}
