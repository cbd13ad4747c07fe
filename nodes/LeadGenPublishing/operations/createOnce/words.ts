/** What the user is told about a record that exists, or may exist. Pure. */
import { InputError, OpenWriteError, type ApiFailure } from '../../api/failure';
import { withFindings } from '../../api/outcome';
import type { Tally } from '../define';
import type { Existing } from './uniqueRecord';

/** For the hint that counts the existing records of all items. */
export const countOfExisting = (what: string, { others, differences }: Existing): Tally => ({
	counts: {
		existing: 1,
		several: others > 0 ? 1 : 0,
		different: differences.length > 0 ? 1 : 0,
	},
	say: ({ existing = 0, several = 0, different = 0 }) => [
		existing === 1
			? `1 ${what} already existed and was returned as stored; nothing was created for it.`
			: `${existing} ${what}s already existed and were returned as stored; nothing was created for them.`,
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

export const shownId = (id: unknown): string => (typeof id === 'string' ? ` (${id})` : '');

export const wouldBeReturned = (what: string, { record: { id } }: Existing): string =>
	`The ${what} already exists${shownId(id)}, so it would be returned, and nothing would be sent.`;

export const plannedBefore = (what: string): string =>
	`An earlier item of this run creates the same ${what}, so nothing would be sent for this one.`;

/** The failure of a request whose record has not appeared. */
export const stillUnknown = (
	failure: ApiFailure,
	{ what, looks, problem }: { what: string; looks: number; problem?: Error },
): ApiFailure =>
	withFindings(failure, {
		recognisable: true,
		found:
			looks > 0
				? `It was looked for ${looks === 1 ? 'once' : `${looks} times`} and had not appeared.`
				: [
						`It could not be checked afterwards whether the ${what} exists.`,
						...(problem instanceof InputError ? [`${problem.message.replace(SENT, '')}.`] : []),
					].join(' '),
	});

const SENT = /\. Nothing was sent$/;

/** The refusal of a request that was sent although the answer to another one had been lost. */
export const afterLostRequest = (failure: ApiFailure): ApiFailure =>
	withFindings(failure, {
		found:
			'An earlier request, whose answer was lost, had shown no result before this one was sent.',
	});

/** A request was sent or answered a moment ago, and may still have an effect. */
export const tooEarly = (what: string, ms: number): OpenWriteError =>
	new OpenWriteError(
		`It is not known whether the ${what} was created: one with the same key was sent a moment ago and cannot be found so far. Nothing was sent now`,
		`Run the node again in ${Math.ceil(ms / 1000)} seconds: it creates the ${what} only if it still does not find it. With a longer "Max Wait (Seconds)" it waits by itself.`,
		{ code: 'outcome_unknown', outcome: 'unknown', retryable: true },
	);

export const notLookedFor = (failure: ApiFailure, what: string): ApiFailure =>
	withFindings(failure, {
		found: `It was to be checked first whether the ${what} already exists, so nothing was created.`,
	});
