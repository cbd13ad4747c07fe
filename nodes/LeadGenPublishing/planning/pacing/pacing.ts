/**
 * Part 1, rule 5 of the API document: actions toward the network must not coincide or follow exact
 * intervals, and their due times are spread across working hours. All actions of a run for one
 * workspace or account are checked together before the first is sent. If they break the rule, none
 * is sent. Anything that may be intended only gets a hint. Pure.
 */
import { InputError } from '../../api/failure';
import type { Notice } from '../../panel/fields/notice';
import { rhythmOf } from './rhythm';
import { isInside, USUAL_HOURS } from './workingHours';
import type { DueTimes } from './dueTimes';

export interface Planned extends DueTimes {
	readonly item: number;
	/** The group within which actions must be spread. */
	readonly group: string;
}

export interface Wording {
	/** Plural, such as "social actions for one workspace". */
	readonly what: string;
	readonly parameter: string;
	/** The remedy if several have no due time. Undefined if that is allowed. */
	readonly undated?: string;
}

const SPREAD = 'Give each a due time with Schedule > Spread first.';

export function pacingErrors(
	planned: readonly Planned[],
	{ what, parameter, undated }: Wording,
): Map<number, Error> {
	const errors = new Map<number, Error>();
	const refuse = (group: readonly Planned[], problem: string, remedy: string) => {
		const error = new InputError(
			problem,
			remedy,
			{ parameter, code: 'unpaced' },
			'None of them was sent',
		);
		for (const { item } of group) errors.set(item, error);
	};
	for (const group of groupsOf(planned)) {
		const without = group.filter((one) => one.times.length + one.unreadable.length === 0).length;
		const rhythm = rhythmOfGroup(group);
		if (without > 1 && undated !== undefined) {
			refuse(
				group,
				`${without} ${what} have no due time, so they would all run at the same moment`,
				`${SPREAD} ${undated}`,
			);
		} else if (rhythm !== undefined) {
			refuse(
				group,
				rhythm === 'simultaneous'
					? `Several ${what} are due at the same time`
					: `The ${what} are due at exactly equal intervals or in a repeating pattern`,
				`The service does not allow this for network actions. ${SPREAD}`,
			);
		}
	}
	return errors;
}

/** Equal due times count as simultaneous, even if they cannot be parsed. */
function rhythmOfGroup(group: readonly Planned[]) {
	const unread = group.flatMap(({ unreadable }) => unreadable);
	if (new Set(unread).size < unread.length) return 'simultaneous';
	return rhythmOf(group.flatMap(({ times }) => times));
}

export function warnAboutPacing(
	planned: readonly Planned[],
	{ what, timeZone, notice }: Pick<Wording, 'what'> & { timeZone: string; notice: Notice },
): void {
	const times = planned.flatMap((one) => one.times);
	const outside = times.filter((time) => !isInside(time, { ...USUAL_HOURS, timeZone })).length;
	if (outside > 0) {
		notice(
			`Due times outside usual working hours (Monday to Friday, 09:00 to 17:00, ${timeZone}): ${outside} of ${times.length}. The service requires ${what} to be spread across working hours.`,
		);
	}
	const unread = planned.flatMap(({ unreadable }) => unreadable).length;
	if (unread > 0) {
		notice(
			`Due times that the node cannot read: ${unread}. It could not check whether they coincide. Use ISO 8601, such as 2030-01-31T09:30:00Z.`,
		);
	}
}

function groupsOf(planned: readonly Planned[]): Planned[][] {
	const groups = new Map<string, Planned[]>();
	for (const one of planned) {
		const group = one.group.toLowerCase();
		groups.set(group, [...(groups.get(group) ?? []), one]);
	}
	return [...groups.values()];
}
