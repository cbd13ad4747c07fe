/**
 * Part 1, rule 5: actions toward the network must not be batched at one timestamp or at exact
 * repeating intervals; their due times are spread across working hours. All that a run sends for
 * one workspace or account is looked at together, before the first of it is sent; if it breaks the
 * rule, none of it is sent. What may well be meant is only told. Pure.
 */
import { InputError } from '../../api/failure';
import type { SayAbout } from '../../fields/moment';
import { rhythmOf } from '../schedule/rhythm';
import { isInside, USUAL_HOURS } from '../schedule/workingHours';
import type { DueTimes } from './dueTimes';

export interface Planned extends DueTimes {
	readonly item: number;
	/** Whose actions must keep apart from each other. */
	readonly group: string;
}

export interface Wording {
	/** In the plural: "social actions for one workspace". */
	readonly what: string;
	readonly parameter: string;
	/** What to do if several have no due time; undefined if that is no matter. */
	readonly undated?: string;
}

const SPREAD = 'Give each a due time with Schedule > Spread first.';

export function pacingErrors(
	planned: readonly Planned[],
	{ what, parameter, undated }: Wording,
): Map<number, Error> {
	const errors = new Map<number, Error>();
	const refuse = (group: readonly Planned[], problem: string, remedy: string) => {
		const error = new InputError(`${problem}. None of them was sent`, remedy, {
			parameter,
			code: 'unpaced',
		});
		for (const { item } of group) errors.set(item, error);
	};
	for (const group of groupsOf(planned)) {
		const without = group.filter((one) => one.times.length + one.unreadable.length === 0).length;
		const rhythm = rhythmOfGroup(group);
		if (without > 1 && undated !== undefined) {
			refuse(
				group,
				`${without} ${what} have no due time, so they would all happen at the same moment`,
				`${SPREAD} ${undated}`,
			);
		} else if (rhythm !== undefined) {
			refuse(
				group,
				rhythm === 'alike'
					? `Several ${what} are due at the same time`
					: `The ${what} are due at exactly equal intervals or in a pattern that repeats itself`,
				`The service forbids that for actions toward the network. ${SPREAD}`,
			);
		}
	}
	return errors;
}

/** Whatever form a due time has, the same one twice is the same time. */
function rhythmOfGroup(group: readonly Planned[]) {
	const unread = group.flatMap(({ unreadable }) => unreadable);
	if (new Set(unread).size < unread.length) return 'alike';
	return rhythmOf(group.flatMap(({ times }) => times));
}

export function tellPacing(
	planned: readonly Planned[],
	{ what, timeZone, notice }: Pick<Wording, 'what'> & { timeZone: string; notice: SayAbout },
): void {
	const times = planned.flatMap((one) => one.times);
	const outside = times.filter((time) => !isInside(time, { ...USUAL_HOURS, timeZone })).length;
	if (outside > 0) {
		notice(
			`Due times outside usual working hours (Monday to Friday, 09:00 to 17:00, ${timeZone}): ${outside} of ${times.length}. The service wants ${what} to be spread across working hours.`,
		);
	}
	const unread = planned.flatMap(({ unreadable }) => unreadable).length;
	if (unread > 0) {
		notice(
			`Due times that this node cannot read: ${unread}. It could not check whether they keep apart. Use ISO 8601, such as 2030-01-31T09:30:00Z.`,
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
