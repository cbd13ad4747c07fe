/**
 * The unique key of a post, kept as a marker in its internal note:
 *
 *     Approved by marketing
 *     [unique-key: row-42]
 *
 * The node writes it as the last line. It counts anywhere in the note, because people add lines below
 * it. After the key, a marker may carry named values, such as `[unique-key: row-42 sent=1f2e]`. A
 * reader ignores names that it does not know.
 *
 * The frame is read as generously as texts are compared, because a service may escape brackets or
 * change spaces. The key has to be exact. Characters of a key that a service might change are
 * percent-encoded. If the user's own text contains something that a reader would accept, perhaps from
 * a copied post or a stranger's comment, its brackets are replaced. Both use `framesIn`. Pure.
 */
import { withoutHalfCharacters } from '../api/controlCharacters';
import { placedText } from './plainText';

const MARKER = /\[\s*unique-key\s*:\s*([\w.~:@+%-]+)((?:\s+[a-z]+=[\w.~:@+%-]+)*)\s*\]/y;
/** Also what only begins like a marker. */
const FRAME = /\[\s*unique-key\s*:[^[\]\n]*\]?/gi;
const UNFINISHED = /\[\s*unique-key\s*:[^[\]\n]*$/i;
/** A service may remove HTML tags. */
const TAG = /<\/?[a-z][^<>]*>/gi;
/** Full-width characters, which a service may replace with the usual ones. */
const WIDE = /[\uff01-\uff5e]/g;
const WIDTH = 0xfee0;

export interface Marker {
	/** The key as it is written in the marker. */
	readonly key: string;
	/** Further values by name, encoded in the same way. */
	readonly values: Readonly<Record<string, string>>;
}

/** A place in a note: a marker, or something that begins like one. */
interface Frame {
	readonly from: number;
	readonly to: number;
	readonly plain: string;
	readonly marker?: Marker;
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

const plainNote = (note: string) =>
	placedText(
		note.replace(WIDE, (char) => String.fromCharCode(char.charCodeAt(0) - WIDTH)),
		TAG,
	);

/** Most notes contain nothing that could be a marker, in whichever way it is written. */
const MAY_HOLD_FRAME = /[[&\uff3b]/;

function framesIn(note: string): Frame[] {
	if (!MAY_HOLD_FRAME.test(note)) return [];
	const { text, places } = plainNote(note);
	const frames: Frame[] = [];
	for (const { 0: found, index } of text.matchAll(FRAME)) {
		MARKER.lastIndex = index;
		const read = MARKER.exec(text);
		const plain = read?.[0] ?? found;
		const [from = 0, to = note.length] = [places[index], places[index + plain.length]];
		frames.push({ from, to, plain, marker: read ? markerOf(read) : undefined });
	}
	return frames;
}

const markerOf = ([, key = '', values = '']: RegExpExecArray): Marker => ({
	key,
	values: Object.fromEntries(
		values
			.split(/\s+/)
			.filter((pair) => pair !== '')
			.map((pair) => pair.split('=') as [string, string]),
	),
});

/** All markers of a note, in their order. */
export const readMarkers = (note: unknown): Marker[] =>
	typeof note === 'string' ? framesIn(note).flatMap(({ marker }) => marker ?? []) : [];

/** Whether the note has the marker of this key. */
export const carriesKey = (note: unknown, key: string): boolean =>
	readMarkers(note).some((marker) => marker.key === encodedKey(key));

/** The user's own text with these markers as its last lines. Nothing else in it counts as a marker. */
export function noteWith(note: string | null | undefined, markers: readonly Marker[]): string {
	const own = withoutFrames(withoutMarkers(note ?? '', markers));
	if (markers.length === 0) return own;
	const ending = markers.map(writeMarker).join('\n');
	return own.trim() === '' ? ending : `${own}\n${ending}`;
}

/** The note with this marker in place of the one with the same key. */
export const withMarker = (note: string, marker: Marker): string =>
	replacedFrames(note, ({ marker: found }) =>
		found?.key === marker.key ? writeMarker(marker) : undefined,
	);

/** Whether the note ends inside a marker, so that it was cut off. */
export const endsInMarker = (note: unknown): boolean =>
	typeof note === 'string' && MAY_HOLD_FRAME.test(note) && UNFINISHED.test(plainNote(note).text);

/** Undefined leaves a frame as it is. */
function replacedFrames(note: string, replacement: (frame: Frame) => string | undefined): string {
	let [result, done] = ['', 0];
	for (const frame of framesIn(note)) {
		const text = replacement(frame);
		if (text === undefined) continue;
		result += note.slice(done, frame.from) + text;
		done = frame.to;
	}
	return result + note.slice(done);
}

/** Replaces the brackets of everything that a reader could take for a marker. */
function withoutFrames(note: string): string {
	let own = note;
	// What is left around a replaced part may form another one.
	while (framesIn(own).length > 0)
		own = replacedFrames(
			own,
			({ plain }) => `(${plain.slice(1).replace(/\[/g, '(').replace(/\]$/, ')')}`,
		);
	return own;
}

/** Removes these markers from a note that was read together with them. */
function withoutMarkers(note: string, markers: readonly Marker[]): string {
	const keys = new Set(markers.map(({ key }) => key));
	let own = note;
	for (;;) {
		const frame = framesIn(own).find(({ marker }) => marker !== undefined && keys.has(marker.key));
		if (frame === undefined) return own;
		const [before, after] = [own.slice(0, frame.from), own.slice(frame.to)];
		const isOwnLine = /(?:^|[\r\n])$/.test(before) && /^(?:$|\s*[\r\n]|\s*$)/.test(after);
		own = isOwnLine
			? [before.replace(/\r?\n$/, ''), after.replace(/^[^\S\r\n]*(?:\r?\n)?/, '')]
					.filter((part) => part !== '')
					.join('\n')
			: before + after;
	}
}
