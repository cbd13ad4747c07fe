/** What counts as a date with a time, and which instant it means: the same on every machine. */
import { DateTime } from 'luxon';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { parseDateTime } from '../../nodes/LeadGenPublishing/parse/dateTime';
import { isTimeZone } from '../../nodes/LeadGenPublishing/parse/wallClock';
import { readings, texts, ZONES } from './readingsOfDates';

const BERLIN = 'Europe/Berlin';
const iso = (value: unknown, zone = BERLIN): string | undefined => {
	const instant = parseDateTime(value, zone)?.instant;
	return instant === undefined ? undefined : new Date(instant).toISOString();
};

it.each([
	['2031-07-15T10:30', '2031-07-15T08:30:00.000Z'],
	['2031-07-15t10:30', '2031-07-15T08:30:00.000Z'],
	['2031-07-15 10:30', '2031-07-15T08:30:00.000Z'],
	['  2031-07-15T10:30\n', '2031-07-15T08:30:00.000Z'],
	['2031-01-15T10:30:59', '2031-01-15T09:30:59.000Z'],
	['2031-01-15T10:30:59.1', '2031-01-15T09:30:59.100Z'],
	['2031-01-15T10:30:59,12', '2031-01-15T09:30:59.120Z'],
	['2031-01-15T10:30:59.123999999', '2031-01-15T09:30:59.123Z'],
	['2031-07-15T10:30Z', '2031-07-15T10:30:00.000Z'],
	['2031-07-15 10:30:00z', '2031-07-15T10:30:00.000Z'],
	['2031-07-15T10:30+02:00', '2031-07-15T08:30:00.000Z'],
	['2031-07-15T10:30:00-0330', '2031-07-15T14:00:00.000Z'],
	['2031-07-15T10:30:00+14', '2031-07-14T20:30:00.000Z'],
	['2031-07-15T10:30-00:00', '2031-07-15T10:30:00.000Z'],
	['2031-07-15T10:30+23:59', '2031-07-14T10:31:00.000Z'],
	['2031-07-15T00:00Z', '2031-07-15T00:00:00.000Z'],
	['2031-12-31T23:59:59Z', '2031-12-31T23:59:59.000Z'],
	['2032-02-29T00:00Z', '2032-02-29T00:00:00.000Z'],
	// The end of the day.
	['2031-12-31T24:00Z', '2032-01-01T00:00:00.000Z'],
	['2031-12-31T24:00:00.000Z', '2032-01-01T00:00:00.000Z'],
	['0099-01-01T00:00Z', '0099-01-01T00:00:00.000Z'],
])('"%s" in Berlin is %s', (text, expected) => {
	expect(iso(text)).toBe(expected);
});

/** Other forms, days and hours that do not exist, and what stands around a date. */
const NO_DATES = [
	'07/15/2031 10:30 AM|15/07/2031 10:30|2031-07-15 9:30|2031/07/15 10:30',
	'July 15, 2031 10:30|Tue, 15 Jul 2031 10:30:00 GMT|07.08.2031|07.08.2031 10:30',
	'2031-02-31T10:00|2031-02-29T10:00|2100-02-29T10:00|2031-04-31T10:00|2031|2031-07',
	'2031-07-15|2031-W29-2T10:30|2031-196T10:30|20310715T103000Z|31-07-15T10:30',
	'12031-07-15T10:30|+002031-07-15T10:30|2031-13-01T10:30|2031-00-01T10:30|2031-07-00T10:30',
	'2031-07-32T10:30|2031-07-15T25:00|2031-07-15T24:01|2031-07-15T24:00:01',
	'2031-07-15T24:00:00.001|2031-07-15T10:60|2031-07-15T10:30:60|2031-07-15T10',
	'2031-07-15T1030|2031-07-15T10:30.5|2031-07-15T10:30:|2031-07-15T10:30:00.',
	'2031-07-15  10:30|2031-07-15_10:30|2031-07-15T10:30 +02:00|2031-07-15T10:30+2',
	'2031-07-15T10:30+24:00|2031-07-15T10:30+02:60|2031-07-15T10:30+02:00[Europe/Berlin]',
	'2031-07-15T10:30 Europe/Berlin|2031-07-15T10:30ZZ|2031-07-15T10:30Z tomorrow',
	'at 2031-07-15T10:30Z|2031-7-15T10:30|1942222200|1942222200000|soon|now|Invalid DateTime',
].flatMap((line) => line.split('|'));

it('nothing else is one, whoever gives it', () => {
	const transferred = [
		{ __n8nType: 'DateTime', __invalidReason: 'unparsable' },
		{ __n8nType: 'DateTime', __isoString: 'Invalid DateTime' },
		{ __n8nType: 'Duration', __isoString: '2031-07-15T10:30:00.000Z' },
	];
	const others = [
		...[1942222200, 1942222200000, true, [], ['2031-07-15T10:30Z'], {}, undefined, null, '', ' '],
		...[{ toJSDate: () => new Date() }, { isLuxonDateTime: true }, DateTime.invalid('none')],
		...[new Date(Number.NaN), ...transferred],
	];
	for (const value of [...NO_DATES, ...others])
		expect([value, parseDateTime(value, BERLIN)]).toEqual([value, undefined]);
});

it('a date object keeps its instant, whatever the zone', () => {
	const instant = Date.parse('2031-07-15T10:30:00.123Z');
	const inTokyo = DateTime.fromMillis(instant, { zone: 'Asia/Tokyo' });
	const transferred = {
		__n8nType: 'DateTime',
		__isoString: inTokyo.toISO(),
		__zone: 'Asia/Tokyo',
	};
	for (const value of [new Date(instant), inTokyo, transferred, inTokyo.toString()])
		expect(iso(value)).toBe('2031-07-15T10:30:00.123Z');
});

describe('around a change of the clocks', () => {
	it.each([
		['before it', '2030-03-31T01:30', BERLIN, '2030-03-31T00:30', undefined],
		['after it', '2030-03-31T03:00', BERLIN, '2030-03-31T01:00', undefined],
		['skipped', '2030-03-31T02:30', BERLIN, '2030-03-31T01:30', 'skipped'],
		['skipped, first minute', '2030-03-31T02:00', BERLIN, '2030-03-31T01:00', 'skipped'],
		['skipped, last minute', '2030-03-31T02:59', BERLIN, '2030-03-31T01:59', 'skipped'],
		['shown twice', '2030-10-27T02:30', BERLIN, '2030-10-27T00:30', 'repeated'],
		['shown twice, first minute', '2030-10-27T02:00', BERLIN, '2030-10-27T00:00', 'repeated'],
		['before both', '2030-10-27T01:59', BERLIN, '2030-10-26T23:59', undefined],
		['after both', '2030-10-27T03:00', BERLIN, '2030-10-27T02:00', undefined],
		['skipped in New York', '2030-03-10T02:15', 'America/New_York', '2030-03-10T07:15', 'skipped'],
		['twice in New York', '2030-11-03T01:15', 'America/New_York', '2030-11-03T05:15', 'repeated'],
		['half an hour', '2030-10-06T02:15', 'Australia/Lord_Howe', '2030-10-05T15:45', 'skipped'],
		['a whole day', '2011-12-30T10:00', 'Pacific/Apia', '2011-12-30T20:00', 'skipped'],
		['with a zone of its own', '2030-03-31T02:30+01:00', BERLIN, '2030-03-31T01:30', undefined],
	])('%s: %s in %s', (_, text, zone, expected, irregular) => {
		expect(parseDateTime(text, zone)).toEqual({
			instant: Date.parse(`${expected}Z`),
			...(irregular === undefined ? {} : { irregular }),
		});
	});
});

it('agrees with Luxon wherever a time is shown once', () => {
	const differing = ZONES.flatMap((zone) =>
		texts().flatMap((text) => {
			const ours = parseDateTime(text, zone);
			if (ours === undefined) return [`${text} is not understood`];
			if (ours.irregular !== undefined) return [];
			const theirs = DateTime.fromISO(text.replace(/[ t]/, 'T').toUpperCase(), { zone });
			return theirs.toMillis() === ours.instant ? [] : [`${text} in ${zone}`];
		}),
	);
	expect(differing).toEqual([]);
});

// One of them at least is not the zone of this machine.
it.each(['America/Los_Angeles', 'Pacific/Kiritimati'])(
	'does not depend on the zone of the machine: %s',
	(TZ) => {
		const script = join(__dirname, 'readingsOfDates.ts');
		const output = execFileSync(process.execPath, ['--import', 'tsx', script], {
			env: { ...process.env, TZ, NODE_OPTIONS: '' },
			encoding: 'utf8',
		});
		const other = JSON.parse(output) as { timeZone: string; readings: unknown };
		expect(other.timeZone).toBe(TZ);
		expect(other.readings).toEqual(readings());
	},
);

it('knows time zones by their names', () => {
	expect([...ZONES, 'Mars/Base', ''].filter((zone) => !isTimeZone(zone))).toEqual([
		'Mars/Base',
		'',
	]);
});
