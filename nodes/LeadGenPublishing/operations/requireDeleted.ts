import { InputError } from '../api/failure';
import type { JsonRecord } from '../api/schemas';

/** Success of the request is not yet a deletion: the answer may say that nothing was deleted. */
export function requireDeleted({ deleted }: JsonRecord, what: string): void {
	if (deleted !== false) return;
	throw new InputError(
		`The service accepted the request, but answered that the ${what} was not deleted`,
		`Look whether the ${what} is still there, and run this again later.`,
		{ code: 'not_deleted' },
	);
}
