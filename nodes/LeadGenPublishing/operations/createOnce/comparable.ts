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

/** Whether it is only the beginning of the whole text, with or without an ellipsis. */
export function isBeginningOf(text: string, whole: string): boolean {
	const compared = comparable(text);
	const beginning = withoutEllipsis(compared);
	const all = comparable(whole);
	return beginning !== '' && compared !== all && all.startsWith(beginning);
}
