import type { Panel } from './panel';

/** A time by the clock of the workflow, with its zone: "2030-01-31 09:30 (Europe/Berlin)". */
export function shownTime(
	instant: number,
	{ timeZone = 'UTC' }: Partial<Pick<Panel, 'timeZone'>> = {},
): string | undefined {
	if (Number.isNaN(instant)) return undefined;
	// Rounded up, so that nobody comes too early.
	const minute = Math.ceil(instant / 60_000) * 60_000;
	// The Swedish locale writes dates like ISO 8601.
	const clock = new Intl.DateTimeFormat('sv-SE', {
		timeZone,
		dateStyle: 'short',
		timeStyle: 'short',
	});
	return `${clock.format(minute)} (${timeZone})`;
}
