/** Parameters that hold a date with a time, as ISO 8601 in UTC. */
import { labelOf } from '../parameters/labels';
import { DATE_TIME_EXAMPLE, parseDateTime } from '../parameters/parse/dateTime';
import { isBlank } from '../parameters/parse/jsonValues';
import { wallOf, type Occurrence } from '../parameters/parse/wallClock';
import type { Values } from '../parameters/values';
import type { Notice } from './notice';

export interface MomentContext {
	/** The zone of a time that names none; n8n's date picker stores no zone. */
	readonly timeZone: string;
	readonly notice: Notice;
}

const NOT_A_DATE = `is not a date with a time in ISO 8601, such as ${DATE_TIME_EXAMPLE}`;
const DATE_REMEDY =
	'Use year-month-day, "T", hour:minute and, if known, the zone: 2030-01-31T09:30+01:00, 2030-01-31T08:30Z, or 2030-01-31T09:30 for the time zone of the workflow. An expression may also give a date of Luxon, such as $now.plus({ days: 1 }).';

export function readMoment(
	values: Values,
	name: string,
	{ timeZone, notice }: MomentContext,
): string | undefined {
	const value = values.raw(name);
	if (isBlank(value)) return undefined;
	const occurrence = parseDateTime(value, timeZone);
	if (occurrence === undefined) throw values.fail(name, NOT_A_DATE, DATE_REMEDY);
	warnAboutIrregularTime(occurrence, { label: labelOf(name), timeZone, notice });
	return new Date(occurrence.instant).toISOString();
}

function warnAboutIrregularTime(
	{ instant, irregular }: Occurrence,
	{ label, timeZone, notice }: MomentContext & { label: string },
): void {
	if (irregular === undefined) return;
	const shown = new Date(wallOf(instant, timeZone)).toISOString().slice(0, 16).replace('T', ' ');
	const [clocks, done, more] =
		irregular === 'skipped'
			? [
					'skip when they go forward',
					`It was moved forward to ${shown}.`,
					'they were moved forward',
				]
			: [
					`show twice, since they go back then: ${shown}`,
					'The first one was taken. To mean the second, add its offset from UTC.',
					'the first one was taken',
				];
	const summary = `{count} values of "${label}" are times that clocks in ${timeZone} ${irregular === 'skipped' ? 'skip' : 'show twice'}; ${more}`;
	notice(`"${label}" holds a time that clocks in ${timeZone} ${clocks}. ${done}`, {
		group: { key: `${irregular}-${label}`, summary, label: shown },
	});
}
