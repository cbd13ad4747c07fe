/** Texts that a list shows in part, with a sign of it. Pure. */

/** How a list may shorten a text. */
const ELLIPSIS = /(?:…|\.{3}|\[…\]|\[\.{3}\])\s*$/;

/** The part of a shortened text that is shown. */
export const withoutEllipsis = (text: string): string => text.replace(ELLIPSIS, '');

/**
 * Whether the text ends like a shortened one.
 *
 * @doubt notesInLists
 */
export const isShortened = (text: unknown): boolean =>
	typeof text === 'string' && ELLIPSIS.test(text);
