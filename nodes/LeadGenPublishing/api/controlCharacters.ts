/**
 * What nobody sees, but a terminal, a log or a page obeys: control characters, and the marks that turn
 * the direction of writing round. The joiners inside of emojis and some scripts stay.
 */
const SPACING = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** Line ends and tabs become blanks. */
export const withoutControlCharacters = (text: string): string =>
	text.replace(SPACING, ' ').replace(INVISIBLE, '');

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Half a character, such as one that was cut, becomes the sign for what cannot be shown. */
export const withoutHalfCharacters = (text: string): string =>
	text.replace(LONE_SURROGATE, '\ufffd');
