/** Compares a stored post with the one that would be sent. Pure. */
import type { JsonRecord } from '../../api/schemas';
import { isBlank } from '../../parameters/parse/emptiness';
import { parseIsoDateTime } from '../../parameters/parse/dateTime';
import { comparable } from '../createOnce/comparable';

/** The service may store a time without its seconds. */
const SAME_TIME_MS = 60_000;

export const hasText = (record: JsonRecord, sent: JsonRecord): boolean =>
	comparable(String(record.text ?? '')) === comparable(String(sent.text ?? ''));

export function hasTime(record: JsonRecord, sent: JsonRecord): boolean {
	const { scheduled_at: stored, status } = record;
	if (isBlank(stored))
		// A post that is published need not show its time any more.
		return isBlank(sent.scheduled_at) || status === 'published' || status === 'publishing';
	const [a, b] = [instantOf(stored), instantOf(sent.scheduled_at)];
	return a === undefined || b === undefined
		? stored === sent.scheduled_at
		: Math.abs(a - b) < SAME_TIME_MS;
}

/** What a record does not show is not known to differ. */
export const differs = (record: JsonRecord, sent: JsonRecord): boolean =>
	(!isBlank(record.text) && !hasText(record, sent)) ||
	(!isBlank(record.scheduled_at) && !isBlank(sent.scheduled_at) && !hasTime(record, sent));

function instantOf(time: unknown): number | undefined {
	const parsed = typeof time === 'string' ? parseIsoDateTime(time) : undefined;
	return parsed && parsed.wall - (parsed.offset ?? 0);
}
