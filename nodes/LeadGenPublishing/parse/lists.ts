/**
 * Splits a text into several values: one per line, or separated by commas. A comma may also be part
 * of a URL. So in a line with a URL, a comma only separates next to white space, or before another
 * URL or an ID. Pure.
 */
import { isBlank } from './jsonValues';

const URL_START = String.raw`(?:[a-z][a-z0-9+.-]*:\/\/|data:)`;
const UUID = String.raw`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\s*(?:,|$))`;

/**
 * Looks at each character once. A search for the whole scheme would take quadratic time for a long
 * word.
 */
const HOLDS_URL = /[a-z0-9+.-]:\/\/|data:/i;
const COMMA_BETWEEN_ENTRIES = new RegExp(
	String.raw`(?<=^|\s),+|(?<!,),+(?:\s+|(?=${URL_START})|(?=${UUID})|$)`,
	'i',
);

export const entriesOfText = (text: string): unknown[] =>
	withoutEmptyEntries(
		text
			.split(/[\r\n]+/)
			.flatMap((line) => line.split(HOLDS_URL.test(line) ? COMMA_BETWEEN_ENTRIES : ',')),
	);

/** The texts into which templates turn missing values. */
const NOTHING = /^\s*(?:null|undefined)\s*$/;

/** The entries that have a value, with texts trimmed. */
export const withoutEmptyEntries = (list: readonly unknown[]): unknown[] =>
	list
		.filter((entry) => !isBlank(entry) && !(typeof entry === 'string' && NOTHING.test(entry)))
		.map((entry) => (typeof entry === 'string' ? entry.trim() : entry));
