/**
 * Whether a stored value is what was sent, for records with a unique key and for updates whose
 * response was lost. Nothing is assumed about fields that a record does not show. Pure. The time
 * grows linearly with the length of a text.
 */
import { isRecord, type JsonRecord } from '../api/schemas';
import { parseIsoDateTime } from '../parse/dateTime';
import { isBlank } from '../parse/jsonValues';
import { isSameText } from './plainText';
import { postStatus } from './postStatus';

/** Statuses that follow a sent status without another request. */
const BECOMES: Readonly<Record<string, readonly unknown[]>> = {
	scheduled: ['publishing', 'published'],
	published: ['publishing'],
};

/** A service may show a status in another case. */
function isSameStatus(stored: unknown, sent: unknown): boolean {
	const [shown, wanted] = [postStatus(stored), postStatus(sent)];
	return (
		!isNothing(sent) && (shown === wanted || BECOMES[String(wanted)]?.includes(shown) === true)
	);
}

export function isSameValue(stored: unknown, sent: unknown, name = ''): boolean {
	if (name === 'status' && isSameStatus(stored, sent)) return true;
	if (isNothing(sent)) return isNothing(stored);
	if (typeof sent === 'string' && typeof stored === 'string')
		return isSameText(stored, sent) || isSameTime(stored, sent);
	// The service may show a URL or an ID inside an object with more details.
	if (typeof sent === 'string' && isRecord(stored)) return Object.values(stored).includes(sent);
	if (Array.isArray(sent)) {
		return (
			Array.isArray(stored) &&
			stored.length === sent.length &&
			sent.every((value, index) => isSameValue(stored[index], value))
		);
	}
	// The service may add fields to an object.
	if (isRecord(sent)) return isRecord(stored) && notShown(stored, sent).length === 0;
	return stored === sent;
}

/** The names of sent values that the record does not show. */
export const notShown = (record: JsonRecord, sent: JsonRecord): string[] =>
	Object.entries(sent)
		.filter(([name, value]) => !(name in record) || !isSameValue(record[name], value, name))
		.map(([name]) => name);

/** Whether a field has no value. A service may store that as null, as empty text or as an empty list. */
export const isNothing = (value: unknown): boolean =>
	isBlank(value) || (Array.isArray(value) && value.length === 0);

/** The service may store a time without its seconds. */
function isSameTime(stored: string, sent: string): boolean {
	const [one, other] = [instantOf(stored), instantOf(sent)];
	if (one === undefined || other === undefined) return false;
	return one === other || one === other - (other % 60_000);
}

/** In ms. A time without a zone is read as UTC. */
export function instantOf(time: unknown): number | undefined {
	const parsed = typeof time === 'string' ? parseIsoDateTime(time) : undefined;
	return parsed && parsed.wall - (parsed.offset ?? 0);
}

const FRACTION = /[.,]\d*[1-9]/;

/**
 * The first whole second that is not before a time of the service, in ms: the time may be finer than
 * milliseconds, and what is sent must not be earlier.
 */
export function wholeSecondFrom(time: unknown): number | undefined {
	const instant = instantOf(time);
	if (instant === undefined || !FRACTION.test(String(time))) return instant;
	return instant - (instant % 1_000) + 1_000;
}
