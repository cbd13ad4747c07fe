/** Prints what dates are understood as: run in processes whose machine stands in another zone. */
import { parseDateTime } from '../../nodes/LeadGenPublishing/parse/dateTime';

export const ZONES = [
	'Europe/Berlin',
	'America/New_York',
	'Asia/Kolkata',
	'Pacific/Apia',
	'Australia/Lord_Howe',
	'UTC',
];

/** Every second hour of days around changes of the clocks, in all the accepted forms. */
export function texts(): string[] {
	const days = ['2030-01-15', '2030-03-10', '2030-03-31', '2030-10-27', '2030-11-03', '2032-02-29'];
	const hours = Array.from({ length: 12 }, (_, index) => String(index * 2).padStart(2, '0'));
	const walls = days.flatMap((day) => hours.map((hour) => `${day}T${hour}:30`));
	const zones = ['', ':00', ':59.999', ':00Z', 'z', '+05:30', '-0330', ':00+14'];
	return walls.flatMap((wall, index) => [
		`${wall}${zones[index % zones.length] ?? ''}`,
		wall.replace('T', index % 2 === 0 ? ' ' : 't'),
	]);
}

export const readings = () =>
	ZONES.flatMap((zone) => texts().map((text) => parseDateTime(text, zone)?.instant ?? null));

if (require.main === module) {
	const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
	process.stdout.write(JSON.stringify({ timeZone, readings: readings() }));
}
