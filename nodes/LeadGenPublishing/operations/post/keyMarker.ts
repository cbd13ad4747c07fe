/**
 * The unique key of a post, kept as a marker at the end of its internal note:
 *
 *     Approved by marketing [unique-key: row-42]
 *
 * Characters that a service might change on the way are percent-encoded, so the marker is found
 * again as it was written. Pure.
 */

const MARKER = /[^\S\r\n]*(?:\r?\n)?[^\S\r\n]*\[unique-key: ([\w.~:/@+%-]+)\]/g;

const LONE_SURROGATE = /\p{Surrogate}/gu;

const encoded = (key: string): string =>
	encodeURIComponent(key.normalize('NFC').replace(LONE_SURROGATE, '\ufffd'))
		// Frequent in keys, and plain in every text.
		.replace(/%(?:3A|40|2B)/g, decodeURIComponent)
		.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

export const markerOf = (key: string): string => `[unique-key: ${encoded(key)}]`;

/** The markers that a note contains, as `markerOf` writes them. */
export const markersIn = (note: unknown): string[] =>
	typeof note === 'string'
		? [...note.matchAll(MARKER)].map(([, key = '']) => `[unique-key: ${key}]`)
		: [];

export const withoutMarkers = (note: string): string => note.replace(MARKER, '');

/** The note with this marker alone, after the user's own text. */
export function withMarkers(note: string | null | undefined, markers: readonly string[]): string {
	const own = withoutMarkers(note ?? '');
	return own.trim() === '' ? markers.join('\n') : `${own}\n${markers.join('\n')}`;
}
