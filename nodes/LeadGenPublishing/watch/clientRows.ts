/**
 * An agency's client as a record of its own list, so that it is compared, delivered and remembered
 * like any other record: its ID, its status and the times of its grant, next to the client as
 * the service shows it. Pure.
 */
import { isAccessible } from '../api/grant';
import { isRecord, type JsonRecord } from '../api/schemas';
import type { ItemClient } from '../panel/output/record';
import { updatedAt } from '../records/times';

/** The status of a client that the service no longer lists. */
export const GONE = 'gone';
/** A listed client whose grant shows no status. The service lists clients that are accessible. */
const ACTIVE = 'active';

const grantOf = ({ grant }: JsonRecord): JsonRecord => (isRecord(grant) ? grant : {});

export function statusOfClient(client: JsonRecord): string {
	const { status } = grantOf(client);
	const shown = typeof status === 'string' ? status.trim() : '';
	return shown === '' ? ACTIVE : shown;
}

export function listedClient(id: string, client: JsonRecord): JsonRecord {
	const { created_at, updated_at } = grantOf(client);
	return { id, status: statusOfClient(client), created_at, updated_at, client };
}

/** Without its grant, which is no longer what was last shown. */
export function goneClient(id: string, known: Partial<ItemClient> = {}): JsonRecord {
	const { full_name, business_name } = known;
	return { id, status: GONE, client: { user_id: id, full_name, business_name } };
}

/** The client as the service shows it. */
export const clientIn = ({ client }: JsonRecord): JsonRecord => (isRecord(client) ? client : {});

/**
 * A client may be listed several times, with a grant each. One that is active is enough. Otherwise
 * the grant that was updated last counts, whatever the order of the list.
 */
export function decisiveRow(one: JsonRecord, other: JsonRecord): JsonRecord {
	if (isAccessible(one) !== isAccessible(other)) return isAccessible(one) ? one : other;
	const [first, second] = [one, other].map((row) => updatedAt(grantOf(row)) ?? 0) as [
		number,
		number,
	];
	if (first !== second) return first > second ? one : other;
	return statusOfClient(one) <= statusOfClient(other) ? one : other;
}
