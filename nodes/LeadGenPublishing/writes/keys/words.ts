/** Sentences about a record that exists or may exist. Pure. */
import { count } from '../../words/count';
import { InputError, OpenWriteError } from '../../words/inputError';
import { ApiFailure, withFindings } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import type { Tally } from '../../item/itemCall';
import type { Existing } from './keyedRecord';

/** For the hint that counts the existing records of all items. */
export const countOfExisting = (
	what: string,
	{
		existing: { others, differences },
		isOfThisRun,
	}: {
		existing: Existing;
		/** Whether an earlier item of this run has created or returned it. */
		isOfThisRun: boolean;
	},
): Tally => ({
	counts: {
		existing: isOfThisRun ? 0 : 1,
		repeated: isOfThisRun ? 1 : 0,
		several: others > 0 ? 1 : 0,
		different: differences.some(isOfContent) ? 1 : 0,
		otherTime: differences.length > 0 && !differences.some(isOfContent) ? 1 : 0,
	},
	say: ({ existing = 0, repeated = 0, several = 0, different = 0, otherTime = 0 }) => [
		...(existing > 0
			? [
					existing === 1
						? `1 ${what} already existed. The node returned it as stored and did not create it again.`
						: `${existing} ${what}s already existed. The node returned them as stored and did not create them again.`,
				]
			: []),
		...(repeated > 0
			? [
					`${haveTheSame(what, repeated)}, and ${repeated === 1 ? 'returns' : 'return'} that ${what}.`,
				]
			: []),
		...(several > 0 ? [`More than one ${what} exists for ${count(several, 'item')}.`] : []),
		...(different > 0
			? [
					different === 1
						? `1 existing ${what} differs from its item. Use Update to change it.`
						: `${different} existing ${what}s differ from their items. Use Update to change them.`,
				]
			: []),
		...(otherTime > 0
			? [
					otherTime === 1
						? `1 existing ${what} has a different time than its item. The node does not change it.`
						: `${otherTime} existing ${what}s have a different time than their items. The node does not change it.`,
				]
			: []),
	],
});

const haveTheSame = (what: string, items: number): string =>
	`${count(items, 'item')} ${items === 1 ? 'has' : 'have'} the same ${what} as an earlier item of this run`;

/** A computed time differs in each run. That alone does not make it a different record. */
const isOfContent = (difference: string): boolean => difference !== 'scheduled_at';

const shownId = ({ id }: JsonRecord): string => (typeof id === 'string' ? ` (${id})` : '');

/** `what` names the record and its key. */
export const alreadyExists = (
	{ record }: Existing,
	{
		what,
		butDiffers = '',
		remedy,
		details,
		isOurs = false,
	}: {
		what: string;
		butDiffers?: string;
		remedy: string;
		details: JsonRecord;
		/** Whether an earlier attempt of the item has created it. */
		isOurs?: boolean;
	},
): InputError =>
	new InputError(
		isOurs
			? `An earlier attempt at this item created the ${what}${shownId(record)}${butDiffers}`
			: `A ${what} already exists${shownId(record)}${butDiffers}`,
		remedy,
		{ code: 'already_exists', ...details },
		isOurs ? 'Nothing was changed' : 'Nothing was created',
	);

export const wouldBeReturned = (what: string, { record }: Existing): string =>
	`The ${what} already exists${shownId(record)}, so the node would return it without sending anything.`;

export const plannedBefore = (what: string): string =>
	`An earlier item of this run creates the same ${what}, so nothing would be sent for this one.`;

/** The failure of a request whose record has not appeared. */
export const stillUnknown = (
	failure: ApiFailure,
	{ what, looks, doubt }: { what: string; looks: number; doubt?: Error },
): ApiFailure =>
	withFindings(failure, {
		recognisable: true,
		found: [
			looks > 0
				? { kind: 'lookedFor', times: looks }
				: {
						kind: 'notLookedForAfterwards',
						what,
						why: doubt instanceof InputError ? doubt.problem : undefined,
					},
		],
	});

/** Why it is too early to send anything. */
type TooEarly =
	/** A creation whose response was lost may still have an effect. */
	| 'creationLost'
	/** The service has confirmed the record a moment ago, and does not show it now. */
	| 'goneAgain';

const TOO_EARLY: Readonly<
	Record<TooEarly, (what: string) => readonly [why: string, then: string]>
> = {
	creationLost: (what) => [
		`It is not known whether the ${what} was created: it was sent a moment ago but has not appeared yet`,
		`creates the ${what} only if it is still not found`,
	],
	goneAgain: (what) => [
		`The ${what} existed a moment ago but is not found now, and may appear again`,
		`creates the ${what} only if it is still not found`,
	],
};

export function tooEarly(what: string, { ms, why }: { ms: number; why: TooEarly }): OpenWriteError {
	const [message, then] = TOO_EARLY[why](what);
	return new OpenWriteError(
		`${message}. Nothing was sent now`,
		`Run the node again in ${secondsIn(ms)}. The node ${then}. To let the node wait instead, increase "Max Wait (Seconds)".`,
		{ code: 'outcome_unknown', outcome: 'unknown', retryable: true },
	);
}

function secondsIn(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	return seconds === 1 ? 'a second' : `${seconds} seconds`;
}

export const notLookedFor =
	(what: string) =>
	(error: unknown): never => {
		throw error instanceof ApiFailure
			? withFindings(error, {
					found: [{ kind: 'notLookedForBefore', what }],
				})
			: error;
	};

/** What Create or Update has done with a record. */
export type Action = 'created' | 'updated' | 'unchanged';

/** For the hint that counts the results of all items of Create or Update. */
export const countOfWritten = (
	what: string,
	{ action, others, isOfThisRun }: { action: Action; others: number; isOfThisRun: boolean },
): Tally => ({
	counts: { [action]: 1, repeated: isOfThisRun ? 1 : 0, several: others > 0 ? 1 : 0 },
	say: ({ created = 0, updated = 0, unchanged = 0, repeated = 0, several = 0 }) => [
		...(created + updated + unchanged > 1
			? [
					`This run created ${count(created, what)}, updated ${updated} and left ${unchanged} unchanged.`,
				]
			: []),
		...(repeated > 0 ? [`${haveTheSame(what, repeated)}.`] : []),
		...(several > 0
			? [
					`More than one ${what} exists for ${count(several, 'item')}. The node updates the first one in the list and leaves the others unchanged.`,
				]
			: []),
	],
});

export const wouldStay = (what: string, { record }: Existing): string =>
	`The ${what} already exists${shownId(record)} and matches the item, so nothing would be sent.`;

export const wouldBeUpdated = (what: string, { record, differences }: Existing): string =>
	`The ${what} already exists${shownId(record)} and differs in: ${differences.join(', ')}. It would be updated.`;
