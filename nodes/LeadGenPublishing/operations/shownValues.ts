/**
 * Checks whether a record shows what was sent, which confirms an update whose answer was lost. What
 * the record does not show is not assumed. Pure.
 */
import type { ApiFailure } from '../api/failure';
import { isNotFound, outcomeOf, withFindings } from '../api/outcome';
import { isRecord, type JsonRecord } from '../api/schemas';

/** The record if it shows every value sent; otherwise the failure, with what the read showed. */
export async function recordThatShows(
	sent: JsonRecord,
	{ failure, read }: { failure: ApiFailure; read: () => Promise<JsonRecord> },
): Promise<JsonRecord> {
	const { value: record, failure: unread } = await outcomeOf(read());
	if (unread !== undefined) {
		const gone = isNotFound(unread);
		throw withFindings(failure, {
			found: gone ? 'A read afterwards did not find it.' : 'It could not be read afterwards.',
		});
	}
	const missing = notShown(record, sent);
	if (missing.length === 0) return record;
	throw withFindings(failure, {
		found: `A read afterwards did not show the new ${missing.join(', ')}; the update may still be under way.`,
	});
}

/** The names of sent values that the record does not show. */
const notShown = (record: JsonRecord, sent: JsonRecord): string[] =>
	Object.entries(sent)
		.filter(([name, value]) => !(name in record) || !shows(record[name], value, name))
		.map(([name]) => name);

function shows(stored: unknown, sent: unknown, name = ''): boolean {
	// A post that is published at once is `publishing` at first.
	if (name === 'status' && sent === 'published' && stored === 'publishing') return true;
	if (isNothing(sent)) return isNothing(stored);
	if (typeof sent === 'string' && typeof stored === 'string')
		return isSameText(stored, sent) || isSameTime(stored, sent);
	if (Array.isArray(sent)) {
		return (
			Array.isArray(stored) &&
			stored.length === sent.length &&
			sent.every((value, index) => shows(stored[index], value))
		);
	}
	if (isRecord(sent)) {
		// The service may add fields to an object.
		return isRecord(stored) && notShown(stored, sent).length === 0;
	}
	return stored === sent;
}

const isNothing = (value: unknown): boolean =>
	value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The service may normalise line ends and trim white space. */
export const isSameText = (one: string, other: string): boolean => plain(one) === plain(other);

const plain = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const isSameTime = (one: string, other: string): boolean =>
	TIME.test(one) && TIME.test(other) && Date.parse(one) === Date.parse(other);
