/**
 * Finds free times in an account's calendar: the first moment inside its weekly slots or working
 * hours that keeps a gap to all taken times, plus a few random minutes to avoid an exact rhythm.
 * Pure: the same random numbers give the same times.
 */
import { occurrenceOf, timesShowing, type Span } from '../../parse/wallClock';
import { midnightsFrom, spansFrom, type WorkingHours } from '../pacing/workingHours';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A time of the week; 0 is Sunday, and the minutes count from midnight. */
export interface WeeklySlot {
	readonly day: number;
	readonly minutes: number;
}

export interface FreeTimesRequest {
	readonly timeZone: string;
	readonly plan: { readonly slots: readonly WeeklySlot[] } | { readonly hours: WorkingHours };
	/** The shortest time to anything else of the account. */
	readonly gapMs: number;
	/**
	 * The most that a time may be later than the first free moment. With 0, it is exactly that
	 * moment.
	 */
	readonly randomMs: number;
	readonly random: () => number;
}

export interface FreeTime {
	readonly time: number;
	/** The slot or the working hours in which it was found, in real time. */
	readonly within: Span;
	/** The last taken time before it. */
	readonly after?: number;
}

/** The taken times, in ascending order. */
export class TakenTimes {
	private readonly times: number[];

	constructor(times: readonly number[]) {
		this.times = [...times].sort((a, b) => a - b);
	}

	/** The index of the first time that is later. */
	private placeAfter(time: number): number {
		let [low, high] = [0, this.times.length];
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((this.times[middle] ?? Infinity) > time) high = middle;
			else low = middle + 1;
		}
		return low;
	}

	firstAfter(time: number): number | undefined {
		return this.times[this.placeAfter(time)];
	}

	lastUntil(time: number): number | undefined {
		return this.times[this.placeAfter(time) - 1];
	}

	add(time: number): void {
		this.times.splice(this.placeAfter(time), 0, time);
	}

	remove(time: number): void {
		const place = this.placeAfter(time) - 1;
		if (this.times[place] === time) this.times.splice(place, 1);
	}
}

/**
 * Finds one time after another, from any start. Each time counts as taken as soon as it is
 * returned. The gap is never shorter than the random part, so no skipped time becomes free again,
 * and each slot is used once. The last time may be given back, because its window is still known.
 */
export class FreeTimes {
	/** Windows in order, without those that have no room left. */
	private open: Span[] = [];
	private further: Iterator<Span> = [].values();
	private beginning = Infinity;
	private readonly late: number;

	constructor(
		private readonly request: FreeTimesRequest,
		private readonly taken: TakenTimes,
	) {
		// A window of one millisecond leaves nothing to chance.
		this.late = Math.max(1, Math.min(request.randomMs, request.gapMs));
	}

	next(start: number): FreeTime | undefined {
		if (start < this.beginning) this.begin(start);
		for (let place = 0; ;) {
			const window = this.windowAt(place);
			if (window === undefined) return undefined;
			const within = this.partFrom(start, window);
			const found = within && this.firstIn(within);
			if (found !== undefined) return found;
			if (window.from >= start) this.open.splice(place, 1);
			else place += 1;
		}
	}

	private begin(start: number): void {
		this.beginning = start;
		this.open = [];
		this.further = windowsOf({ ...this.request, start }, this.late);
	}

	private windowAt(place: number): Span | undefined {
		if (place >= this.open.length) {
			const { value, done } = this.further.next();
			if (done !== true) this.open.push(value);
		}
		return this.open[place];
	}

	/** A slot cannot be used after its start. Of working hours, the rest can. */
	private partFrom(start: number, { from, to }: Span): Span | undefined {
		if (from >= start) return { from, to };
		return 'hours' in this.request.plan && to > start ? { from: start, to } : undefined;
	}

	private firstIn(within: Span): FreeTime | undefined {
		const { taken, late } = this;
		const { gapMs, random } = this.request;
		let from = within.from;
		while (from < within.to) {
			const next = taken.firstAfter(from - gapMs);
			if (next !== undefined && next < from + gapMs) {
				from = next + gapMs;
				continue;
			}
			const to = Math.min(within.to, from + late, (next ?? Infinity) - gapMs + 1);
			const time = from + Math.floor(random() * (to - from));
			const after = taken.lastUntil(time);
			taken.add(time);
			return { time, within, after };
		}
		return undefined;
	}
}

function* windowsOf(
	{ start, timeZone, plan }: Pick<FreeTimesRequest, 'timeZone' | 'plan'> & { start: number },
	late: number,
): Generator<Span> {
	if ('hours' in plan) {
		yield* spansFrom(start, plan.hours);
		return;
	}
	for (const midnight of midnightsFrom(start, timeZone)) {
		const weekday = new Date(midnight).getUTCDay();
		const ofDay = plan.slots.filter((slot) => slot.day === weekday).map((slot) => slot.minutes);
		if (ofDay.length === 0) continue;
		const slots = instantsOf(midnight, ofDay, timeZone).sort((a, b) => a - b);
		for (const from of slots) if (from >= start) yield { from, to: from + late };
	}
}

/**
 * If the clock skips a slot, it moves forward with the clock. If the clock shows a slot twice, it
 * only counts once.
 */
function instantsOf(midnight: number, minutes: readonly number[], timeZone: string): number[] {
	const shown = minutes.map((count) => midnight + count * MINUTE);
	// Reading the clock is slow, so on a day without a clock change it is read only twice.
	const [day] = timesShowing({ from: midnight, to: midnight + DAY }, timeZone);
	return day !== undefined && day.to - day.from === DAY
		? shown.map((wall) => wall - midnight + day.from)
		: shown.map((wall) => occurrenceOf(wall, timeZone).instant);
}
