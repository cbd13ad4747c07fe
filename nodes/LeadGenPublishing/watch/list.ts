/**
 * One list in one poll. It reads where new records appear, at the head and at the tail, and walks
 * through the whole list a few pages per poll: the first walk makes known what exists, later ones
 * find what neither end shows. Pages overlap, so that a small shift between two requests hides
 * nothing. Whatever cuts a reading short, the next poll goes on from there. Pure.
 */
import {
	MAX_PAGE,
	MAX_WITHOUT_NEW,
	PageReader,
	type Page,
	type PageRequest,
} from '../api/pageWalker';
import type { JsonRecord } from '../api/schemas';
import { HELD_BACK, PASSES_FILTERS, type ListRules } from './events';
import { hash53, idOf } from './hash';
import { Seen } from './seen';

type Ends = 'head' | 'tail' | 'both';

/** What is remembered of a list beside its records. */
export interface Progress {
	/** How many records it had, and how many a page holds. */
	end: number;
	limit: number;
	/** The walk: the offset where it goes on, when it began, and how many pages it has read. */
	at: number;
	since: number;
	pages: number;
	/** The first walk: through the list, then from the head again down to what it has met. */
	first?: 'list' | 'head';
	/** The first walk delivers nothing, whatever the settings. */
	silent?: true;
	/** Unknown records stand where the walk is: it goes on at once, down to known ones. */
	hurries?: true;
	/** The walk has not begun at the head. */
	isPart?: true;
	/** The last poll had no time for the walk, so this one begins with it. */
	waits?: true;
	/** The first walk has met a page that need not show a record of the next one. */
	afterThin?: true;
	/** Since when records appear that neither end shows: walks are fast until one finds none. */
	scattered?: number;
	/** The ends at which new records have appeared, and those since the walk began. */
	grows?: Ends;
	grewLately?: Ends;
	/** The hash of the last record. */
	last?: number;
	/** How many polls in a row have met an answer that may hide records. */
	doubts?: number;
	/** The service refuses offsets from here on. */
	reach?: number;
}

export const freshProgress = (now: number, silent?: true): Progress => ({
	...{ end: 0, limit: MAX_PAGE, at: 0, since: now, pages: 0, first: 'list' },
	...(silent === undefined ? {} : { silent }),
});

/** How fast the walk goes. */
export interface Pace {
	/** How long a walk may take (ms); 0: one page in every poll. */
	readonly every: number;
	/** Pages that a poll reads of it at most, unless it hurries. */
	readonly mostPages: number;
}

export interface ReadOptions {
	readonly fetchPage: (request: PageRequest) => Promise<Page>;
	readonly rules: ListRules;
	readonly emitExisting: boolean;
	readonly maxItems: number;
	readonly pace: Pace;
	readonly now: number;
	/** No further page may be requested. */
	readonly isSpent: () => boolean;
	/** Whether the service refuses the offset, and not the list. */
	readonly refusesOffset: (error: unknown) => boolean;
}

type Phase = 'walk' | 'tail' | 'head';

/** A record that this poll has met. */
export interface Met {
	readonly hash: number;
	/** Only of those that are delivered. */
	readonly record?: JsonRecord;
	phase: Phase;
	readonly position: number;
	/** The remembered value; undefined if the record is not known. */
	readonly known: string | undefined;
	readonly value: string;
	/** Unknown, changed, or matching the filters for the first time. */
	readonly isNews: boolean;
}

export interface Reading {
	readonly met: readonly Met[];
	readonly progress: Progress;
	readonly failure: { readonly error: unknown } | undefined;
	readonly withoutId: number;
	readonly unreadable: number;
	readonly requests: number;
	/** When the walk began that ended in this poll; not of a first one. */
	readonly walkedSince: number | undefined;
}

interface View {
	readonly offset: number;
	readonly entries: ReadonlyArray<Met | undefined>;
	readonly limit: number;
	readonly hasMore: boolean;
	/** Where the next page begins. */
	readonly next: number;
	/** The end of the page is known, so what follows is known as well. */
	readonly endsKnown: boolean;
	/** It shows no record that can be told from others. */
	readonly isBlank: boolean;
	/** A record of it was known or met before, as far as that can be told. */
	readonly overlaps: boolean;
	/** Its records that are unknown, and were not met before in this poll. */
	readonly unknown: readonly Met[];
	/** The next page need not show a record of it: some are left out, or cannot be told from others. */
	readonly showsLittle: boolean;
	/** By how much the offset may move. */
	readonly step: number;
	readonly isRefused: true | undefined;
}

/** Enough records to see whether the head has changed. */
const SHORT_PAGE = 20;
/** An answer that may hide records is doubted in so many polls before it is taken as it is. */
const DOUBTFUL_POLLS = 5;
/** Pages of a walk in each poll while records appear that neither end shows. */
const FAST_PAGES = 10;
/** Known pages after which a walk that hurries has found nothing. */
const MAX_KNOWN_IN_HURRY = 3;
/** Pages at the tail in a row that show nothing new, before they are taken to be repeated. */
const MAX_IDLE_PAGES = 5;

/** So many known records end a reading, and so many of two pages of a walk are the same. */
const overlapOf = (limit: number): number => Math.min(10, Math.ceil(limit / 4));

const together = (one: Ends | undefined, other: Ends): Ends =>
	one === undefined || one === other ? other : 'both';

/** Nothing more is read of this list in this poll. */
class StopReading extends Error {}

export async function readList(
	seen: Seen,
	before: Progress,
	options: ReadOptions,
): Promise<Reading> {
	const reader = new ListReader(seen, before, options);
	let failure: Reading['failure'];
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
	private readonly reader: PageReader;
	private isInDoubt = false;
	/** The head shows nothing and announces more. */
	private isBlind = false;
	private hasSeenEnd = false;
	private hasWalked = false;
	private requests = 0;
	private withoutId = 0;
	private unreadable = 0;
	private walkedSince: number | undefined;

	constructor(
		private readonly seen: Seen,
		private readonly before: Progress,
		private readonly options: ReadOptions,
	) {
		this.progress = { ...before, since: Math.min(before.since, options.now) };
		this.delivers = before.first === undefined || (options.emitExisting && !before.silent);
		this.believes = (before.doubts ?? 0) >= DOUBTFUL_POLLS;
		this.reader = new PageReader(async (request) => await this.fetch(request), {
			ways: this.believes ? ['blank', 'elsewhere', 'repeated'] : [],
		});
	}

	result(failure: Reading['failure']): Reading {
		const { progress, before } = this;
		if (this.isInDoubt) progress.doubts = (before.doubts ?? 0) + 1;
		else if (failure === undefined && !this.believes) delete progress.doubts;
		if (failure !== undefined && before.reach === undefined && progress.reach !== undefined) {
			// The list has failed, so that it refused an offset says nothing about its length.
			delete progress.reach;
			Object.assign(progress, { end: before.end, last: before.last });
		}
		if (before.first || this.hasWalked || this.pagesDue() === 0) delete progress.waits;
		else progress.waits = true;
		const { withoutId, unreadable, requests, walkedSince } = this;
		const met = [...this.met.values()];
		return { met, progress, failure, withoutId, unreadable, requests, walkedSince };
	}

	async readKnownList(): Promise<void> {
		const { progress, before, options } = this;
		const isLong = before.end > before.limit;
		const walksFirst = progress.hurries === true || progress.waits === true;
		if (walksFirst) await this.walk();
		const isWithinReach = before.reach === undefined;
		if (before.grows === 'tail' && isLong && isWithinReach) await this.readTail();
		else if (
			!isWithinReach ||
			before.grows !== undefined ||
			!isLong ||
			options.rules.kind === 'change' ||
			this.believes ||
			!(await this.endsAsBefore())
		) {
			if (await this.readHead()) {
				this.endOnePassOfAll();
				return;
			}
			if (before.grows !== 'head' && before.end > 0 && !this.isBlind && isWithinReach)
				await this.readTail();
		}
		if (!walksFirst) await this.walk();
	}

	/** From the head down to known records. True if that was the whole list. */
	private async readHead(): Promise<boolean> {
		const { progress, before, options } = this;
		const isShort = options.rules.kind === 'new' && before.end > before.limit;
		let offset = 0;
		let blanks = 0;
		let [isWhole, isDone] = [false, false];
		try {
			for (let size = isShort ? SHORT_PAGE : MAX_PAGE; ; size = MAX_PAGE) {
				const view = await this.page(offset, 'head', size);
				isWhole = !view.hasMore;
				// One blank page may be what a filter leaves of a full one.
				this.isBlind = view.isBlank;
				isDone = isWhole || (this.isBlind ? blanks++ > 0 : view.endsKnown);
				if (isDone) return isWhole;
				offset = view.next;
			}
		} finally {
			const unknown = this.unknownIn('head');
			// What lies below may be unknown too, but the next poll would end above it.
			if (unknown > 0 && !isDone) {
				if (progress.at === 0) progress.isPart = true;
				progress.at = Math.min(progress.at || offset, offset);
				progress.hurries = true;
			}
			if (unknown > 0 && !isWhole) this.grew('head');
			if (!this.hasSeenEnd) progress.end += unknown;
		}
	}

	/** Whether the list ends as before: then nothing was added, unless as much was removed. */
	private async endsAsBefore(): Promise<boolean> {
		const { before } = this;
		const view = await this.page(this.placeOfTail(), 'tail', SHORT_PAGE);
		return (
			!view.hasMore &&
			view.offset + view.entries.length === before.end &&
			view.entries.at(-1)?.hash === before.last &&
			view.entries.every((entry) => entry === undefined || entry.known !== undefined)
		);
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
			for (let step = first.limit; first.entries.length === 0 && first.offset > 0; step *= 2)
				first = await this.page(Math.max(0, first.offset - step), 'tail');
			let idlePages = 0;
			for (let view = first; view.hasMore && idlePages < MAX_IDLE_PAGES;) {
				const metBefore = this.met.size;
				progress.end = view.offset + view.entries.length;
				view = await this.page(view.next, 'tail');
				idlePages = this.met.size > metBefore ? 0 : idlePages + 1;
			}
			for (let view = first; view.offset > 0 && (view.entries[0]?.isNews ?? true);)
				view = await this.page(
					Math.max(0, view.offset - Math.max(1, view.limit - overlapOf(view.limit))),
					'tail',
				);
			const shown = this.unknownIn('head') + this.unknownIn('tail');
			if (progress.end > before.end + shown) progress.scattered = this.options.now;
			isDone = true;
		} finally {
			if (this.unknownIn('tail') > 0) {
				// Between what was met and what is known, there may be a gap.
				if (!isDone) progress.scattered = this.options.now;
				this.grew('tail');
			}
		}
	}

	/** Goes on with the walk: the first one as far as it comes, later ones by what is due. */
	async walk(): Promise<void> {
		const { progress, before, options } = this;
		const due = this.pagesDue();
		let blanks = 0;
		let back = 0;
		for (let read = 0; progress.first || progress.hurries || read < due; read++) {
			const view = await this.page(progress.at, 'walk');
			const isBlank = view.entries.length === 0;
			this.hasWalked = true;
			progress.pages++;
			if (this.hasMovedUp(view)) {
				// They stand behind the gap, so they do not show where it begins.
				for (const { hash } of view.unknown) this.met.delete(hash);
				back = back === 0 ? view.step : 2 * back;
				progress.at = Math.max(0, view.offset - back);
				continue;
			}
			if (view.showsLittle) progress.afterThin = true;
			else delete progress.afterThin;
			back = 0;
			blanks = isBlank && view.hasMore ? blanks + 1 : 0;
			progress.at = view.next;
			this.learnFromWalk(view, read);
			const isEnd = !view.hasMore || blanks >= MAX_WITHOUT_NEW || this.isEndless(view);
			if (isEnd && progress.first === 'list' && progress.pages > 1)
				Object.assign(progress, { first: 'head', at: 0 });
			else if (isEnd || (progress.first === 'head' && view.unknown.length === 0)) {
				this.endWalk();
				return;
			}
			if (before.first && this.delivers && this.deliverable >= options.maxItems) return;
		}
	}

	/**
	 * Whether records may have moved up past the place of the walk, because others above them were
	 * removed: in a first walk the page shows no record that was met before it, in others it is empty.
	 */
	private hasMovedUp({ offset, overlaps, entries, hasMore, isRefused }: View): boolean {
		const { first, afterThin } = this.progress;
		if (offset === 0 || isRefused) return false;
		if (first === 'list') return !overlaps && !afterThin;
		return entries.length === 0 && !hasMore;
	}

	private learnFromWalk(view: View, read: number): void {
		const { progress } = this;
		if (progress.first) return;
		if (progress.hurries) {
			if (view.endsKnown && (this.unknownIn('walk') > 0 || read >= MAX_KNOWN_IN_HURRY))
				delete progress.hurries;
			return;
		}
		if (view.unknown.length === 0) return;
		const isAtEnd =
			!view.hasMore &&
			view.entries.slice(-view.unknown.length).every((entry) => entry?.known === undefined);
		if (isAtEnd) this.grew('tail');
		else {
			progress.scattered = this.options.now;
			this.grew('both');
		}
	}

	/** A service that ignores offsets, or always announces more, is read until nothing can be left. */
	private isEndless({ step }: View): boolean {
		const known = this.seen.size + this.met.size;
		return this.progress.pages > 3 * Math.ceil(known / step) + MAX_WITHOUT_NEW;
	}

	private pagesDue(): number {
		const { before, options, progress } = this;
		const { every, mostPages } = options.pace;
		const step = Math.max(1, before.limit - overlapOf(before.limit));
		const pagesOfAll = Math.max(1, Math.ceil(before.end / step));
		const scheduled =
			every > 0
				? Math.floor((pagesOfAll * (options.now - progress.since)) / every) - before.pages
				: 1;
		const least =
			progress.scattered !== undefined ? FAST_PAGES : before.doubts && !this.believes ? 1 : 0;
		return Math.max(least, Math.min(mostPages, scheduled));
	}

	private endWalk(): void {
		const { progress } = this;
		if (!progress.first && !progress.isPart) {
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

	/** The head was the whole list, which replaces a walk. */
	private endOnePassOfAll(): void {
		const { progress, before } = this;
		const entries = [...this.met.values()].sort((one, other) => one.position - other.position);
		const unknown = this.unknownIn('head');
		progress.grows = before.grows;
		// If all are unknown, that says nothing about the ends.
		if (unknown > 0 && unknown < entries.length) {
			const atHead = entries[0]?.known === undefined;
			const atTail = entries.at(-1)?.known === undefined;
			progress.grewLately = atHead && atTail ? 'both' : atTail ? 'tail' : 'head';
		}
		if (progress.grewLately === 'tail') for (const entry of entries) entry.phase = 'tail';
		this.endWalk();
	}

	private grew(end: Ends): void {
		const { progress } = this;
		progress.grows = together(progress.grows, end);
		progress.grewLately = together(progress.grewLately, end);
	}

	private get deliverable(): number {
		return count(this.met.values(), ({ record }) => record !== undefined);
	}

	private unknownIn(phase: Phase): number {
		return count(this.met.values(), (one) => one.phase === phase && one.known === undefined);
	}

	/** Reads one page and compares each of its records, whatever it is read for. */
	private async page(offset: number, phase: Phase, size = MAX_PAGE): Promise<View> {
		const { progress } = this;
		const answer = await this.ask(offset, size);
		const { isRefused } = answer;
		if (isRefused) progress.reach = offset;
		else if (offset >= (progress.reach ?? Infinity)) delete progress.reach;
		const { reach = Infinity } = progress;
		// Records that come into reach only at some offsets would seem to be new.
		const records = answer.records.slice(0, progress.first ? Infinity : reach - offset);
		const held = records.length;
		const limit = Math.max(answer.records.length, sizeOf(answer.limit, size));
		if (size === MAX_PAGE && !isRefused) progress.limit = limit;
		const overlap = overlapOf(limit);
		this.firstMet.clear();
		const entries = records.map((record, index) => this.meet(record, phase, offset + index));
		const told = entries.filter((entry) => entry !== undefined);
		// A walk takes hours, so more may have moved between two of its pages.
		const moves = movesOf(answer.records, { shared: phase === 'walk' ? overlap : 1, limit });
		const next = offset + (moves ?? limit);
		// Only a walk tries again what was refused.
		const hasMore = answer.hasMore && !(next >= reach && phase !== 'walk');
		const end = offset + held;
		// What is left over at the tail begins at its end, so only reading the tail moves that on.
		const isOfTail = phase === 'walk' && (this.before.grows ?? 'head') !== 'head';
		if (!hasMore && (!isOfTail || end < progress.end)) {
			progress.end = end;
			progress.last = entries.at(-1)?.hash;
			this.hasSeenEnd = true;
		}
		return {
			...{ offset, entries, limit, hasMore, isRefused },
			next: offset < reach ? Math.min(next, reach) : next,
			isBlank: told.length === 0,
			showsLittle: moves === undefined,
			step: Math.max(1, limit - overlap),
			endsKnown: told.slice(-overlap).every(({ isNews }) => !isNews),
			overlaps:
				(held > 0 && told.length === 0) ||
				told.some((entry) => entry.known !== undefined || !this.firstMet.has(entry)),
			unknown: [...this.firstMet].filter(({ known }) => known === undefined),
		};
	}

	/** One page; it is requested again by the reader if it may hide records. */
	private async ask(offset: number, limit: number): Promise<Page & { isRefused?: true }> {
		const answer = await this.reader.read({ offset, limit }).catch((error: unknown) => {
			if (offset === 0 || !this.options.refusesOffset(error)) throw error;
			return undefined;
		});
		if (answer === undefined) return { records: [], limit, hasMore: false, isRefused: true };
		const isElsewhere = (answer.offset ?? offset) !== offset && !this.believes;
		// Two pages that show little may well show the same.
		const told = answer.records.filter((record) => idOf(record) !== undefined).length;
		const isHonest = answer.doubt === 'repeated' && told < sizeOf(answer.limit, limit);
		if ((answer.doubt === undefined || isHonest) && !isElsewhere) return answer;
		this.isInDoubt = true;
		throw new StopReading();
	}

	private async fetch(request: PageRequest): Promise<Page> {
		// One page is always read, however slow the service is.
		if (this.requests > 0 && this.options.isSpent()) throw new StopReading();
		this.requests++;
		return await this.options.fetchPage(request);
	}

	/** Undefined if the record cannot be told from others. */
	private meet(record: JsonRecord, phase: Phase, position: number): Met | undefined {
		const id = idOf(record);
		if (id === undefined) {
			this.withoutId++;
			return undefined;
		}
		const hash = hash53(id);
		const met = this.met.get(hash);
		if (met !== undefined) return met;
		const entry = { hash, phase, position, ...this.judge(record, this.seen.get(hash)) };
		this.met.set(hash, entry);
		this.firstMet.add(entry);
		return entry;
	}

	private judge(
		record: JsonRecord,
		known: string | undefined,
	): Pick<Met, 'record' | 'known' | 'value' | 'isNews'> {
		try {
			return this.compare(record, known);
		} catch {
			// It is passed over, until it can be read.
			this.unreadable++;
			const value = HELD_BACK.repeat(this.options.rules.width);
			return { known, value, isNews: known === undefined };
		}
	}

	private compare(
		record: JsonRecord,
		known: string | undefined,
	): Pick<Met, 'record' | 'known' | 'value' | 'isNews'> {
		const { rules } = this.options;
		const given = (delivered: boolean) => (delivered && this.delivers ? { record } : {});
		if (rules.kind === 'change') {
			const value = rules.fingerprint(record);
			const hasChanged = known !== value;
			const counts = known !== undefined || rules.countsWhenFirstSeen(record);
			const delivered = hasChanged && counts && rules.matches(record);
			return { known, value, isNews: hasChanged, ...given(delivered) };
		}
		const isDone = known !== undefined && (rules.width === 0 || known === PASSES_FILTERS);
		const passes = !isDone && rules.matches(record);
		const value = rules.width === 0 ? '' : isDone || passes ? PASSES_FILTERS : HELD_BACK;
		return { known, value, isNews: known === undefined || passes, ...given(passes) };
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

const OF_ONE_WALK = [
	'first',
	'silent',
	'hurries',
	'isPart',
	'waits',
	'afterThin',
	'grewLately',
] as const;

/** What the answer says is believed up to what was asked. */
const sizeOf = (limit: number, asked: number): number =>
	Number.isInteger(limit) && limit > 0 ? Math.min(limit, asked) : asked;

function count<T>(all: Iterable<T>, isCounted: (one: T) => boolean): number {
	let sum = 0;
	for (const one of all) if (isCounted(one)) sum++;
	return sum;
}
