/**
 * Gives each input item the next free time of its account. What is scheduled there is read once for
 * each account and run; what this execution has given before counts as taken, too.
 */
import { numberParameter, parameter, requiredFor } from '../../fields/parameter';
import { addFields } from '../../output/record';
import { wallOf } from '../../parameters/parse/wallClock';
import type { JsonRecord } from '../../api/schemas';
import type { ItemCall } from '../../item/itemCall';
import { defineOperation } from '../define';
import { nextFreeTime } from '../slotPlanner';
import type { FreeTime, FreeTimesRequest } from './freeTimes';
import {
	clockText,
	dayName,
	readSlots,
	readTimeZone,
	readWorkingHours,
	slotsField,
	timeZoneField,
	weekTime,
	workingHoursFields,
} from './hours';
import {
	MINUTE,
	outputFieldOption,
	readMinutesOr,
	readOutputField,
	readRandom,
	readStart,
	seedOption,
} from './options';

const DEFAULT_RANDOM = 10;

export const nextFreeSlot = defineOperation({
	value: 'nextFreeSlot',
	action: 'Find next free slot',
	description: 'Give each item the next free time in the calendar of its account',
	keepsItem: true,
	endpoints: ['post.getAll'],
	fields: [
		parameter('planBy', {
			type: 'options',
			options: [
				{ name: 'Weekly Slots', value: 'slots', description: 'Fixed times on days of the week' },
				{
					name: 'Working Hours',
					value: 'hours',
					description: 'Any time in working hours that keeps the gap',
				},
			],
			default: 'slots',
			description: 'What the times are taken from',
		}),
		...requiredFor(slotsField, { parameter: 'planBy', value: 'slots', not: ['hours'] }),
		...workingHoursFields.map((field) => ({
			...field,
			displayOptions: { hide: { planBy: ['slots'] } },
		})),
		timeZoneField,
		numberParameter('minimumGapMinutes', {
			min: 1,
			standard: 60,
			description:
				'The shortest time between two posts of the account, those that exist included. Two executions at the same moment can be given the same time.',
		}),
	],
	options: [
		outputFieldOption,
		seedOption,
		numberParameter('randomMinutes', {
			min: 1,
			standard: DEFAULT_RANDOM,
			description:
				'How much later than the slot a time may be, at random, so that posts do not follow an exact rhythm. Never more than the gap.',
		}),
		parameter('start', {
			type: 'dateTime',
			default: '',
			description:
				'The earliest time. If empty or in the past, the current time is used. Without a time zone of its own, it is in "Time Zone".',
		}),
	],
	run: async (call) => {
		const { api, input, functions, itemIndex, shared, notice } = call;
		const options = input.collection('options');
		const outputField = readOutputField(options);
		const request = requestOf(call);
		const { timeZone } = request;
		const found = await nextFreeTime(call, {
			request,
			plan: JSON.stringify([request, options.optionalText('seed')], withSets),
			start: readStart(options, { now: shared('now', api.now), timeZone, notice }),
		});
		if (found === undefined) {
			throw input.fail(
				'minimumGapMinutes',
				'leaves no time free in the next ten years',
				'Make the gap smaller, or give more slots or longer working hours.',
			);
		}
		return {
			...addFields(functions.getInputData()[itemIndex]?.json ?? {}, reasons(found, request)),
			[outputField]: new Date(found.time).toISOString(),
		};
	},
});

function requestOf({ input, functions }: ItemCall): FreeTimesRequest {
	const zoneOfWorkflow = functions.getTimezone();
	const timeZone = readTimeZone(input, zoneOfWorkflow);
	const options = input.collection('options');
	const plan =
		input.choice('planBy', ['slots', 'hours']) === 'hours'
			? { hours: readWorkingHours(input, zoneOfWorkflow) }
			: { slots: readSlots(input) };
	const gap = input.integer('minimumGapMinutes', { min: 1 });
	return {
		timeZone,
		plan,
		gapMs: gap * MINUTE,
		randomMs: readMinutesOr(options, 'randomMinutes', DEFAULT_RANDOM) * MINUTE,
		random: readRandom(options),
	};
}

/** Why it is this time: the slot, and what is due before it. */
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

const withSets = (_: string, value: unknown): unknown =>
	value instanceof Set ? [...value] : value;
