/** When the clock of a zone shows a span of local time, around changes of the clocks too. */
import { timesShowing, wallOf } from '../../nodes/LeadGenPublishing/parse/wallClock';

const BERLIN = 'Europe/Berlin';
const at = (text: string): number => Date.parse(`${text}Z`);
const shown = (from: string, to: string, zone = BERLIN): string[] =>
	timesShowing({ from: at(from), to: at(to) }, zone).map((span) =>
		[span.from, span.to].map((time) => new Date(time).toISOString().slice(0, 16)).join(' '),
	);

/** Local times, and the instants at which they are shown, without the year. */
const BERLIN_2030: ReadonlyArray<[string, shown: string, instants: string[]]> = [
	['an ordinary day', '01-10T09:00 01-10T17:00', ['01-10T08:00 01-10T16:00']],
	['a day in summer', '07-10T00:00 07-11T00:00', ['07-09T22:00 07-10T22:00']],
	['the day before a change', '03-30T09:00 03-30T17:00', ['03-30T08:00 03-30T16:00']],
	['the rest of the day of a change', '03-31T09:00 03-31T17:00', ['03-31T07:00 03-31T15:00']],
	['a day of 23 hours', '03-31T00:00 04-01T00:00', ['03-30T23:00 03-31T22:00']],
	['an hour that is skipped', '03-31T02:00 03-31T03:00', []],
	['one whose beginning is skipped', '03-31T02:30 03-31T03:30', ['03-31T01:00 03-31T01:30']],
	['one whose end is skipped', '03-31T01:30 03-31T02:30', ['03-31T00:30 03-31T01:00']],
	['a day of 25 hours', '10-27T00:00 10-28T00:00', ['10-26T22:00 10-27T23:00']],
	['the hour that is shown twice', '10-27T02:00 10-27T03:00', ['10-27T00:00 10-27T02:00']],
	[
		'a part of it',
		'10-27T02:15 10-27T02:45',
		['10-27T00:15 10-27T00:45', '10-27T01:15 10-27T01:45'],
	],
];

it.each(BERLIN_2030)('%s in Berlin', (_, local, expected) => {
	const [from = '', to = ''] = local.split(' ').map((time) => `2030-${time}`);
	expect(shown(from, to).map((span) => span.replaceAll('2030-', ''))).toEqual(expected);
});

it('half an hour back, and a whole day that is skipped', () => {
	expect(shown('2030-04-07T01:00', '2030-04-07T03:00', 'Australia/Lord_Howe')).toEqual([
		'2030-04-06T14:00 2030-04-06T16:30',
	]);
	expect(shown('2011-12-30T00:00', '2011-12-31T00:00', 'Pacific/Apia')).toEqual([]);
});

it('is cut where the clock changes, to the millisecond', () => {
	const change = Date.parse('2030-03-31T01:00:00.000Z');
	for (const more of [0, 1, 2, 3]) {
		const from = at('2030-03-31T01:30') + more;
		expect(timesShowing({ from, to: at('2030-03-31T02:30') }, BERLIN)).toEqual([
			{ from: from - 3_600_000, to: change },
		]);
	}
});

it('a clock shows the local time, at midnight 0 o’clock', () => {
	const zones = ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Kiritimati'];
	const instant = Date.parse('2031-12-31T22:45:06.789Z');
	expect(zones.map((zone) => new Date(wallOf(instant, zone)).toISOString())).toEqual([
		...['2031-12-31T23:45:06.789Z', '2031-12-31T19:15:06.789Z'],
		...['2032-01-01T04:30:06.789Z', '2032-01-01T12:45:06.789Z'],
	]);
	expect(wallOf(Date.parse('2031-07-14T22:00Z'), BERLIN)).toBe(at('2031-07-15T00:00'));
});
