import type { MomentContext } from '../../panel/fields/moment';
import { numberParameter, parameter } from '../../panel/fields/parameter';
import type { Values } from '../../panel/parameters/values';
import { defineOperation } from '../define';
import {
	readWorkingHours,
	timeZoneField,
	workingHoursFields,
} from '../../panel/fields/times/hours';
import {
	MINUTE,
	readMinutesOr,
	readRandom,
	readStart,
	seedOption,
} from '../../panel/fields/times/options';
import { outputFieldOption, readOutputField } from './outputField';
import { spreadTimes } from '../../planning/pacing/spreadTimes';

const DEFAULT_GAP = 5;

export const spread = defineOperation({
	value: 'spread',
	action: 'Spread items over working hours',
	description: 'Give each item a random due time inside working hours',
	keepsItem: true,
	endpoints: [],
	fields: [
		parameter('start', {
			type: 'dateTime',
			default: '',
			description:
				'The earliest time for the first item. If empty or in the past, the current time is used. Without a UTC offset, the time is in "Time Zone". All parameters are read from the first item only.',
		}),
		...workingHoursFields,
		timeZoneField,
	],
	options: [
		numberParameter('minimumGapMinutes', {
			min: 1,
			standard: DEFAULT_GAP,
			description:
				'The shortest time between two items. The real gaps are random and can be longer. With a large gap, fewer items fit into a day.',
		}),
		outputFieldOption,
		seedOption(
			'Any text. The same seed produces the same times again if the start, the settings and the number of items are the same, too.',
		),
	],
	run: async ({ api, functions, input, itemIndex, notice, shared }) => {
		const items = functions.getInputData();
		const context = { now: api.now(), timeZone: functions.getTimezone(), notice };
		// Computed once for all items, as is an error.
		const times = await shared('times', async () =>
			Promise.resolve(timesOf(input, { ...context, count: items.length })),
		);
		return {
			...items[itemIndex]?.json,
			[readOutputField(input.collection('options'))]: times[itemIndex],
		};
	},
});

export function timesOf(
	input: Values,
	{ timeZone: ofWorkflow, count, ...context }: MomentContext & { now: number; count: number },
): string[] {
	const hours = readWorkingHours(input, ofWorkflow);
	const { from, to, timeZone } = hours;
	const options = input.collection('options');
	readOutputField(options);
	const gap = readMinutesOr(options, 'minimumGapMinutes', { min: 1, fallback: DEFAULT_GAP });
	if (gap > to - from) {
		throw options.fail(
			'minimumGapMinutes',
			`is longer than the working hours (${to - from} minutes)`,
			'Make the gap smaller or the working hours longer.',
		);
	}
	const start = readStart(input, { ...context, timeZone });
	const random = readRandom(options);
	const times = spreadTimes({ count, start, hours, gapMs: gap * MINUTE, random });
	if (times === undefined) {
		throw options.fail(
			'minimumGapMinutes',
			`is too large for ${count} items: to spread them would take more than ten years`,
			'Make the gap smaller, the working hours longer, or the number of items smaller.',
		);
	}
	return times.map((time) => new Date(time).toISOString());
}
