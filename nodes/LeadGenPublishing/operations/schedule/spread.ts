import type { INodeProperties } from 'n8n-workflow';

import { readMoment } from '../../fields/moment';
import { isTimeZone } from '../../parameters/parse/wallClock';
import type { Values } from '../../parameters/values';
import { defineOperation, type BatchPlan, type PlanContext } from '../define';
import { seeded } from './randomness';
import { spreadTimes, type SpreadRequest } from './spreadTimes';

const MINUTE = 60_000;
const DEFAULT_GAP = 5;
const DEFAULT_OUTPUT = 'scheduled_at';
const WEEK = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const daysField: INodeProperties = {
	displayName: 'Working Days',
	name: 'workingDays',
	type: 'multiOptions',
	options: [...WEEK.slice(1), 'sunday'].map((value) => ({
		name: value.charAt(0).toUpperCase() + value.slice(1),
		value,
	})),
	default: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
	description: 'Days on which something may be due',
};

export const spread = defineOperation({
	value: 'spread',
	name: 'Spread',
	action: 'Spread items over working hours',
	description: 'Give each item a random due time inside working hours',
	kind: 'local',
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
		daysField,
		{
			displayName: 'From Time',
			name: 'fromTime',
			type: 'string',
			default: '09:00',
			placeholder: 'e.g. 09:00',
			description: 'When a working day begins, in the time zone below',
		},
		{
			displayName: 'To Time',
			name: 'toTime',
			type: 'string',
			default: '17:00',
			placeholder: 'e.g. 17:00',
			description:
				'When a working day ends, in the time zone below. What does not fit into a day moves to the next one.',
		},
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Berlin',
			description: 'Time zone of the working hours. If empty, that of the workflow is used.',
		},
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
		{
			displayName: 'Output Field',
			name: 'outputField',
			type: 'string',
			default: DEFAULT_OUTPUT,
			placeholder: 'e.g. scheduled_at',
			description: 'Field of the output item that gets the due time, in UTC',
		},
		{
			displayName: 'Seed',
			name: 'seed',
			type: 'string',
			default: '',
			placeholder: 'e.g. week-12',
			description:
				'Any text. The same seed gives the same times again, as long as start, settings and number of items are the same.',
		},
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
		[outputFieldOf(input.collection('options'))]: plan,
	}),
});

const outputFieldOf = (options: Values): string =>
	options.isStored('outputField') ? options.text('outputField').trim() : DEFAULT_OUTPUT;

function planOf(input: Values, context: PlanContext & { count: number }): BatchPlan {
	const options = input.collection('options');
	if (outputFieldOf(options) === 'error') {
		throw options.fail(
			'outputField',
			'cannot be "error"',
			'Choose another name: n8n takes an item with an "error" for a failed one.',
		);
	}
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
	const timeZone = input.optionalText('timeZone')?.trim() ?? ofWorkflow;
	if (!isTimeZone(timeZone)) {
		throw input.fail(
			'timeZone',
			'is not a time zone',
			'Use a name such as Europe/Berlin or America/New_York.',
		);
	}
	const from = clock(input, 'fromTime');
	const to = clock(input, 'toTime');
	if (to <= from) {
		throw input.fail(
			'toTime',
			'is not after "From Time"',
			'Working hours begin and end on the same day, so "To Time" must be later.',
		);
	}
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
	const seed = options.optionalText('seed');
	const start = readMoment(input, 'start', { timeZone, notice });
	// Due times must still be in the future when they reach the service.
	const soonest = now + MINUTE;
	return {
		count,
		start: start === undefined ? soonest : Math.max(Date.parse(start), soonest),
		hours: { days: daysOf(input), from, to, timeZone },
		gapMs: gap * MINUTE,
		random: seed === undefined ? Math.random : seeded(seed),
	};
}

function daysOf(input: Values): Set<number> {
	const days = (input.optionalList('workingDays') ?? []).map((day) => {
		const index = WEEK.indexOf(String(day).trim().toLowerCase());
		if (index >= 0) return index;
		throw input.fail('workingDays', `has an unknown day`, `Use ${WEEK.join(', ')}.`);
	});
	if (days.length > 0) return new Set(days);
	throw input.fail('workingDays', 'is empty', 'Choose at least one day of the week.');
}

/** Minutes since midnight; 24:00 is the end of the day. */
function clock(input: Values, name: string): number {
	const match = /^(\d{1,2}):(\d{2})$/.exec(input.text(name).trim());
	const minutes = match === null ? NaN : Number(match[1]) * 60 + Number(match[2]);
	if (Number(match?.[2]) < 60 && minutes <= 24 * 60) return minutes;
	throw input.fail(name, 'is not a time of day', 'Use hours and minutes, such as 09:00.');
}
