/**
 * Deletes an uploaded file. The API document does not show the request, and a service may expect its
 * fields in the body or in the query. They are sent in the body, as in any other write. If the service
 * rejects that request, it has deleted nothing, so the same fields may be sent in the query. Pure: the
 * function that sends is passed in.
 */
import { outcomeOf } from './failure';
import { rejectsShape } from './policy';
import type { JsonRecord } from './schemas';

/** Where the fields are. */
export type FieldsOfFile =
	{ readonly body: JsonRecord; readonly query?: undefined } | { readonly query: JsonRecord };

/** @doubt deleteMediaBody */
export async function deleteFile(
	fields: JsonRecord,
	requestWith: (fields: FieldsOfFile) => Promise<unknown>,
): Promise<void> {
	const { failure } = await outcomeOf(requestWith({ body: fields }));
	if (failure === undefined) return;
	if (!rejectsShape(failure.facts)) throw failure;
	const { failure: inQuery } = await outcomeOf(requestWith({ query: fields }));
	if (inQuery === undefined) return;
	// If both are rejected, nothing shows that the query was the right place.
	throw rejectsShape(inQuery.facts) ? failure : inQuery;
}
