/** The check of due times, in the words of the panel. */
import type { Notice } from './notice';
import {
	checkPacing,
	type PacingRemark,
	type Planned,
	type Unpaced,
} from '../../planning/pacing/pacing';
import { InputError } from '../../words/inputError';

interface Actions {
	/** Plural, such as "social actions". */
	readonly what: string;
	/** The parameter that holds the actions. */
	readonly parameter: string;
	readonly timeZone: string;
}

/** The errors of items that must not be sent together. Says what else is noticed. */
export function pacingErrors(
	planned: readonly Planned[],
	{ notice, ...actions }: Actions & { readonly notice: Notice },
): Map<number, Error> {
	const { refused, remarks } = checkPacing(planned, actions);
	for (const remark of remarks) notice(hintOf(remark, actions));
	return new Map(
		refused.flatMap(({ items, why }) => {
			const error = errorOf(why, actions);
			return items.map((item) => [item, error] as const);
		}),
	);
}

const SPREAD = 'Give each item a due time first, with Schedule > Spread.';
const ALONE =
	'If the service chooses the time, send one action at a time: use Loop Over Items with a Wait node of random length.';

function errorOf(why: Unpaced, { what, parameter }: Actions): InputError {
	const refused = (problem: string, remedy: string): InputError =>
		new InputError(problem, remedy, { parameter, code: 'unpaced' }, 'None of them was sent');
	if (why.kind === 'withoutTime')
		return refused(
			`${why.count} ${what} do not have the field in "Due Time Field", so they would all run at the same moment`,
			`Check the name of the field. ${SPREAD} ${ALONE}`,
		);
	return refused(
		`Several ${what} are due ${why.kind === 'simultaneous' ? 'at the same time' : 'at exactly equal intervals'}`,
		`The service does not allow this for network actions. ${SPREAD}`,
	);
}

function hintOf(remark: PacingRemark, { what, timeZone }: Actions): string {
	switch (remark.kind) {
		case 'notChecked':
			return `The node did not check whether ${what} are due at the same time or at equal intervals, which the service does not allow. Enter the name of the field with the due time in the option "Due Time Field".`;
		case 'outsideOfHours':
			return `${remark.outside} of ${remark.of} due times are outside usual working hours (Monday to Friday, 09:00 to 17:00, ${timeZone}). The service requires ${what} to be spread across working hours.`;
		case 'unreadable':
			return `The node cannot read ${remark.count} due times, so it could not check them. Use ISO 8601, such as 2030-01-31T09:30:00Z.`;
	}
}
