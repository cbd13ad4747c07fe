/** Parameters that hold a date with a time, as ISO 8601 in UTC. */
import { labelOf } from '../parameters/labels';
import { DATE_TIME_EXAMPLE, parseDateTime } from '../../parse/dateTime';
import { isBlank } from '../../parse/jsonValues';
import { wallOf } from '../../parse/wallClock';
import type { Values } from '../parameters/values';
import type { Notice } from './notice';

export interface MomentContext {
	/** The zone of a time that names none; n8n's date picker stores no zone. */
	readonly timeZone: string;
	readonly notice: Notice;
}

const NOT_A_DATE = `is not an ISO 8601 date and time, such as ${DATE_TIME_EXAMPLE}`;
const remedyIn = (timeZone: string): string =>
	`Use year-month-day, "T", hour:minute and, if known, the zone: 2030-01-31T09:30+01:00, 2030-01-31T08:30Z, or 2030-01-31T09:30 for the time in ${timeZone}. An expression may also return a Luxon date. For dates from a spreadsheet: {{ DateTime.fromFormat($json.date, 'dd/MM/yyyy HH:mm').toFormat("yyyy-MM-dd'T'HH:mm") }}.`;

/** Spreadsheets store a time as days since 1899, if they do not format it. */
const isDayNumber = (value: unknown): boolean =>
	typeof value === 'number' && value > 0 && value < 100_000;
const OF_DAY_NUMBER = `This is a day number of a spreadsheet. Use {{ $json.date.toDateTime('excel').toUTC().plus({ seconds: 1 }).toFormat("yyyy-MM-dd'T'HH:mm") }}.`;

export function readMoment(
	values: Values,
	name: string,
	{ timeZone, notice }: MomentContext,
): string | undefined {
	const value = values.raw(name);
	if (isBlank(value)) return undefined;
	const occurrence = parseDateTime(value, timeZone);
	if (occurrence === undefined)
		throw values.fail(name, NOT_A_DATE, isDayNumber(value) ? OF_DAY_NUMBER : remedyIn(timeZone));
	const { instant, irregular } = occurrence;
	if (irregular !== undefined) {
		const label = labelOf(name);
		const shown = new Date(wallOf(instant, timeZone)).toISOString().slice(0, 16).replace('T', ' ');
		const { one, many } = IRREGULAR[irregular];
		const summary = `{count} values of "${label}" are times that ${many(timeZone)}`;
		notice(
			`"${label}" contains a time that ${one(timeZone)}: ${shown}. To use a different one, add the UTC offset.`,
			{
				group: { key: `${irregular}-${label}`, summary, label: shown },
			},
		);
	}
	return new Date(instant).toISOString();
}

/** The two ends of "a time that …", for one time and for several. */
const IRREGULAR = {
	skipped: {
		one: (zone: string) =>
			`does not exist in ${zone}, because the clocks go forward. The node used a later time`,
		many: (zone: string) =>
			`do not exist in ${zone}, because the clocks go forward. The node used later times`,
	},
	repeated: {
		one: (zone: string) =>
			`occurs twice in ${zone}, because the clocks go back. The node used the first one`,
		many: (zone: string) =>
			`occur twice in ${zone}, because the clocks go back. The node used the first ones`,
	},
} as const;
