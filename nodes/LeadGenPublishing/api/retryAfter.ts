/** How long a response asks to wait. Pure. */
import type { JsonRecord } from './schemas';

/** Longer values are not meant seriously, and may exceed the range of dates. */
const MAX_RETRY_AFTER_MS = 366 * 24 * 3_600_000;

/**
 * `Retry-After` in seconds or as a date; anything else counts as absent. A date is compared with
 * the response's own `Date` if present, because the clocks of two machines differ.
 */
export function readRetryAfter(
	{ 'retry-after': header, date: sentAt }: JsonRecord,
	now: number,
): number | undefined {
	const text = typeof header === 'number' ? String(header) : header;
	if (typeof text !== 'string') return undefined;
	const ms = /^\s*\d+(\.\d+)?\s*$/.test(text)
		? Math.ceil(Number(text) * 1000)
		: readDate(text) - (readDate(sentAt) || now);
	return Number.isNaN(ms) ? undefined : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms));
}

/** `Date.parse` accepts almost anything, such as "-5"; a real date here has a time of day. */
const readDate = (text: unknown): number =>
	typeof text === 'string' && /\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : NaN;
