/**
 * Whether a client of the agency can be worked for. Promise: everybody who asks (the lists of the
 * editor, the trigger) gets the same answer. The service decides in the end, by a 403; so only a
 * status that says something else than `active` counts against a client. Pure.
 */
import { isRecord, type JsonRecord } from './schemas';

export function isAccessible(client: JsonRecord): boolean {
	const status = isRecord(client.grant) ? client.grant.status : undefined;
	// The grant is shown to agency keys only, and what is not shown does not say no.
	if (typeof status !== 'string' || status.trim() === '') return true;
	return status.trim().toLowerCase() === 'active';
}
