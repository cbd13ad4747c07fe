/**
 * A text without the differences that a service may make when it stores or shows it: escaped HTML
 * (even twice), escaped Markdown, invisible characters, other spaces and line ends. Pure.
 *
 * The rules are applied until nothing changes any more. So the result is the same, however often the
 * service has escaped or unescaped the text.
 */
import { entity } from './entities';

/**
 * What a service may have changed: an entity (a group), an escape of Markdown, an invisible character,
 * a line end, or spaces.
 */
const CHANGED =
	/&(?:(?:amp|#0{0,5}38|#[xX]0{0,5}26);)*(?:(#\d{1,8}|#[xX][\da-fA-F]{1,7}|[A-Za-z][A-Za-z\d]{1,9});)?|\\(?=[!-/:-@[-`{-~])|[\p{Cf}\ufe0e\ufe0f]|\r\n?|[^\S\r\n]+/gu;

function standsFor(found: string, name: string | undefined): string {
	if (found.startsWith('&')) return name === undefined ? '&' : (entity(name) ?? `&${name};`);
	if (found.startsWith('\r')) return '\n';
	return /^\s/.test(found) ? ' ' : '';
}

/** Nobody escapes a text more often than this. */
const MAX_PASSES = 8;

function undone(text: string): string {
	let plain = text;
	for (let pass = 0; pass < MAX_PASSES; pass += 1) {
		const next = plain.replace(CHANGED, standsFor);
		if (next === plain) break;
		plain = next;
	}
	return plain;
}

/** Some services leave at most one blank line. */
const BLANK_LINES = /\n{3,}/g;

/** The form of a text in which it is compared. Lines are also trimmed, and letters composed. */
export const plainText = (text: string): string =>
	undone(text)
		.normalize('NFC')
		.split('\n')
		.map((line) => line.trim())
		.join('\n')
		.trim()
		.replace(BLANK_LINES, '\n\n');

/** Most texts are stored exactly as they were sent, which is quick to check. */
export const isSameText = (one: string, other: string): boolean =>
	one === other || plainText(one) === plainText(other);

/** A plain text that says where each of its characters comes from. */
export interface PlacedText {
	readonly text: string;
	/** The place of each character in the original, and at last the end. */
	readonly places: readonly number[];
}

/** The plain form of a text with the places. `alsoRemoved`: what else does not count. */
export function placedText(text: string, alsoRemoved?: RegExp): PlacedText {
	let placed: PlacedText = { text, places: Array.from({ length: text.length + 1 }, (_, at) => at) };
	for (let pass = 0; pass < MAX_PASSES; pass += 1) {
		const before = placed.text;
		placed = replaced(placed, CHANGED, standsFor);
		if (alsoRemoved !== undefined) placed = replaced(placed, alsoRemoved, () => '');
		if (placed.text === before) break;
	}
	return placed;
}

function replaced(
	{ text, places }: PlacedText,
	pattern: RegExp,
	replacement: (found: string, name: string | undefined) => string,
): PlacedText {
	const parts: string[] = [];
	const from: number[] = [];
	let done = 0;
	const copyUpTo = (end: number): void => {
		parts.push(text.slice(done, end));
		for (let at = done; at < end; at += 1) from.push(places[at] ?? 0);
	};
	for (const match of text.matchAll(pattern)) {
		const [found, name] = match;
		copyUpTo(match.index);
		const plain = replacement(found, name);
		parts.push(plain);
		for (let count = 0; count < plain.length; count += 1) from.push(places[match.index] ?? 0);
		done = match.index + found.length;
	}
	copyUpTo(text.length);
	from.push(places[text.length] ?? 0);
	return { text: parts.join(''), places: from };
}
