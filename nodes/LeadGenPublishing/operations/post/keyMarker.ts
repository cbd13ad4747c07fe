/**
 * The unique key of a post, kept as a marker that is the last line of its internal note:
 *
 *     Approved by marketing
 *     [unique-key: row-42]
 *
 * Nothing else counts as one, and what a user's text has of that form is written in another way: it
 * may come from a copied post, or from a stranger's comment. Characters that a service might change
 * on the way are percent-encoded, so the marker is found again as it was written. Pure.
 */

const LAST_LINE = /(?:^|[\r\n])\[unique-key: ([\w.~:@+%-]+)\]$/;
const FORGED = /\[(\s*unique-key\s*:[^[\]\r\n]*)(\]?)/gi;
const LONE_SURROGATE = /\p{Surrogate}/gu;

const encoded = (key: string): string =>
	encodeURIComponent(key.normalize('NFC').replace(LONE_SURROGATE, '\ufffd'))
		// Frequent in keys, and plain in every text.
		.replace(/%(?:3A|40|2B)/g, decodeURIComponent)
		.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

export const markerOf = (key: string): string => `[unique-key: ${encoded(key)}]`;

/** The marker of a note, if it has one. */
export function markerIn(note: unknown): string | undefined {
	const [, key] = (typeof note === 'string' && LAST_LINE.exec(note.trimEnd())) || [];
	return key === undefined ? undefined : `[unique-key: ${key}]`;
}

/** The user's own text with this marker after it; without one, nothing in it counts as a marker. */
export function noteWith(note: string | null | undefined, marker: string | undefined): string {
	const given = note ?? '';
	const isOwn = marker !== undefined && markerIn(given) === marker;
	const own = (
		isOwn
			? given
					.trimEnd()
					.slice(0, -marker.length)
					.replace(/\r?\n$/, '')
			: given
	).replace(FORGED, (_, text: string, end: string) => `(${text}${end && ')'}`);
	if (marker === undefined) return own;
	return own.trim() === '' ? marker : `${own}\n${marker}`;
}
