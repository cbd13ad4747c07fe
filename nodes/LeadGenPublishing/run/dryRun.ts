/**
 * Runs a write up to the request that would change something, and returns that request instead.
 * Parameters are checked and reads are sent, but nothing is remembered, because a dry run is not an
 * attempt.
 */
import { isWrite } from '../api/endpoints';
import type { PlannedRequest } from '../api/request';
import type { JsonRecord } from '../api/schemas';
import { RequestHeld, type BoundApi } from '../item/itemCall';
import type { Operation, ItemCall } from '../operations/operation';

export async function runDry(operation: Operation, call: ItemCall): Promise<JsonRecord> {
	const notes: string[] = [];
	const held = await operation
		.run({
			...call,
			isDryRun: true,
			api: holding(call.api),
			notice: (message) => notes.push(message),
			count: ({ counts, say }) => notes.push(...say(counts)),
		})
		.then(() => undefined)
		.catch((error: unknown) => {
			if (error instanceof RequestHeld) return error.request;
			throw error;
		});
	if (held === undefined) return { dry_run: true, request: null, notes };
	const { method, path, body = null } = held;
	return {
		dry_run: true,
		request: { method, path, body },
		notes: [...notes, ...notesOn(held, call), ...(operation.dryRunNotes ?? [])],
	};
}

const holding = (api: BoundApi): BoundApi => ({
	...api,
	call: async (name, options) => {
		if (!isWrite(name)) return await api.call(name, options);
		throw new RequestHeld(api.planned(name, options));
	},
});

function notesOn({ etag, idempotencyKey }: PlannedRequest, { input }: ItemCall): string[] {
	const options = input.collection('options');
	const isKnown = options.has('idempotencyKey') || options.has('uniqueKey');
	return [
		...(etag === undefined ? [] : [`The update would apply to the version "${etag}" of the post.`]),
		// Without the user's own key, each execution generates another one.
		...(idempotencyKey !== undefined && isKnown
			? [`The request would carry the idempotency key "${idempotencyKey}".`]
			: []),
	];
}
