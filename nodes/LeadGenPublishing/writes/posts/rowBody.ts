/** The body that creates or changes the post of a row, with notes that hold its key. Pure. */
import { type JsonRecord, without } from '../../api/schemas';
import { noteWith, readMarkers, withMarker, type Marker } from '../../records/keyMarker';
import { markedWithFiles, type AttachedFiles } from '../media/filesInMarker';
import type { RequestBody } from '../../panel/parameters/requestBody';
import { hasDocument, hasImages } from './checks';
import { markerIn, type WantedPost } from './comparePost';
import { MEDIA_FIELDS } from './postFields';
import { markedWith } from './lastSent';
import { withNotes } from './notes';
import { POSTS } from './posts';

/** A post has either images or a document, so attached files of one kind replace the other kind. */
export function withoutOtherMedia(
	post: RequestBody,
	attached: AttachedFiles | undefined,
): RequestBody {
	if (attached === undefined) return post;
	const { field } = attached;
	return { ...post, body: { ...without(noMedia(post), field), ...without(post.body, field) } };
}

/** What removes images and documents from a post. */
export const noMedia = ({ isCustom }: Pick<RequestBody, 'isCustom'>): JsonRecord =>
	Object.fromEntries(
		Object.entries({ images: [], document_url: null }).filter(([field]) => !isCustom(field)),
	);

/** The body of a creation. Empty fields are not sent, and the notes hold the key. */
export function newBody(post: RequestBody, wanted: WantedPost): JsonRecord {
	const { key, attached } = wanted;
	const marker = markedWithFiles(markedWith({ key, values: {} }, post.body, wanted), attached);
	const { body } = post;
	const isLeftOut = (field: string): boolean =>
		!post.isCustom(field) &&
		((field === 'images' && !hasImages(body)) || (field === 'document_url' && !hasDocument(body)));
	const kept = Object.entries(body).filter(([field]) => !isLeftOut(field));
	return withNotes({ ...post, body: Object.fromEntries(kept) }, [marker]);
}

/** Only the fields that differ, and the notes if the marker has to record what was sent. */
export function changedBody(
	{ marks }: { marks: boolean },
	{ record, wanted, sent }: { record: JsonRecord; wanted: WantedPost; sent: JsonRecord },
): JsonRecord {
	const { key } = wanted;
	const { notes: stored } = record;
	const marker = markerOf(sent, { before: markerIn(record, key), wanted });
	if ('notes' in sent) return { ...sent, notes: newNotes(String(sent.notes), { stored, marker }) };
	const isMarked = typeof stored === 'string' && POSTS.keysOf(record).includes(key);
	return marks && isMarked ? { ...sent, notes: withMarker(stored, marker) } : sent;
}

/** The marker of the post. Its record of attached files is dropped if the post gets other media. */
function markerOf(
	sent: JsonRecord,
	{ before, wanted }: { before: Marker; wanted: WantedPost },
): Marker {
	const { attached } = wanted;
	const marker = markedWith(before, sent, wanted);
	const hasOtherMedia = MEDIA_FIELDS.some((field) => field in sent);
	return attached !== undefined || hasOtherMedia ? markedWithFiles(marker, attached) : marker;
}

/** Notes with the row's own text. A post with several keys keeps them all. */
function newNotes(own: string, { stored, marker }: { stored: unknown; marker: Marker }): string {
	const others = readMarkers(stored).filter(({ key }) => key !== marker.key);
	return noteWith(own, [...others, marker]);
}
