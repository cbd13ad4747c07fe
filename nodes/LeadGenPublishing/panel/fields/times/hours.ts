/** The parameters for times of the week: working hours, weekly slots, and the time zone of both. */
import type { INodeProperties } from 'n8n-workflow';

import { labelOf } from '../../parameters/labels';
import { isTimeZone } from '../../../parse/wallClock';
import type { Values } from '../../parameters/values';
import type { WorkingHours } from '../../../planning/pacing/workingHours';
import type { WeeklySlot } from '../../../planning/slots/freeTimes';
import { parameter, textParameter } from '../parameter';

const WEEK = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export const workingHoursFields: readonly INodeProperties[] = [
	parameter('workingDays', {
		type: 'multiOptions',
		options: [...WEEK.slice(1), 'sunday'].map((value) => ({ name: labelOf(value), value })),
		default: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
		description: 'The days on which times may be chosen',
	}),
	textParameter('fromTime', {
		default: '09:00',
		placeholder: 'e.g. 09:00',
		description: 'When a working day begins, in the time zone below',
	}),
	textParameter('toTime', {
		default: '17:00',
		placeholder: 'e.g. 17:00',
		description:
			'When a working day ends, in the time zone below. Items that do not fit into a day move to the next one.',
	}),
];

export const timeZoneField = textParameter('timeZone', {
	placeholder: 'e.g. Europe/Berlin',
	description:
		'Time zone of these days and times. If empty, the time zone of the workflow is used.',
});

export const slotsField = textParameter('slots', {
	placeholder: 'e.g. Monday 09:00, Thursday 14:30',
	description:
		'Days and times of the week at which the account publishes, in the time zone below, separated by commas',
});

export function readTimeZone(input: Values, ofWorkflow: string): string {
	const timeZone = input.optionalText('timeZone')?.trim() ?? ofWorkflow;
	if (isTimeZone(timeZone)) return timeZone;
	throw input.fail(
		'timeZone',
		'is not a time zone',
		'Use a name such as Europe/Berlin or America/New_York.',
	);
}

export function readWorkingHours(input: Values, zoneOfWorkflow: string): WorkingHours {
	const timeZone = readTimeZone(input, zoneOfWorkflow);
	const from = clock(input, 'fromTime');
	const to = clock(input, 'toTime');
	if (to <= from) {
		throw input.fail(
			'toTime',
			'is not after "From Time"',
			'Working hours begin and end on the same day, so "To Time" must be later.',
		);
	}
	return { days: daysOf(input), from, to, timeZone };
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

export function readSlots(input: Values): WeeklySlot[] {
	const slots = (input.optionalList('slots') ?? []).map((entry) => {
		const [name = '', time = '', ...more] = String(entry).toLowerCase().split(/\s+/);
		const day = WEEK.findIndex((one) => name.length >= 3 && one.startsWith(name));
		const minutes = minutesOf(time);
		if (day >= 0 && minutes < DAY_MINUTES && more.length === 0) return { day, minutes };
		throw input.fail('slots', 'contains something that is not a day with a time', EXAMPLE);
	});
	if (slots.length > 0) return slots;
	throw input.fail('slots', 'is empty', EXAMPLE);
}

const EXAMPLE = 'Enter each slot as a day and a time, such as: Monday 09:00, Thursday 14:30.';
const DAY_MINUTES = 24 * 60;

/** 24:00 is the end of the day. */
function clock(input: Values, name: string): number {
	const minutes = minutesOf(input.text(name).trim());
	if (minutes <= DAY_MINUTES) return minutes;
	throw input.fail(name, 'is not a time of day', 'Use hours and minutes, such as 09:00.');
}

/** Minutes since midnight. NaN if the text is not a time. */
function minutesOf(text: string): number {
	const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)$/.exec(text) ?? [];
	return Number(hours) * 60 + Number(minutes);
}

/** "Monday 09:00", for a local time that is given as if it were UTC. */
export const weekTime = (wall: number): string =>
	`${dayName(wall)} ${new Date(wall).toISOString().slice(11, 16)}`;

export const dayName = (wall: number): string => labelOf(WEEK[new Date(wall).getUTCDay()] ?? '');

export const clockText = (minutes: number): string =>
	[Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
