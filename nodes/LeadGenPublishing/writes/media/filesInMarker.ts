/**
 * The files that were attached to a post, as its marker records them:
 *
 *     [unique-key: row-42 files=2.81920.k3J9xQ0aZb1LmN2p]
 *
 * The URLs of files are unknown before the upload, so posts are compared by this. Pure.
 */
import type { JsonRecord } from '../../api/schemas';
import { isNothing } from '../../records/storedValue';
import { readMarkers, type Marker } from '../../records/keyMarker';
import { digestOfFiles, type AttachedMedia } from './attachedMedia';

/** The name of the value in the marker. */
const FILES = 'files';

export interface AttachedFiles {
	/** The field of the post that gets their URLs. */
	readonly field: 'images' | 'document_url';
	/** Recognizes the same files in another run. */
	readonly digest: string;
}

export const attachedFiles = (media: AttachedMedia): AttachedFiles => ({
	field: media.kind === 'images' ? 'images' : 'document_url',
	digest: digestOfFiles(media),
});

/** The marker of a post with these files. Without files, the marker names none. */
export function markedWithFiles(
	{ key, values }: Marker,
	attached: AttachedFiles | undefined,
): Marker {
	const others = Object.entries(values).filter(([name]) => name !== FILES);
	const own = attached === undefined ? [] : [[FILES, attached.digest] as const];
	return { key, values: Object.fromEntries([...others, ...own]) };
}

/** Whether the marker records any files. */
export const namesFiles = ({ values }: Marker): boolean => FILES in values;

/** Whether the notes say that the post with this key has these files. */
export const carriesFiles = (notes: unknown, key: string, { digest }: AttachedFiles): boolean =>
	readMarkers(notes).some((marker) => marker.key === key && marker.values[FILES] === digest);

/** Whether the post certainly has the files, and nobody has removed them since. */
export function hasFiles(record: JsonRecord, key: string, attached: AttachedFiles): boolean {
	const { [attached.field]: stored, notes } = record;
	return carriesFiles(notes, key, attached) && (stored === undefined || !isNothing(stored));
}
