/** The notes of a post as they are sent: the user's own text, and the marker of the key. */
import type { InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';
import { noteWith, type Marker } from '../../records/keyMarker';
import type { RequestBody } from '../../panel/parameters/requestBody';

/** The body with notes that contain these markers, and nothing else that looks like one. */
export function withNotes({ body, fail }: RequestBody, markers: readonly Marker[]): JsonRecord {
	const { notes } = body;
	if (markers.length === 0)
		return typeof notes === 'string' ? { ...body, notes: noteWith(notes, []) } : body;
	if (!canHoldKey(notes)) throw cannotHoldKey(fail);
	return { ...body, notes: noteWith(notes, markers) };
}

/** To be called for a post with a unique key before anything is requested. */
export function checkNotes({ body: { notes }, fail }: RequestBody): void {
	if (!canHoldKey(notes)) throw cannotHoldKey(fail);
}

const canHoldKey = (notes: unknown): notes is string | null | undefined =>
	notes === undefined || notes === null || typeof notes === 'string';

const cannotHoldKey = (fail: RequestBody['fail']): InputError =>
	fail('notes', 'is not text, so the Unique Key cannot be added to it', 'Enter the notes as text.');
