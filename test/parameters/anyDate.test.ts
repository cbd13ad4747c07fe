/** Dates in all their spellings, in all time zones: each means the instant that it says, or none. */
import * as fc from 'fast-check';
import { DateTime } from 'luxon';

import { readMoment } from '../../nodes/LeadGenPublishing/fields/moment';
import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import { parseDateTime } from '../../nodes/LeadGenPublishing/parameters/parse/dateTime';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';
import { aroundChanges, ZONES } from '../support/clockChanges';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const two = (number: number): string => String(number).padStart(2, '0');
const dateOf = (wall: number): string => new Date(wall).toISOString().slice(0, 10);

/** Since zones are whole minutes away from UTC. */
const wallClock = fc.integer({ min: Date.UTC(1973, 0, 1), max: Date.UTC(2400, 0, 1) });
const separator = fc.constantFrom('T', 't', ' ');
const around = fc.constantFrom('', ' ', '\n', '\t ');

/** A local time as text, and the part of it that the text shows. */
const written = fc
	.record({
		wall: wallClock,
		separator,
		seconds: fc.boolean(),
		fraction: fc.option(fc.stringMatching(/^[.,]\d{1,9}$/), { nil: '' }),
	})
	.map(({ wall, separator: between, seconds, fraction }) => {
		const time = new Date(wall).toISOString().slice(11, seconds ? 19 : 16);
		const shown = Math.floor(wall / (seconds ? 1_000 : MINUTE)) * (seconds ? 1_000 : MINUTE);
		const ms = seconds ? Number(`${fraction.slice(1)}000`.slice(0, 3)) : 0;
		return { text: dateOf(wall) + between + time + (seconds ? fraction : ''), wall: shown + ms };
	});

const offset = fc
	.record({
		sign: fc.constantFrom(1, -1),
		hours: fc.integer({ min: 0, max: 23 }),
		minutes: fc.integer({ min: 0, max: 59 }),
		form: fc.constantFrom('hours', 'basic', 'extended', 'Z', 'z'),
	})
	.map(({ sign, hours, minutes, form }) => {
		if (form === 'Z' || form === 'z') return { text: form, ms: 0 };
		const past = form === 'hours' ? 0 : minutes;
		const rest = form === 'hours' ? '' : (form === 'basic' ? '' : ':') + two(past);
		const ms = sign * (hours * HOUR + past * MINUTE);
		return { text: (sign < 0 ? '-' : '+') + two(hours) + rest, ms };
	});

it('with an offset is that instant, in whatever zone it is read', () => {
	fc.assert(
		fc.property(written, offset, fc.constantFrom(...ZONES), around, (date, zone, read, blanks) => {
			expect(parseDateTime(blanks + date.text + zone.text + blanks, read)).toEqual({
				instant: date.wall - zone.ms,
			});
		}),
		{ numRuns: 300 },
	);
});

/** Every instant at which clocks of the zone show this local time. */
function instantsShowing(wall: number, zone: string): number[] {
	const offsets = new Set<number>();
	for (let hours = -30; hours <= 30; hours += 3)
		offsets.add(DateTime.fromMillis(wall + hours * HOUR, { zone }).offset * MINUTE);
	return [...offsets]
		.map((one) => wall - one)
		.filter((instant) => DateTime.fromMillis(instant, { zone }).offset * MINUTE === wall - instant)
		.sort((one, other) => one - other);
}

it('without one is the first instant at which clocks show it, and is said to be irregular', () => {
	fc.assert(
		fc.property(aroundChanges(), ({ zone, instant, minutes }) => {
			const shown = DateTime.fromMillis(instant, { zone });
			const wall = instant + shown.offset * MINUTE + minutes * MINUTE;
			const text = new Date(wall).toISOString().slice(0, -1);
			const [first, ...others] = instantsShowing(wall, zone);
			const read = parseDateTime(text, zone);
			if (first === undefined) {
				expect(read?.irregular).toBe('skipped');
				// It moves forward by what the clocks skip, so that clocks do show the result.
				const moved = DateTime.fromMillis(read?.instant ?? 0, { zone });
				const by = moved.toMillis() + moved.offset * MINUTE - wall;
				const before = DateTime.fromMillis(wall - 30 * HOUR, { zone }).offset;
				const after = DateTime.fromMillis(wall + 30 * HOUR, { zone }).offset;
				expect(by).toBe((after - before) * MINUTE);
			} else {
				expect(read).toEqual({
					instant: first,
					...(others.length > 0 ? { irregular: 'repeated' } : {}),
				});
			}
		}),
		{ numRuns: 200 },
	);
});

it('that no calendar or clock shows is none', () => {
	const parts = fc.record({
		year: fc.integer({ min: 1900, max: 2400 }),
		month: fc.integer({ min: 0, max: 14 }),
		day: fc.integer({ min: 0, max: 33 }),
		hour: fc.integer({ min: 0, max: 26 }),
		minute: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ max: 62, min: 0 })),
		second: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ max: 62, min: 0 })),
	});
	fc.assert(
		fc.property(parts, ({ year, month, day, hour, minute, second }) => {
			const date = `${year}-${two(month)}-${two(day)}`;
			const text = `${date}T${two(hour)}:${two(minute)}:${two(second)}Z`;
			const theirs = DateTime.fromISO(text);
			expect(parseDateTime(text, 'UTC')?.instant).toBe(
				theirs.isValid ? theirs.toMillis() : undefined,
			);
		}),
		{ numRuns: 300 },
	);
});

it('as a date object is its instant, however it has come here', () => {
	fc.assert(
		fc.property(wallClock, fc.constantFrom(...ZONES), fc.constantFrom(...ZONES), (ms, at, read) => {
			const luxon = DateTime.fromMillis(ms, { zone: at });
			const transferred = { __n8nType: 'DateTime', __isoString: luxon.toISO(), __zone: at };
			for (const value of [new Date(ms), luxon, transferred])
				expect(parseDateTime(value, read)).toEqual({ instant: ms });
		}),
		{ numRuns: 200 },
	);
});

describe('whatever a parameter holds', () => {
	const damagedText = fc
		.tuple(written, fc.nat(40), fc.nat(3), fc.string({ maxLength: 3, unit: 'binary' }))
		.map(([{ text }, at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut));
	const anything = fc.oneof(
		damagedText,
		fc.anything({ withDate: true, withBigInt: true, withNullPrototype: true }),
		fc.date({ noInvalidDate: false }),
		fc.record({
			__n8nType: fc.constantFrom('DateTime', 'Duration'),
			__isoString: fc.anything(),
		}),
		fc.record({ isLuxonDateTime: fc.constant(true), toMillis: fc.constant(() => NaN) }),
	);

	it('is read as a date in UTC, as nothing, or refused by the name of the parameter', () => {
		fc.assert(
			fc.property(anything, fc.constantFrom(...ZONES), (value, timeZone) => {
				const said: string[] = [];
				const notice = (text: string) => said.push(text);
				let read: string | undefined;
				try {
					read = readMoment(new Values(() => value), 'scheduledAt', { timeZone, notice });
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
					expect((error as InputError).message).toContain('"Scheduled At"');
					return;
				}
				if (read === undefined)
					expect(String(value ?? '').trim()).toMatch(
						/^[\u200b-\u200f\u2060\ufeff\s]*$|^-?Infinity$|^NaN$/,
					);
				else expect(new Date(Date.parse(read)).toISOString()).toBe(read);
				expect(said.length).toBeLessThanOrEqual(1);
			}),
			{ numRuns: 300 },
		);
	});
});
