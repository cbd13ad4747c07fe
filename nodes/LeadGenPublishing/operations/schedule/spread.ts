import { readMoment } from '../../fields/moment';
import type { Values } from '../../parameters/values';
import { defineOperation, type BatchPlan, type PlanContext } from '../define';
import { outputFieldOption, readOutputField, readRandom, seedOption } from './options';
import { readWorkingHours, timeZoneField, workingHoursFields } from './hours';
import { spreadTimes, type SpreadRequest } from './spreadTimes';

const MINUTE = 60_000;
const DEFAULT_GAP = 5;

export const spread = defineOperation({
	value: 'spread',
	name: 'Spread',
	action: 'Spread items over working hours',
	description: 'Give each item a random due time inside working hours',
	kind: 'local',
	keepsItem: true,
	endpoints: [],
	fields: [
		{
			displayName: 'Start',
			name: 'start',
			type: 'dateTime',
			default: '',
			description:
				'The earliest time for the first item. If it is empty or in the past, now. All parameters are read from the first item only.',
		},
		...workingHoursFields,
		timeZoneField,
	],
	options: [
		{
			displayName: 'Minimum Gap (Minutes)',
			name: 'minimumGapMinutes',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_GAP,
			description:
				'The shortest time between two items; gaps are random and never alike. The larger it is, the fewer items fit into a day.',
		},
		outputFieldOption,
		seedOption,
	],
	planBatch: (inputs, context) => {
		const every = <T>(value: T) => new Map(inputs.map((_, index) => [index, value]));
		const [first] = inputs;
		if (first === undefined) return {};
		try {
			return planOf(first, { ...context, count: inputs.length });
		} catch (error) {
			return { errors: every(error instanceof Error ? error : new Error(String(error))) };
		}
	},
	run: async ({ functions, input, itemIndex, plan }) => ({
		...functions.getInputData()[itemIndex]?.json,
		[readOutputField(input.collection('options'))]: plan,
	}),
});

function planOf(input: Values, context: PlanContext & { count: number }): BatchPlan {
	const options = input.collection('options');
	readOutputField(options);
	const times = spreadTimes(requestOf(input, context));
	if (times === undefined) {
		throw options.fail(
			'minimumGapMinutes',
			`is too large for ${context.count} items: they would take more than ten years`,
			'Make the gap smaller, the working hours longer, or the number of items smaller.',
		);
	}
	return { plans: new Map(times.map((time, index) => [index, new Date(time).toISOString()])) };
}

function requestOf(
	input: Values,
	{ now, timeZone: ofWorkflow, notice, count }: PlanContext & { count: number },
): SpreadRequest {
	const hours = readWorkingHours(input, ofWorkflow);
	const { from, to, timeZone } = hours;
	const options = input.collection('options');
	const gap = options.isStored('minimumGapMinutes')
		? options.integer('minimumGapMinutes', { min: 1 })
		: DEFAULT_GAP;
	if (gap > to - from) {
		throw options.fail(
			'minimumGapMinutes',
			`is longer than the working hours (${to - from} minutes)`,
			'Make the gap smaller or the working hours longer.',
		);
	}
	const start = readMoment(input, 'start', { timeZone, notice });
	// Due times must still be in the future when they reach the service.
	const soonest = now + MINUTE;
	return {
		count,
		start: start === undefined ? soonest : Math.max(Date.parse(start), soonest),
		hours,
		gapMs: gap * MINUTE,
		random: readRandom(options),
	};
}
