/** Words for a list that is not complete. */
import type { Shortfall } from '../api/pageWalker';
import { InputError } from './inputError';

export function shortfallWords(shortfall: Shortfall): string {
	switch (shortfall.kind) {
		case 'endless':
			return `The service reported more records after ${shortfall.read} but did not return any new ones. The node treated this as the end of the list.`;
		case 'tooLong':
			return `The node stopped after ${shortfall.pages} pages with ${shortfall.read} records. The rest of the list is missing.`;
		case 'doubtful':
			return 'The service reported more records than it returned, so some records may be missing.';
	}
}

/** `what` is a plural. */
export const incompleteList = (what: string, remedy = UNSEEN): InputError =>
	new InputError(
		`The list of ${what} is incomplete: the service reported more records than it returned`,
		remedy,
		{ code: 'incomplete_list', retryable: true },
	);

/** `what` is a plural. */
export const movingList = (what: string): InputError =>
	new InputError(`The list of ${what} changed while the node read it, twice in a row`, UNSEEN, {
		code: 'incomplete_list',
		retryable: true,
	});

const UNSEEN = 'A matching record may exist, so nothing was sent. Run the node again later.';

/** `what` is a plural, `why` says what the list does not show. */
export const notAllRead = (
	what: string,
	{ why, left, of }: { why: string; left: number; of: number },
): InputError =>
	new InputError(
		`${why}, so the node reads them one by one: ${of - left} of ${of} were read within "Max Wait (Seconds)"`,
		`Run the node again. The node continues with the other ${what}. To read all of them in one run, increase "Max Wait (Seconds)".`,
		{ code: 'not_all_read', retryable: true },
		'Nothing was sent',
	);
