/** The notes of a post as they are sent: the user's own text, and the marker of the key. */
import type { JsonRecord } from '../../api/schemas';
import type { ItemHints } from '../../item/itemCall';
import { isBlank } from '../../parse/jsonValues';
import { noteWith, type Marker } from '../../records/keyMarker';
import type { RequestBody } from '../../panel/parameters/requestBody';
import { POSTS } from './posts';

/** The body with notes that contain these markers, and nothing else that looks like one. */
export function withNotes({ body, fail }: RequestBody, markers: readonly Marker[]): JsonRecord {
	const { notes } = body;
	if (markers.length === 0)
		return typeof notes === 'string' ? { ...body, notes: noteWith(notes, []) } : body;
	if (notes !== undefined && notes !== null && typeof notes !== 'string') {
		throw fail(
			'notes',
			'is not text, so the Unique Key cannot be added to it',
			'Enter the notes as text.',
		);
	}
	return { ...body, notes: noteWith(notes, markers) };
}

export function warnIfNotKept({ notice }: ItemHints, record: JsonRecord, key: string): void {
	if (!('notes' in record) || POSTS.keysOf(record).includes(key)) return;
	notice(isBlank(record.notes) ? NOTES_EMPTY : NOTES_CHANGED, { type: 'warning' });
}

const NOTES_EMPTY =
	'The service shows empty notes for a new post. If it does not keep notes, a later run cannot recognize the Unique Key and creates the post again.';
const NOTES_CHANGED =
	'The service has changed the notes of a new post, so its Unique Key may not be recognized in another run.';
