/**
 * Finds the due times in the body of a social action. The API document does not show that body,
 * so every field counts whose name sounds like one, at the top and one level down. Pure.
 */
import { isRecord, type JsonRecord } from '../../api/schemas';

/** The name says outright that something is to happen then. */
const DUE = /sched|due|send|publish|post|run|execut|deliver|fire|when/i;
const TIME =
	/(^|_)(at|on|time|date|datetime|timestamp)$|(At|On|Time|Date|DateTime|Timestamp)$|^when$/;
/** Times which say something else. */
const OTHER = /creat|updat|delet|modif|expir|until|^(ends?|ended|read)(_|[A-Z]|$)|fetch|sync|birth/;

export function dueTimesOf(body: JsonRecord, field?: string): number[] {
	const own = dueTimeOf(body, field);
	// One action may name its time twice, above and below: the upper one counts.
	return own.length > 0
		? own
		: Object.values(body)
				.flatMap(inner)
				.flatMap((record) => dueTimeOf(record, field));
}

/** At most one: the field that says most clearly that it is the due time. */
function dueTimeOf(record: JsonRecord, field: string | undefined): number[] {
	const entries = Object.entries(record);
	const named = ([name]: [string, unknown]) =>
		field === undefined ? TIME.test(name) && !OTHER.test(name) : name === field;
	const times = entries.filter(named).flatMap(([name, value]) => {
		const time = timeOf(value);
		return time === undefined ? [] : [{ name, time }];
	});
	const chosen = times.find(({ name }) => DUE.test(name)) ?? times[0];
	return chosen === undefined ? [] : [chosen.time];
}

const inner = (value: unknown): JsonRecord[] =>
	Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];

function timeOf(value: unknown): number | undefined {
	const time =
		typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value.trim())
			? Date.parse(value.trim())
			: typeof value === 'number' && value > 1e9
				? value * (value < 1e11 ? 1000 : 1)
				: NaN;
	return Number.isNaN(time) ? undefined : time;
}
