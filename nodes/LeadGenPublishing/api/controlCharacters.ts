/**
 * Invisible characters that a terminal, a log or a page obeys: control characters, and marks that
 * change the text direction. The joiners inside emojis and some scripts stay.
 */
const SPACING = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** Line breaks and tabs become spaces. */
export const withoutControlCharacters = (text: string): string =>
	text.replace(SPACING, ' ').replace(INVISIBLE, '');

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Half a character, which remains when a text is cut, becomes the replacement character. */
export const withoutHalfCharacters = (text: string): string =>
	text.replace(LONE_SURROGATE, '\ufffd');
