/** Time zones, and moments around changes of their clocks. */
import * as fc from 'fast-check';
import { DateTime } from 'luxon';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** One of each kind: with and without summer time, by half hours, at midnight, on both hemispheres. */
export const ZONES = [
	...['Africa/Cairo', 'Africa/Casablanca', 'Africa/Johannesburg', 'America/Asuncion'],
	...['America/Havana', 'America/Los_Angeles', 'America/New_York', 'America/Santiago'],
	...['America/Sao_Paulo', 'America/Scoresbysund', 'America/St_Johns', 'Asia/Beirut', 'Asia/Gaza'],
	...['Asia/Jerusalem', 'Asia/Kathmandu', 'Asia/Kolkata', 'Asia/Tehran', 'Asia/Tokyo'],
	...['Atlantic/Azores', 'Australia/Adelaide', 'Australia/Lord_Howe', 'Europe/Berlin'],
	...['Europe/Chisinau', 'Europe/Dublin', 'Europe/London', 'Pacific/Apia', 'Pacific/Auckland'],
	...['Pacific/Chatham', 'Pacific/Easter', 'Pacific/Kiritimati', 'UTC'],
];

const known = new Map<string, number[]>();

/** The instants of a year at which the offset of the clocks changes. */
function changesOf(zone: string, year: number): number[] {
	const key = `${zone} ${year}`;
	const found = known.get(key) ?? [];
	if (known.has(key)) return found;
	const offsetAt = (instant: number): number => DateTime.fromMillis(instant, { zone }).offset;
	for (let part = Date.UTC(year, 0, 1); part < Date.UTC(year + 1, 0, 1); part += 15 * DAY) {
		let [before, after] = [part, part + 15 * DAY];
		const offset = offsetAt(before);
		if (offset === offsetAt(after)) continue;
		while (after - before > MINUTE) {
			const middle = Math.floor((before + after) / 2 / MINUTE) * MINUTE;
			if (offsetAt(middle) === offset) before = middle;
			else after = middle;
		}
		found.push(after);
	}
	known.set(key, found);
	return found;
}

/** An instant near a change of the clocks, or any instant if there is none, plus some minutes. */
export const aroundChanges = ({ from = 2000, to = 2040 }: { from?: number; to?: number } = {}) =>
	fc
		.record({
			zone: fc.constantFrom(...ZONES),
			year: fc.integer({ min: from, max: to }),
			which: fc.nat(3),
			minutes: fc.integer({ min: -240, max: 240 }),
		})
		.map(({ zone, year, which, minutes }) => {
			const changes = changesOf(zone, year);
			const instant = changes[which % Math.max(1, changes.length)] ?? Date.UTC(year, 5, 15);
			return { zone, instant, minutes };
		});
