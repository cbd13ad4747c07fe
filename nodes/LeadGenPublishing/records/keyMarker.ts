/**
 * The unique key of a post, kept as a marker in its internal note:
 *
 *     Approved by marketing
 *     [unique-key: row-42]
 *
 * The node writes it as the last line. It counts anywhere in the note, because people add lines below
 * it. After the key, a marker may carry named values, such as `[unique-key: row-42 sent=1f2e]`. A
 * reader ignores names that it does not know. If the user's own text contains something of this form,
 * perhaps from a copied post or a stranger's comment, its brackets are replaced. Characters that a
 * service might change are percent-encoded, so that the marker is found as it was written. Pure.
 */
import { withoutHalfCharacters } from '../api/controlCharacters';

const MARKER = /\[unique-key: ([\w.~:@+%-]+)((?: [a-z]+=[\w.~:@+%-]+)*)\]/g;
const FORGED = /\[(\s*unique-key\s*:[^[\]\r\n]*)(\]?)/gi;
const UNFINISHED = /\[unique-key: [^[\]\r\n]*$/;

export interface Marker {
	/** The key as it is written in the marker. */
	readonly key: string;
	/** Further values by name, encoded in the same way. */
	readonly values: Readonly<Record<string, string>>;
}

/** A key as a marker holds it. */
const encodedKey = (key: string): string =>
	encodeURIComponent(withoutHalfCharacters(key.normalize('NFC')))
		// These are frequent in keys, and no service changes them.
		.replace(/%(?:3A|40|2B)/g, decodeURIComponent)
		.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The marker of a key, without further values. */
export const markerFor = (key: string): Marker => ({ key: encodedKey(key), values: {} });

export const writeMarker = ({ key, values }: Marker): string =>
	`[unique-key: ${[key, ...Object.entries(values).map((pair) => pair.join('='))].join(' ')}]`;

/** All markers of a note, in their order. */
export function readMarkers(note: unknown): Marker[] {
	if (typeof note !== 'string') return [];
	return [...note.matchAll(MARKER)].map(([, key = '', values = '']) => ({
		key,
		values: Object.fromEntries(
			values
				.trim()
				.split(' ')
				.filter((pair) => pair !== '')
				.map((pair) => pair.split('=') as [string, string]),
		),
	}));
}

/** Whether the note has the marker of this key. */
export const carriesKey = (note: unknown, key: string): boolean =>
	readMarkers(note).some((marker) => marker.key === encodedKey(key));

/** The user's own text with these markers as its last lines. Nothing else in it counts as a marker. */
export function noteWith(note: string | null | undefined, markers: readonly Marker[]): string {
	const written = markers.map(writeMarker);
	const given = note ?? '';
	const own = withoutMarkers(given, written).replace(
		FORGED,
		(_, text: string, end: string) => `(${text}${end && ')'}`,
	);
	if (written.length === 0) return own;
	const ending = written.join('\n');
	return own.trim() === '' ? ending : `${own}\n${ending}`;
}

/** The note with this marker in place of the one with the same key. */
export const withMarker = (note: string, marker: Marker): string =>
	note.replace(MARKER, (found, key: string) => (key === marker.key ? writeMarker(marker) : found));

/** Whether the note ends inside a marker, so that it was cut off. */
export const endsInMarker = (note: unknown): boolean =>
	typeof note === 'string' && UNFINISHED.test(note);

/** Removes these markers from a note that was read together with them. */
function withoutMarkers(note: string, written: readonly string[]): string {
	let own = note;
	for (const marker of written) {
		const at = own.indexOf(marker);
		if (at < 0) continue;
		const [before, after] = [own.slice(0, at), own.slice(at + marker.length)];
		const isOwnLine = /(?:^|[\r\n])$/.test(before) && /^(?:$|\s*[\r\n]|\s*$)/.test(after);
		own = isOwnLine
			? [before.replace(/\r?\n$/, ''), after.replace(/^[^\S\r\n]*(?:\r?\n)?/, '')]
					.filter((part) => part !== '')
					.join('\n')
			: before + after;
	}
	return own;
}
