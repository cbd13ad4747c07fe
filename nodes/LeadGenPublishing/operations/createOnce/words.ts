/** What the user is told about a record that exists, or may exist. Pure. */
import { ApiFailure, InputError, OpenWriteError, withFindings } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import type { Tally } from '../define';
import type { Existing } from './knownRecords';

/** For the hint that counts the existing records of all items. */
export const countOfExisting = (what: string, { others, differences }: Existing): Tally => ({
	counts: {
		existing: 1,
		several: others > 0 ? 1 : 0,
		different: differences.length > 0 ? 1 : 0,
	},
	say: ({ existing = 0, several = 0, different = 0 }) => [
		`${existing} ${what}${existing === 1 ? '' : 's'} already existed, returned as stored and not created again.`,
		...(several > 0 ? [`Items for which more than one ${what} exists: ${several}.`] : []),
		...(different > 0
			? [`Existing ${what}s that differ from the item: ${different}. Use Update to change them.`]
			: []),
	],
});

const shownId = ({ id }: JsonRecord): string => (typeof id === 'string' ? ` (${id})` : '');

/** `what` names the record with what it is recognised by. */
export const alreadyExists = (
	{ record }: Existing,
	{
		what,
		butDiffers = '',
		remedy,
		details,
	}: {
		what: string;
		butDiffers?: string;
		remedy: string;
		details: JsonRecord;
	},
): InputError =>
	new InputError(
		`A ${what} already exists${shownId(record)}${butDiffers}. Nothing was created`,
		remedy,
		{ code: 'already_exists', ...details },
	);

export const wouldBeReturned = (what: string, { record }: Existing): string =>
	`The ${what} already exists${shownId(record)}, so it would be returned, and nothing would be sent.`;

export const plannedBefore = (what: string): string =>
	`An earlier item of this run creates the same ${what}, so nothing would be sent for this one.`;

/** The failure of a request whose record has not appeared. */
export const stillUnknown = (
	failure: ApiFailure,
	{ what, looks, problem }: { what: string; looks: number; problem?: Error },
): ApiFailure => {
	const why = problem instanceof InputError ? ` ${problem.message.replace(SENT, '')}.` : '';
	return withFindings(failure, {
		recognisable: true,
		found:
			looks > 0
				? `It was looked for ${looks === 1 ? 'once' : `${looks} times`} and had not appeared.`
				: `It could not be checked afterwards whether the ${what} exists.${why}`,
	});
};

const SENT = /\. Nothing was sent$/;

/** A request was sent or answered a moment ago, and may still have an effect. */
export const tooEarly = (what: string, ms: number): OpenWriteError =>
	new OpenWriteError(
		`It is not known whether the ${what} was created: one with the same key was sent a moment ago and cannot be found so far. Nothing was sent now`,
		`Run the node again in ${Math.ceil(ms / 1000)} seconds: it creates the ${what} only if it still does not find it. With a longer "Max Wait (Seconds)" it waits by itself.`,
		{ code: 'outcome_unknown', outcome: 'unknown', retryable: true },
	);

export const notLookedFor =
	(what: string) =>
	(error: unknown): never => {
		throw error instanceof ApiFailure
			? withFindings(error, {
					found: `It was to be checked first whether the ${what} already exists, so nothing was created.`,
				})
			: error;
	};
