/** Text in the form in which a stored text is compared with the one that was sent. Pure. */

const ENTITIES: Readonly<Record<string, string>> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&#34;': '"',
	'&#x22;': '"',
	'&apos;': "'",
	'&#39;': "'",
	'&#x27;': "'",
	'&#47;': '/',
	'&#x2f;': '/',
};

/** The service may normalise line ends and letters, trim white space, and escape HTML. */
export const comparable = (text: string): string =>
	text
		.replace(/&(?:\w+|#\w+);/g, (found) => ENTITIES[found.toLowerCase()] ?? found)
		.normalize('NFC')
		.replace(/\r\n?/g, '\n')
		.trim();

const ELLIPSIS = /\s*(?:…|\.{3}|\[…\]|\[\.{3}\])$/;

/** Excerpts end with an ellipsis. */
export const withoutEllipsis = (text: string): string => text.replace(ELLIPSIS, '');

/** A stored text, in the form in which it is compared with many others. */
export interface Shown {
	readonly whole: string;
	/** Without the ellipsis at its end, if it has one. */
	readonly beginning: string;
}

export function shown(text: string): Shown {
	const whole = comparable(text);
	return { whole, beginning: withoutEllipsis(whole) };
}

/** Whether it is only the beginning of a text that is comparable already. */
export const isBeginning = ({ whole, beginning }: Shown, wanted: string): boolean =>
	beginning !== '' && whole !== wanted && wanted.startsWith(beginning);

/** Whether it is only the beginning of the whole text, with or without an ellipsis. */
export const isBeginningOf = (text: string, whole: string): boolean =>
	isBeginning(shown(text), comparable(whole));
