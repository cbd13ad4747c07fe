/** Texts that a list shows in part, with a sign of it. Pure. */

const ELLIPSIS = /(?:…|\.{3}|\[…\]|\[\.{3}\])\s*$/;

/** The part of a shortened text that is shown. */
export const withoutEllipsis = (text: string): string => text.replace(ELLIPSIS, '');

/** Whether the text ends as one that was shortened does. */
export const isShortened = (text: unknown): boolean =>
	typeof text === 'string' && ELLIPSIS.test(text);
