/**
 * Part 1, rule 5 of the API document: actions toward the network must not coincide or follow exact
 * intervals, and their due times are spread across working hours. All actions of a run for one
 * workspace or account are checked together before the first is sent. If they break the rule, none
 * is sent. Anything that may be intended only gets a hint. Pure.
 */
import { InputError } from '../../words/inputError';
import type { DueTime } from './dueTimes';
import { rhythmOf } from './rhythm';
import { isInside, USUAL_HOURS } from './workingHours';

/** An action, or a part of one that is due at a time of its own. */
export interface Planned {
	readonly item: number;
	/** The workspace or account within which actions must be spread. */
	readonly group: string;
	readonly due: DueTime;
}

export interface Pacing {
	/** Plural, such as "social actions". */
	readonly what: string;
	/** The parameter that holds the actions. */
	readonly parameter: string;
	readonly timeZone: string;
}

interface Paced {
	readonly errors: ReadonlyMap<number, Error>;
	readonly hints: readonly string[];
}

/** What is wrong with actions that are sent together, by item, and hints about the whole run. */
export function checkPacing(planned: readonly Planned[], pacing: Pacing): Paced {
	const groups = groupsOf(planned);
	return {
		errors: new Map(groups.flatMap((group) => errorsOf(group, pacing))),
		hints: [
			...hintWhereUnchecked(groups, pacing),
			...hintOutsideOfHours(planned, pacing),
			...hintAboutUnreadable(planned),
		],
	};
}

const SPREAD = 'Give each a due time with Schedule > Spread first.';
const ALONE =
	'If the service plans the time itself, send one action per run: Loop Over Items with a Wait of random length.';

function errorsOf(
	group: readonly Planned[],
	{ what, parameter }: Pacing,
): Array<[item: number, error: Error]> {
	const refused = (problem: string, remedy: string): Array<[number, Error]> => {
		const details = { parameter, code: 'unpaced' };
		const error = new InputError(problem, remedy, details, 'None of them was sent');
		return group.map(({ item }) => [item, error]);
	};
	const dues = group.map(({ due }) => due);
	const missing = dues.filter(({ kind }) => kind === 'missing').length;
	if (missing > 1)
		return refused(
			`${missing} ${what} do not have the field in "Due Time Field", so they would all run at the same moment`,
			`Check the name of the field. ${SPREAD} ${ALONE}`,
		);
	const unread = dues.flatMap((due) => (due.kind === 'unreadable' ? due.text : []));
	const rhythm =
		// Equal due times coincide, even if the node cannot parse them.
		new Set(unread).size < unread.length ? 'simultaneous' : rhythmOf(dues.flatMap(timeOf));
	if (rhythm === undefined) return [];
	return refused(
		`Several ${what} are due ${rhythm === 'simultaneous' ? 'at the same time' : 'at exactly equal intervals'}`,
		`The service does not allow this for network actions. ${SPREAD}`,
	);
}

const timeOf = (due: DueTime): number[] => (due.kind === 'known' ? [due.time] : []);

/** A single action cannot coincide with others. */
function hintWhereUnchecked(groups: ReadonlyArray<readonly Planned[]>, { what }: Pacing): string[] {
	const unchecked = groups.map(
		(group) => group.filter(({ due }) => due.kind === 'notChecked').length,
	);
	if (!unchecked.some((count) => count > 1)) return [];
	return [
		`The node did not check whether ${what} are due at the same time or at equal intervals, which the service does not allow. Enter the name of their field with the due time in the option "Due Time Field".`,
	];
}

function hintOutsideOfHours(planned: readonly Planned[], { what, timeZone }: Pacing): string[] {
	const times = planned.flatMap(({ due }) => timeOf(due));
	const outside = times.filter((time) => !isInside(time, { ...USUAL_HOURS, timeZone })).length;
	if (outside === 0) return [];
	return [
		`${outside} of ${times.length} due times are outside usual working hours (Monday to Friday, 09:00 to 17:00, ${timeZone}). The service requires ${what} to be spread across working hours.`,
	];
}

function hintAboutUnreadable(planned: readonly Planned[]): string[] {
	const unread = planned.filter(({ due }) => due.kind === 'unreadable').length;
	if (unread === 0) return [];
	return [
		`The node cannot read ${unread} due times, so it could not check whether they coincide. Use ISO 8601, such as 2030-01-31T09:30:00Z.`,
	];
}

function groupsOf(planned: readonly Planned[]): Planned[][] {
	const groups = new Map<string, Planned[]>();
	for (const one of planned) {
		const name = one.group.toLowerCase();
		const group = groups.get(name) ?? [];
		group.push(one);
		groups.set(name, group);
	}
	return [...groups.values()];
}
