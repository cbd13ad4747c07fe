/**
 * Whether the agency has an active grant for a client. The lists in the editor and the trigger
 * share this rule. In the end the service decides with a 403, so only a status other than `active`
 * counts against a client. Pure.
 */
import { isRecord, type JsonRecord } from './schemas';

export function isAccessible(client: JsonRecord): boolean {
	const status = isRecord(client.grant) ? client.grant.status : undefined;
	// Only agency keys see the grant. If it is not shown, the client counts as accessible.
	if (typeof status !== 'string' || status.trim() === '') return true;
	return status.trim().toLowerCase() === 'active';
}
