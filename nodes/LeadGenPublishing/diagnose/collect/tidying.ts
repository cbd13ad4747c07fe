/** Finds and removes what a trial has made, even if its creation got no response. */
import { ASSUMED_FIELDS } from '../../api/assumptions';
import { isOfShape, type FieldsOfFile } from '../../api/deleteFile';
import type { EndpointName } from '../../api/endpoints';
import { CLASSES } from '../../api/policy';
import { isRecord } from '../../api/schemas';
import type { Asked, RequestOutcome, Removal } from '../facts';
import { fitsPath, idIn, recordOf, recordsOf, saysItIsGone } from '../records';
import type { Requests } from './requests';

type Made = 'post' | 'leadMagnet';

interface Tidying {
	readonly clientId: string | undefined;
	readonly tidier: Requests;
}

/** The record may exist unless its creation was certainly rejected, redirected or not sent. */
export const mayBeMade = ({ outcome }: Asked): boolean =>
	outcome.kind === 'refused'
		? CLASSES[outcome.meaning].carriedOut === 'perhaps'
		: outcome.kind !== 'unsent' && outcome.kind !== 'redirected';

/** A service may still be at work on a request whose connection was cut. */
const PAUSES_WITHOUT_RESPONSE = [0, 1_000, 3_000, 6_000] as const;
const PAUSES_AFTER_RESPONSE = [0, 1_000] as const;
const MOST_PAGES = 3;

/** The ID of a record whose creation got no response, or a response without an ID. */
export async function searchFor(
	{ clientId, tidier }: Tidying,
	made: Made,
	{ mark, creation }: { mark: string; creation: Asked },
): Promise<string | undefined> {
	const isOpen = creation.outcome.kind === 'noResponse';
	for (const pause of isOpen ? PAUSES_WITHOUT_RESPONSE : PAUSES_AFTER_RESPONSE) {
		if (pause > 0 && !(await tidier.wait(pause))) return undefined;
		let offset = 0;
		for (let pages = 0; pages < MOST_PAGES; pages += 1) {
			const query = { limit: 100, offset };
			const page = await tidier.send(`${made}.getAll`, { clientId, query, purpose: 'tidying' });
			const records = recordsOf(page);
			const found = records.find((record) => JSON.stringify(record).includes(mark));
			const id = idIn(found);
			if (id !== undefined && fitsPath(id)) return id;
			if (records.length < 100) break;
			offset += records.length;
		}
	}
	return undefined;
}

const ROUNDS = 3;
const REMOVE: Readonly<Record<Made, EndpointName>> = {
	post: 'post.delete',
	leadMagnet: 'leadMagnet.archive',
};

/**
 * Removes a record and reads it, until it is gone. Deleting the trial's own record twice does no
 * harm. An idempotency key is given if the service did not keep the post as a draft.
 */
export async function remove(
	{ clientId, tidier }: Tidying,
	made: Made,
	id: string,
	idempotencyKey?: string,
): Promise<Removal> {
	const deletions: Asked[] = [];
	let look: Asked | undefined;
	let isGone = false;
	for (let round = 1; round <= ROUNDS && !isGone; round += 1) {
		if (round > 1 && !(await tidier.wait(1_000))) break;
		const deletion = await tidier.send(REMOVE[made], {
			clientId,
			id,
			idempotencyKey,
			purpose: 'tidying',
		});
		deletions.push(deletion);
		look = await tidier.send(`${made}.get`, { clientId, id, purpose: 'tidying' });
		// A second deletion that finds nothing shows that the first one worked.
		const isRepeated = round > 1 && deletions[0]?.outcome.kind === 'success';
		isGone = isGoneBy(deletion.outcome, look) || (isRepeated && saysNotFound(deletion.outcome));
	}
	return { deletions, look, isGone };
}

function isGoneBy(deletion: RequestOutcome, look: Asked): boolean {
	if (saysNotFound(look.outcome)) return true;
	if (look.outcome.kind === 'success') return saysItIsGone(recordOf(look) ?? {});
	// The read was inconclusive, so the response to the deletion decides.
	return saysNotFound(deletion) || (deletion.kind === 'success' && !deniesDeletion(deletion.body));
}

export const saysNotFound = (outcome: RequestOutcome): boolean =>
	outcome.kind === 'refused' && (outcome.status === 404 || outcome.status === 410);

/** Whether the response to a deletion says that nothing was deleted. */
function deniesDeletion(body: unknown): boolean {
	const { deleted } =
		isRecord(body) && isRecord(body.data) ? body.data : isRecord(body) ? body : {};
	const isEmptyList = Array.isArray(deleted) && deleted.length === 0;
	return deleted === false || deleted === 0 || deleted === null || isEmptyList;
}

/** Deletes a file by its path, as the node does. No route reads a file, so nothing checks the result. */
export async function removeFile({ clientId, tidier }: Tidying, path: string): Promise<Removal> {
	const deletions: Asked[] = [];
	const fields = { [ASSUMED_FIELDS.mediaPath]: path };
	let request: FieldsOfFile = { body: fields };
	for (let round = 1; round <= ROUNDS; round += 1) {
		if (round > 1 && !(await tidier.wait(1_000))) break;
		const question = { clientId, purpose: 'tidying', ...request } as const;
		const deletion = await tidier.send('media.delete', question);
		deletions.push(deletion);
		const { outcome } = deletion;
		if (saysNotFound(outcome)) return { deletions, isGone: true };
		if (outcome.kind === 'success') {
			const isDenied = deniesDeletion(lastJson(deletion));
			return { deletions, isGone: !isDenied, isDenied };
		}
		if (outcome.kind !== 'refused' || outcome.meaning !== 'refused') continue;
		const rejectsShape = outcome.hasEnvelope && isOfShape(outcome);
		// If both are rejected, the first one says more.
		if (rejectsShape && request.query !== undefined) deletions.pop();
		if (!rejectsShape || request.query !== undefined) break;
		request = { query: fields };
	}
	return { deletions, isGone: false };
}

/** The raw JSON of the last response. The client drops the body of a deletion that it accepts. */
const lastJson = ({ attempts }: Asked): unknown => attempts.at(-1)?.json;
