/**
 * Part 1, rule 5: actions toward the network must not be batched at one timestamp or at exact
 * repeating intervals. All actions of a run for one workspace are looked at together, before the
 * first of them is sent; if they break the rule, none of them is sent. Pure.
 */
import { InputError } from '../../api/failure';
import { rhythmOf } from '../schedule/rhythm';

export interface PlannedAction {
	readonly item: number;
	readonly workspaceId: string;
	readonly dueTimes: readonly number[];
}

const SPREAD = 'Give each action a due time with Schedule > Spread first.';

export function pacingErrors(actions: readonly PlannedAction[]): Map<number, Error> {
	const errors = new Map<number, Error>();
	for (const group of byWorkspace(actions)) {
		const error = problemOf(group);
		if (error !== undefined) for (const { item } of group) errors.set(item, error);
	}
	return errors;
}

function byWorkspace(actions: readonly PlannedAction[]): PlannedAction[][] {
	const groups = new Map<string, PlannedAction[]>();
	for (const action of actions) {
		const id = action.workspaceId.toLowerCase();
		groups.set(id, [...(groups.get(id) ?? []), action]);
	}
	return [...groups.values()];
}

function problemOf(group: readonly PlannedAction[]): InputError | undefined {
	const undated = group.filter(({ dueTimes }) => dueTimes.length === 0).length;
	if (undated > 1) {
		return refusal(
			`${undated} social actions for one workspace have no due time, so they would all happen at the same moment`,
			`${SPREAD} If the due time has a name of its own in the body, enter it in the option "Due Time Field". If the service plans the time itself, send one action per run: Loop Over Items with a Wait of random length.`,
		);
	}
	const rhythm = rhythmOf(group.flatMap(({ dueTimes }) => dueTimes));
	if (rhythm === undefined) return undefined;
	return refusal(
		rhythm === 'alike'
			? 'Several social actions for one workspace are due at the same time'
			: 'The social actions for one workspace are due at exactly equal intervals',
		`The service forbids that for actions toward the network. ${SPREAD}`,
	);
}

const refusal = (what: string, remedy: string) =>
	new InputError(`${what}. None of them was sent`, remedy, { parameter: 'body', code: 'unpaced' });
