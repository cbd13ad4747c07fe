/** What is found when a unique record is looked for, and what the user is told about it. Pure. */
import { InputError, type ApiFailure } from '../../api/failure';
import { withFindings } from '../../api/outcome';
import type { JsonRecord } from '../../api/schemas';
import type { Tally } from '../define';

export interface Found {
	readonly record: JsonRecord;
	/** How many further records are recognised as the same. */
	readonly others: number;
	/** Whether it was recognised by its content, because the service shows no notes. */
	readonly byContent?: boolean;
	/** Whether it differs from what would be sent. */
	readonly differs: boolean;
}

/** For the hint that counts the existing records of all items. */
export const countOfExisting = (what: string, found: Found): Tally => ({
	counts: {
		existing: 1,
		byContent: found.byContent === true ? 1 : 0,
		several: found.others > 0 ? 1 : 0,
		different: found.differs ? 1 : 0,
	},
	say: ({ existing = 0, byContent = 0, several = 0, different = 0 }) => [
		existing === 1
			? `1 ${what} already existed and was returned as stored; nothing was created for it.`
			: `${existing} ${what}s already existed and were returned as stored; nothing was created for them.`,
		...(byContent > 0
			? [
					`${byContent} of the existing ${what}s could be recognised only by text and time, because the service does not show notes.`,
				]
			: []),
		...(several > 0
			? [`For ${several} ${several === 1 ? 'item' : 'items'}, more than one ${what} exists.`]
			: []),
		...(different > 0
			? [
					`${different} of the existing ${what}s ${different === 1 ? 'differs' : 'differ'} from the item: use Update to change ${different === 1 ? 'it' : 'them'}.`,
				]
			: []),
	],
});

export function wouldBeReturned(what: string, { record: { id } }: Found): string {
	const shown = typeof id === 'string' ? ` (${id})` : '';
	return `The ${what} already exists${shown}, so it would be returned, and nothing would be sent.`;
}

export const plannedBefore = (what: string): string =>
	`An earlier item of this run creates the same ${what}, so nothing would be sent for this one.`;

export const wouldFail = (what: string): InputError =>
	new InputError(
		`An earlier item of this run creates the same ${what}, so this one would fail. Nothing was sent`,
		'Leave the item out, or set "If Exists" to Return.',
		{ code: 'already_exists', parameter: 'ifExists' },
	);

export const stillUnknown = (
	failure: ApiFailure,
	{ what, looks }: { what: string; looks: number },
): ApiFailure =>
	withFindings(failure, {
		recognisable: true,
		found:
			looks === 0
				? `It could not be checked afterwards whether the ${what} exists.`
				: `It was looked for ${looks === 1 ? 'once' : `${looks} times`} and had not appeared.`,
	});

/** The refusal of a request that was sent although the answer to another one had been lost. */
export const afterLostRequest = (failure: ApiFailure): ApiFailure =>
	withFindings(failure, {
		found:
			'An earlier request, whose answer was lost, had shown no result before this one was sent.',
	});
