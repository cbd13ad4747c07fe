/**
 * What the updates of posts and lead magnets share: if the response is lost, a read checks whether the
 * update had an effect.
 */
import { type ApiFailure, outcomeOf, withFindings } from '../api/failure';
import { isNotFound } from '../api/policy';
import type { JsonRecord } from '../api/schemas';
import type { WriteCall } from '../item/itemCall';
import { notShown } from '../records/storedValue';

const UPDATED = { post: 'post', leadMagnet: 'lead magnet' } as const;

interface Update {
	readonly resource: keyof typeof UPDATED;
	readonly id: string;
	readonly body: JsonRecord;
}

export async function updateRecord(
	call: WriteCall,
	{ resource, id, body, idempotencyKey }: Update & { idempotencyKey?: string },
): Promise<JsonRecord> {
	const { value, failure } = await outcomeOf(
		call.api.call(`${resource}.update`, { params: { id }, body, idempotencyKey }),
	);
	if (failure === undefined) return { id, ...value.data };
	if (!failure.facts.uncertain) throw failure;
	return await confirmUpdate(call, { resource, id, body, failure });
}

/** The record, if a read shows everything that the failed update has sent. */
export async function confirmUpdate(
	{ api, settled, notice }: WriteCall,
	{ resource, id, body, failure }: Update & { failure: ApiFailure },
): Promise<JsonRecord> {
	const { value, failure: unread } = await outcomeOf(
		api.call(`${resource}.get`, { params: { id } }),
	);
	if (unread !== undefined) {
		const gone = isNotFound(unread);
		throw withFindings(failure, {
			found: [{ kind: gone ? 'notFound' : 'notRead' }],
		});
	}
	const missing = notShown(value.data, body);
	if (missing.length > 0) {
		throw withFindings(failure, {
			found: [{ kind: 'valuesNotShown', fields: missing }],
		});
	}
	settled();
	notice(
		`The response to an update of a ${UPDATED[resource]} was lost, but a later read shows all the new values.`,
	);
	return { id, ...value.data };
}
