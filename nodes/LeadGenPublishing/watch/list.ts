/**
 * One list in one poll. It reads where new records appear, at the head and at the tail, and walks
 * through the whole list a few pages per poll: the first walk makes known what exists, later ones
 * find what neither end shows. Pages overlap, so that a small shift between two requests hides
 * nothing. Whatever cuts a reading short, the next poll goes on from there. Pure.
 */
import { MAX_PAGE, pageAsGiven, PageReader } from '../api/pages';
import type { Page, PageRequest } from '../api/pages';
import { MAX_WITHOUT_NEW } from '../api/pageWalker';
import type { JsonRecord } from '../api/schemas';
import { HELD_BACK, type Comparison } from './events';
import { hash53, idOf, isReadable } from './hash';
import type { ListSettings } from './poll';
import { Seen } from './seen';
import type { Ends, Progress } from './state';

export interface ReadOptions extends ListSettings {
	readonly fetchPage: (request: PageRequest) => Promise<Page>;
	readonly now: number;
	/** How long ago the list was read before. */
	readonly sinceLast: number;
	/** No further page may be requested. */
	readonly isSpent: () => boolean;
	/** Whether the service refuses the offset, and not the list. */
	readonly refusesOffset: (error: unknown) => boolean;
}

type Phase = 'walk' | 'tail' | 'head';

/** A record that this poll has met. */
export interface Met extends Omit<Comparison, 'isDue'> {
	readonly hash: number;
	/** Only of those that are delivered. */
	readonly record?: JsonRecord;
	readonly phase: Phase;
	readonly position: number;
	/** The remembered value; undefined if the record is not known. */
	readonly known: string | undefined;
}

export type Reading = ReturnType<ListReader['result']>;
type Failure = { readonly error: unknown } | undefined;

interface View {
	readonly offset: number;
	readonly entries: ReadonlyArray<Met | undefined>;
	readonly hasMore: boolean;
	/** Where the next page begins. */
	readonly next: number;
	/** The end of the page is known, so what follows is known as well. */
	readonly endsKnown: boolean;
	/** A record of it was known or met before. */
	readonly overlaps: boolean;
	/** Its records that are unknown, and were not met before in this poll. */
	readonly unknown: readonly Met[];
	/** The next page need not show a record of it: some are left out, or cannot be told from others. */
	readonly showsLittle: boolean;
	/** By how much the offset may move. */
	readonly step: number;
}

const MINUTE = 60_000;
const USUAL_CHECK = 6 * 60 * MINUTE;
/** An answer that may hide records is doubted in so many polls before it is taken as it is. */
const DOUBTFUL_POLLS = 5;
/** Pages of a walk in each poll while records appear that neither end shows. */
const FAST_PAGES = 10;

/** So many known records end a reading, and so many of two pages of a walk are the same. */
const overlapOf = (limit: number): number => Math.min(10, Math.ceil(limit / 4));

export const together = (one: Ends | undefined, other: Ends): Ends =>
	one === undefined || one === other ? other : 'both';

/** Nothing more is read of this list in this poll. */
class StopReading extends Error {}

export async function readList(
	seen: Seen,
	before: Progress,
	options: ReadOptions,
): Promise<Reading> {
	const reader = new ListReader(seen, before, options);
	let failure: Failure;
	try {
		await (before.first === undefined ? reader.readKnownList() : reader.walk());
	} catch (error) {
		if (!(error instanceof StopReading)) failure = { error };
	}
	return reader.result(failure);
}

class ListReader {
	private readonly met = new Map<number, Met>();
	/** Those that the page has shown that was read last, and none before it. */
	private readonly firstMet = new Set<Met>();
	private readonly progress: Progress;
	private readonly delivers: boolean;
	/** So many polls were in doubt that answers are now taken as they are. */
	private readonly believes: boolean;
	private readonly reader: Pick<PageReader, 'read'>;
	private isInDoubt = false;
	private hasSeenEnd = false;
	private hasWalked = false;
	/** The list reaches at least so far. */
	private reached = 0;
	private readonly counts = { requests: 0, withoutId: 0, unreadable: 0 };
	/** When the walk began that ended in this poll; not of a first one. */
	private walkedSince: number | undefined;

	constructor(
		private readonly seen: Seen,
		private readonly before: Progress,
		private readonly options: ReadOptions,
	) {
		this.progress = { ...before };
		// A clock that was set back must not make a walk wait, nor keep walks fast.
		for (const name of ['since', 'scattered'] as const)
			if ((before[name] ?? 0) > options.now) this.progress[name] = options.now;
		this.delivers = before.first === undefined || (options.emitExisting && !before.silent);
		this.believes = (before.doubts ?? 0) >= DOUBTFUL_POLLS;
		const fetch = async (request: PageRequest) => await this.fetch(request);
		this.reader = this.believes
			? { read: async (request) => pageAsGiven(await fetch(request), request) }
			: new PageReader(fetch);
	}

	result(failure: Failure) {
		const { progress, before } = this;
		// A first walk that gets on has passed the place that was in doubt.
		const hasMoved = before.first !== undefined && progress.at !== before.at;
		if (this.isInDoubt) progress.doubts = 1 + (hasMoved ? 0 : (before.doubts ?? 0));
		else if (hasMoved || (failure === undefined && !this.believes)) delete progress.doubts;
		// It seemed to be shorter than it is.
		if (!this.hasSeenEnd && this.reached > progress.end) {
			progress.end = this.reached;
			if (!before.first) this.missed();
		}
		progress.waits = !before.first && !this.hasWalked && this.isPageDue(0);
		const { counts, walkedSince } = this;
		return { ...counts, met: [...this.met.values()], progress, failure, walkedSince };
	}

	async readKnownList(): Promise<void> {
		const { waits } = this.before;
		if (waits) await this.walk();
		await this.readEnds();
		if (!waits && !this.hasWalked) await this.walk();
	}

	/** Where new records appear; both ends while that is not known. */
	private async readEnds(): Promise<void> {
		const { before, options } = this;
		const { grows, reach } = before;
		const isLong = before.end > before.limit;
		const canReadTail = reach === undefined && before.end > 0;
		if (canReadTail && isLong) {
			if (grows === 'tail') return await this.readTail();
			const isSettled = options.rules.kind === 'new' && !this.believes;
			if (grows === undefined && isSettled && (await this.endsAsBefore())) return;
		}
		// That was the whole list, which replaces a walk.
		if (await this.readHead()) this.endWalk();
		else if (canReadTail && grows !== 'head') await this.readTail();
	}

	/** From the head down to known records. True if that was the whole list. */
	private async readHead(): Promise<boolean> {
		const { progress } = this;
		let view: View | undefined;
		const isDone = (): boolean => view !== undefined && (!view.hasMore || view.endsKnown);
		try {
			while (!isDone()) view = await this.page(view?.next ?? 0, 'head');
			return view?.hasMore === false;
		} finally {
			const unknown = this.unknownIn('head');
			// What lies below may be unknown too, but the next poll would end above it.
			if (unknown > 0 && !isDone()) this.missed(view?.next ?? 0);
			if (unknown > 0 && view?.hasMore !== false) this.grew('head');
			if (!this.hasSeenEnd) progress.end += unknown;
		}
	}

	/** Whether the list ends as before: then nothing was added, unless as much was removed. */
	private async endsAsBefore(): Promise<boolean> {
		const { before, progress } = this;
		const view = await this.page(this.placeOfTail(), 'tail');
		this.forget(view);
		const isEndSame = progress.end === before.end && progress.last === before.last;
		return !view.hasMore && isEndSame && view.unknown.length === 0;
	}

	/** From where the last poll has left off, even if the walk has been at the end since. */
	private placeOfTail(): number {
		const { before } = this;
		return Math.max(0, before.end + this.unknownIn('head') - overlapOf(before.limit));
	}

	/** From slightly before the known end to the end, and back while records are news. */
	private async readTail(): Promise<void> {
		const { progress, before } = this;
		let isDone = false;
		try {
			let first = await this.page(this.placeOfTail(), 'tail');
			if (first.entries.length === 0 && first.hasMore) return;
			// The list has become shorter.
			for (let { step } = first; first.entries.length === 0 && first.offset > 0; step *= 2)
				first = await this.page(Math.max(0, first.offset - step), 'tail');
			let withoutNew = 0;
			const most = this.believes ? 1 : MAX_WITHOUT_NEW;
			for (let view = first; view.hasMore && withoutNew < most;) {
				progress.end = view.offset + view.entries.length;
				view = await this.page(view.next, 'tail');
				withoutNew = this.firstMet.size > 0 ? 0 : withoutNew + 1;
			}
			for (let view = first; view.offset > 0 && (view.entries[0]?.isNews ?? true);)
				view = await this.page(Math.max(0, view.offset - view.step), 'tail');
			const shown = this.unknownIn('head') + this.unknownIn('tail');
			if (progress.end > before.end + shown) this.missed();
			isDone = true;
		} finally {
			if (this.unknownIn('tail') > 0) {
				// Between what was met and what is known, there may be a gap.
				if (!isDone) this.missed();
				this.grew('tail');
			}
		}
	}

	/** Goes on with the walk: the first one as far as it comes, later ones by what is due. */
	async walk(): Promise<void> {
		const { progress, before, options } = this;
		let back = 0;
		for (let read = 0; progress.first || this.isPageDue(read); read++) {
			const view = await this.page(progress.at, 'walk');
			this.hasWalked = true;
			progress.pages++;
			if (this.hasMovedUp(view)) {
				// They stand behind the gap, so they do not show where it begins.
				this.forget(view);
				back = back === 0 ? view.step : 2 * back;
				progress.at = Math.max(0, view.offset - back);
				continue;
			}
			back = 0;
			progress.afterThin = view.showsLittle;
			progress.at = view.next;
			this.learnFromWalk(view);
			const isEnd = !view.hasMore || progress.pages > this.mostPages(view.next - view.offset);
			if (isEnd && progress.first === 'list' && progress.pages > 1)
				Object.assign(progress, { first: 'head', at: 0 });
			else if (isEnd || (progress.first === 'head' && view.unknown.length === 0)) {
				this.endWalk();
				return;
			}
			if (before.first && this.delivers && wantedOf(this.met.values()) >= options.maxItems) return;
		}
	}

	/**
	 * Whether records may have moved up past the place of the first walk, because others above them
	 * were removed: then the page shows no record that was met before it.
	 */
	private hasMovedUp({ offset, entries, overlaps, hasMore }: View): boolean {
		const { first, afterThin, reach } = this.progress;
		if (first !== 'list' || afterThin || offset === 0 || offset === reach) return false;
		const isBlank = entries.every((entry) => entry === undefined);
		return !overlaps && !(isBlank && hasMore);
	}

	private learnFromWalk({ hasMore, entries, unknown }: View): void {
		if (this.progress.first || unknown.length === 0) return;
		const last = entries.slice(-unknown.length);
		if (!hasMore && last.every((entry) => entry?.known === undefined)) this.grew('tail');
		else this.missed();
	}

	/** Its unknown records count once they are met again. */
	private forget({ unknown }: View): void {
		for (const { hash } of unknown) this.met.delete(hash);
	}

	/** There may be unknown records that the ends do not show: walks find them soon. */
	private missed(place = Infinity): void {
		const { progress, options } = this;
		progress.scattered = options.now;
		progress.at = Math.min(progress.at, place);
	}

	/** A service that ignores offsets, or always announces more, is read until nothing can be left. */
	private mostPages(step: number): number {
		return 3 * Math.ceil((this.seen.size + this.met.size) / step) + MAX_WITHOUT_NEW;
	}

	/**
	 * By default one page for each minute since the last poll, as far as the walk is behind: by its
	 * place, since pages may show less than they say.
	 */
	private isPageDue(read: number): boolean {
		const { before, options, progress } = this;
		const { checkEvery, now, sinceLast } = options;
		const every = checkEvery ?? USUAL_CHECK;
		const isDoubtful = before.doubts !== undefined && !this.believes;
		const least = progress.scattered !== undefined ? FAST_PAGES : Number(isDoubtful || every <= 0);
		const most = checkEvery === undefined ? Math.max(1, Math.floor(sinceLast / MINUTE)) : Infinity;
		if (read < least || read >= most || every <= 0) return read < least;
		const step = Math.max(1, before.limit - overlapOf(before.limit));
		const pagesOfAll = this.believes
			? this.mostPages(step)
			: Math.max(1, Math.ceil(before.end / step));
		return pagesOfAll * step * ((now - progress.since) / every) - progress.at >= step;
	}

	private endWalk(): void {
		const { progress } = this;
		if (!progress.first) {
			this.walkedSince = progress.since;
			if (progress.since >= (progress.scattered ?? 0)) delete progress.scattered;
		}
		if (progress.grewLately !== undefined) progress.grows = progress.grewLately;
		// What was doubted for long is doubted once more in each walk.
		if (this.believes) progress.doubts = DOUBTFUL_POLLS - 1;
		this.hasWalked = true;
		Object.assign(progress, { at: 0, since: this.options.now, pages: 0 });
		for (const name of OF_ONE_WALK) delete progress[name];
	}

	private grew(end: Ends): void {
		const { progress } = this;
		progress.grows = together(progress.grows, end);
		progress.grewLately = together(progress.grewLately, end);
	}

	private unknownIn(phase: Phase): number {
		const unknown = [...this.met.values()].filter(({ known }) => known === undefined);
		return unknown.filter((one) => one.phase === phase).length;
	}

	/** Reads one page and compares each of its records, whatever it is read for. */
	private async page(offset: number, phase: Phase): Promise<View> {
		const { progress } = this;
		const answer = await this.ask(offset);
		const { reach: refused = Infinity } = progress;
		// Some services refuse every offset behind the end of a list.
		const endsBefore = !answer.hasMore && offset + answer.records.length <= refused;
		if (answer.isRefused) progress.reach = offset;
		else if (offset >= refused || endsBefore) delete progress.reach;
		const { reach = Infinity } = progress;
		// Records that come into reach only at some offsets would seem to be new.
		const records = answer.records.slice(0, progress.first ? Infinity : reach - offset);
		const held = records.length;
		// A page without records may say anything of its size.
		const limit = held > 0 ? Math.max(answer.records.length, sizeOf(answer.limit)) : progress.limit;
		progress.limit = limit;
		const overlap = overlapOf(limit);
		this.firstMet.clear();
		const entries = records.map((record, index) => this.meet(record, phase, offset + index));
		const told = entries.filter((entry) => entry !== undefined);
		// A walk takes hours, so more may have moved between two of its pages.
		const moves = movesOf(answer.records, { shared: phase === 'walk' ? overlap : 1, limit });
		const step = Math.max(1, limit - overlap);
		const next = offset + (moves ?? step);
		// Only a walk tries again what was refused.
		const hasMore = answer.hasMore && !(next >= reach && phase !== 'walk');
		if (!hasMore) {
			progress.end = offset + held;
			progress.last = entries.at(-1)?.hash;
			this.hasSeenEnd = true;
		} else if (this.firstMet.size > 0) this.reached = Math.max(this.reached, offset + held);
		return {
			...{ offset, entries, hasMore, step },
			next: offset < reach ? Math.min(next, reach) : next,
			showsLittle: moves === undefined,
			endsKnown: told.slice(-overlap).every(({ isNews }) => !isNews),
			overlaps: told.some((entry) => entry.known !== undefined || !this.firstMet.has(entry)),
			unknown: [...this.firstMet].filter(({ known }) => known === undefined),
		};
	}

	/** One page; it is requested again by the reader if it may hide records. */
	private async ask(offset: number): Promise<Page & { isRefused?: true }> {
		const limit = MAX_PAGE;
		const answer = await this.reader.read({ offset, limit }).catch(async (error: unknown) => {
			if (offset === 0 || !this.options.refusesOffset(error)) throw error;
			// It may be the list that is refused.
			if (this.met.size === 0) await this.fetch({ offset: 0, limit });
			return undefined;
		});
		if (answer === undefined) return { records: [], limit, hasMore: false, isRefused: true };
		const isElsewhere = (answer.offset ?? offset) !== offset && !this.believes;
		if (answer.doubt === undefined && !isElsewhere) return answer;
		this.isInDoubt = true;
		throw new StopReading();
	}

	private async fetch(request: PageRequest): Promise<Page> {
		// One page is always read, however slow the service is.
		if (this.counts.requests > 0 && this.options.isSpent()) throw new StopReading();
		this.counts.requests++;
		return await this.options.fetchPage(request);
	}

	/** Undefined if the record cannot be told from others. */
	private meet(record: JsonRecord, phase: Phase, position: number): Met | undefined {
		const id = idOf(record);
		if (id === undefined) {
			this.counts.withoutId++;
			return undefined;
		}
		const hash = hash53(id);
		const met = this.met.get(hash);
		if (met !== undefined) return met;
		const known = this.seen.get(hash);
		const { isDue, ...compared } = this.compare(record, known);
		const isDelivered = isDue && this.delivers;
		const entry: Met = {
			...{ hash, phase, position, known, ...compared },
			...(isDelivered ? { record } : {}),
		};
		this.met.set(hash, entry);
		this.firstMet.add(entry);
		return entry;
	}

	private compare(record: JsonRecord, known: string | undefined): Comparison {
		const { rules } = this.options;
		if (isReadable(record)) return rules.compare(record, known);
		// It is passed over, until it can be read.
		this.counts.unreadable++;
		return { value: HELD_BACK.repeat(rules.width), isNews: known === undefined, isDue: false };
	}
}

/**
 * By how much the offset moves so that the next page shows some of these records again; what the
 * service leaves out only brings them further ahead there. Undefined if the page shows too little.
 */
function movesOf(
	records: readonly JsonRecord[],
	{ shared, limit }: { shared: number; limit: number },
): number | undefined {
	if (records.length < overlapOf(limit)) return undefined;
	const places = records.flatMap((record, index) => (idOf(record) === undefined ? [] : [index]));
	return [places.at(-shared), places.at(-1)].find((place) => place !== undefined && place > 0);
}

/** How many records are to be delivered. */
export const wantedOf = (met: Iterable<Met>): number =>
	[...met].filter(({ record }) => record !== undefined).length;

const OF_ONE_WALK = ['first', 'silent', 'waits', 'afterThin', 'grewLately'] as const;

/** What the answer says is believed up to what was asked. */
const sizeOf = (limit: number): number =>
	Number.isInteger(limit) && limit > 0 ? Math.min(limit, MAX_PAGE) : MAX_PAGE;
