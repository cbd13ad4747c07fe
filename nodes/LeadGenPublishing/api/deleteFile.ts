/**
 * Deletes an uploaded file. The API document does not show the request, and a service may expect its
 * fields in the body or in the query. They are sent in the body, as in any other write. If the service
 * rejects that request, it has deleted nothing, so the same fields may be sent in the query. Pure: the
 * function that sends is passed in.
 */
import { isSaidByService, outcomeOf, type FailureFacts } from './failure';
import type { JsonRecord } from './schemas';

/** Where the fields are. */
export type FieldsOfFile =
	{ readonly body: JsonRecord; readonly query?: undefined } | { readonly query: JsonRecord };

/** @doubt deleteMediaBody */
export async function deleteFile(
	fields: JsonRecord,
	send: (request: FieldsOfFile) => Promise<unknown>,
): Promise<void> {
	const { failure } = await outcomeOf(send({ body: fields }));
	if (failure === undefined) return;
	if (!rejectsItsShape(failure.facts)) throw failure;
	const { failure: inQuery } = await outcomeOf(send({ query: fields }));
	if (inQuery === undefined) return;
	// If both are rejected, nothing shows that the query was the right place.
	throw rejectsItsShape(inQuery.facts) ? failure : inQuery;
}

const rejectsItsShape = (facts: FailureFacts): boolean =>
	isSaidByService(facts) && !facts.uncertain && isOfShape(facts);

/** Part 7.1: a field is missing, or the service does not support the shape of the request. */
const isOfShape = ({
	status,
	code,
	reason,
}: Pick<FailureFacts, 'status' | 'code' | 'reason'>): boolean =>
	status === 400 && code === 'bad_request' && reason === undefined;
