/**
 * Part 1, rule 5 of the API document: actions toward the network must not coincide or follow exact
 * intervals, and their due times are spread across working hours. All actions of a run for one
 * workspace or account are checked together before the first is sent. If they break the rule, none
 * is sent. Anything that may be intended is only remarked. Pure.
 */
import type { DueTime } from './dueTimes';
import { rhythmOf, type Rhythm } from './rhythm';
import { isInside, USUAL_HOURS } from './workingHours';

/** An action, or a part of one that is due at a time of its own. */
export interface Planned {
	readonly item: number;
	/** The workspace or account within which actions must be spread. */
	readonly group: string;
	readonly due: DueTime;
}

/** Why the actions of a group must not be sent together. */
export type Unpaced =
	/** So many do not have the field with the due time, so they would run at the same moment. */
	{ readonly kind: 'withoutTime'; readonly count: number } | { readonly kind: Rhythm };

/** What may be intended. */
export type PacingRemark =
	/** The user has not named the field with the due time, although there are several actions. */
	| { readonly kind: 'notChecked' }
	| { readonly kind: 'outsideOfHours'; readonly outside: number; readonly of: number }
	| { readonly kind: 'unreadable'; readonly count: number };

export interface Pacing {
	readonly refused: ReadonlyArray<{ readonly items: readonly number[]; readonly why: Unpaced }>;
	readonly remarks: readonly PacingRemark[];
}

export function checkPacing(
	planned: readonly Planned[],
	{ timeZone }: { readonly timeZone: string },
): Pacing {
	const groups = groupsOf(planned);
	const refused = groups.flatMap((group) => {
		const why = unpaced(group);
		return why === undefined ? [] : [{ items: group.map(({ item }) => item), why }];
	});
	return { refused, remarks: remarksOn(planned, { groups, timeZone }) };
}

function unpaced(group: readonly Planned[]): Unpaced | undefined {
	const dues = group.map(({ due }) => due);
	const count = dues.filter(({ kind }) => kind === 'missing').length;
	if (count > 1) return { kind: 'withoutTime', count };
	const unread = dues.flatMap((due) => (due.kind === 'unreadable' ? due.text : []));
	// Equal due times coincide, even if the node cannot parse them.
	if (new Set(unread).size < unread.length) return { kind: 'simultaneous' };
	const rhythm = rhythmOf(dues.flatMap(timeOf));
	return rhythm && { kind: rhythm };
}

const timeOf = (due: DueTime): number[] => (due.kind === 'known' ? [due.time] : []);

function remarksOn(
	planned: readonly Planned[],
	{ groups, timeZone }: { groups: ReadonlyArray<readonly Planned[]>; timeZone: string },
): PacingRemark[] {
	const countIn = (some: readonly Planned[], kind: DueTime['kind']): number =>
		some.filter(({ due }) => due.kind === kind).length;
	const times = planned.flatMap(({ due }) => timeOf(due));
	const outside = times.filter((time) => !isInside(time, { ...USUAL_HOURS, timeZone })).length;
	const unreadable = countIn(planned, 'unreadable');
	// A single action cannot coincide with others.
	const isUnchecked = groups.some((group) => countIn(group, 'notChecked') > 1);
	return [
		...(isUnchecked ? [{ kind: 'notChecked' } as const] : []),
		...(outside === 0 ? [] : [{ kind: 'outsideOfHours', outside, of: times.length } as const]),
		...(unreadable === 0 ? [] : [{ kind: 'unreadable', count: unreadable } as const]),
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
