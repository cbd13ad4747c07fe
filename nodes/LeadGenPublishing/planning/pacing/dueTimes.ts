/**
 * Finds the due times in a request for the network. The API document does not show its structure, so
 * every field whose name suggests a due time counts, at the top and one level below. Pure.
 */
import { isRecord, type JsonRecord } from '../../api/schemas';
import { parseDateTime } from '../../panel/parameters/parse/dateTime';
import { isBlank } from '../../panel/parameters/parse/jsonValues';

export interface DueTimes {
	readonly times: readonly number[];
	/** A value in the place of a due time that cannot be parsed. */
	readonly unreadable: readonly string[];
}

interface Reading {
	/** The zone of times that name none. */
	readonly timeZone: string;
	/** The field named by the user. */
	readonly field?: string;
}

/** Names that clearly mean a due time. */
const DUE = /sched|due|send|publish|post|run|execut|deliver|fire|when/i;
const TIME =
	/(^|_)(at|on|time|date|datetime|timestamp)$|(At|On|Time|Date|DateTime|Timestamp)$|^when$/;
/** Names of times with another meaning. */
const OTHER = /creat|updat|delet|modif|expir|until|^(ends?|ended|read)(_|[A-Z]|$)|fetch|sync|birth/;

/**
 * @doubt followupFields
 * @doubt socialActionFields
 */
export function dueTimesOf(body: JsonRecord, reading: Reading): DueTimes {
	const own = dueTimeOf(body, reading);
	// An action may contain its time on both levels; the upper one counts.
	if (own.times.length > 0) return own;
	const within = Object.values(body)
		.flatMap(inner)
		.map((record) => dueTimeOf(record, reading));
	return {
		times: within.flatMap(({ times }) => times),
		unreadable: [...own.unreadable, ...within.flatMap(({ unreadable }) => unreadable)],
	};
}

/** At most one: the field whose name is the clearest. */
function dueTimeOf(record: JsonRecord, { field, timeZone }: Reading): DueTimes {
	const named = Object.entries(record).filter(([name, value]) =>
		isBlank(value)
			? false
			: field === undefined
				? TIME.test(name) && !OTHER.test(name)
				: name === field,
	);
	const read = named.map(([name, value]) => ({ name, value, time: timeOf(value, timeZone) }));
	const times = read.filter(({ time }) => time !== undefined);
	const chosen = times.find(({ name }) => DUE.test(name)) ?? times[0];
	if (chosen?.time !== undefined) return { times: [chosen.time], unreadable: [] };
	const unread = read.find(({ name }) => field !== undefined || DUE.test(name));
	return { times: [], unreadable: unread === undefined ? [] : [JSON.stringify(unread.value)] };
}

const inner = (value: unknown): JsonRecord[] =>
	Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];

/** More lenient than parameters: the value is sent as given, and only compared here. */
function timeOf(value: unknown, timeZone: string): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	const number = /^\d{10}(\d{3})?$/.test(text) ? Number(text) : value;
	if (typeof number === 'number' && number > 1e9) return number * (number < 1e11 ? 1000 : 1);
	// A date alone means its first moment.
	return (parseDateTime(value, timeZone) ?? parseDateTime(`${text}T00:00`, timeZone))?.instant;
}
