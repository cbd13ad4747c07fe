/**
 * The parameters of Schedule > Next Free Slot, which other operations show under the same names,
 * and how they are read.
 */
import type { INodeProperties } from 'n8n-workflow';

import type { InputError } from '../../../words/inputError';
import { readMoment, type MomentContext } from '../moment';
import { numberParameter, parameter, requiredFor } from '../parameter';
import type { Values } from '../../parameters/values';
import type { FreeTimesRequest } from '../../../planning/slots/freeTimes';
import { planName, type SlotPlan } from '../../../planning/slots/slotPlan';
import {
	readSlots,
	readTimeZone,
	readWorkingHours,
	slotsField,
	timeZoneField,
	workingHoursFields,
} from './hours';
import { MINUTE, readMinutesOr, readRandom, seedOption } from './options';

const DEFAULT_RANDOM = 10;

export const planByField = parameter('planBy', {
	type: 'options',
	options: [
		{ name: 'Weekly Slots', value: 'slots', description: 'Fixed times on days of the week' },
		{
			name: 'Working Hours',
			value: 'hours',
			description: 'Any time within working hours that is far enough from other posts',
		},
	],
	default: 'slots',
	description: 'How to choose the times',
});

export const hoursFields: readonly INodeProperties[] = workingHoursFields.map((field) => ({
	...field,
	displayOptions: { hide: { planBy: ['slots'] } },
}));

export const gapField = numberParameter('minimumGapMinutes', {
	min: 1,
	standard: 60,
	description:
		'The shortest time between two posts of the account, including existing posts. Two executions that run at the same moment can get the same time.',
});

export const slotPlanFields: readonly INodeProperties[] = [
	planByField,
	...requiredFor(slotsField, { parameter: 'planBy', value: 'slots', not: ['hours'] }),
	...hoursFields,
	timeZoneField,
	gapField,
];

export const slotPlanOptions: readonly INodeProperties[] = [
	seedOption(
		'Any text. The same seed makes the same random choices again. The times also depend on what is already scheduled.',
	),
	numberParameter('randomMinutes', {
		min: 0,
		standard: DEFAULT_RANDOM,
		description:
			'The longest random delay after a slot, so that posts do not follow an exact rhythm. If set to 0, each post is due exactly at its slot. Cannot be longer than Minimum Gap.',
	}),
	parameter('start', {
		type: 'dateTime',
		default: '',
		description:
			'The earliest time. If empty or in the past, the current time is used. Without a UTC offset, the time is in "Time Zone".',
	}),
];

/** Throws if the parameters describe no plan. */
export function readSlotPlan(
	input: Values,
	{ timeZone: zoneOfWorkflow, notice }: MomentContext,
): SlotPlan {
	const timeZone = readTimeZone(input, zoneOfWorkflow);
	const options = input.collection('options');
	const plan =
		input.choice('planBy', ['slots', 'hours']) === 'hours'
			? { hours: readWorkingHours(input, zoneOfWorkflow) }
			: { slots: readSlots(input) };
	const gap = input.integer('minimumGapMinutes', { min: 1 });
	const late = readMinutesOr(options, 'randomMinutes', { min: 0, fallback: DEFAULT_RANDOM });
	const request: FreeTimesRequest = {
		timeZone,
		plan,
		gapMs: gap * MINUTE,
		randomMs: late * MINUTE,
		random: readRandom(options),
	};
	const start = readMoment(options, 'start', { timeZone, notice });
	return {
		request,
		name: planName(request, options.optionalText('seed')),
		earliest: start === undefined ? undefined : Date.parse(start),
	};
}

export const nothingFree = (input: Values): InputError =>
	input.fail(
		'minimumGapMinutes',
		'leaves no free time in the next ten years',
		'Make the gap smaller, or enter more slots or longer working hours.',
	);
