/**
 * What all ways of reading one list in one poll share: every page goes through here, is noted,
 * teaches where the list begins and ends, and is doubted if it may hide records.
 */
import { Notes, type Source } from './diff';
import type { ListRules } from '../events';
import type { CheckPace } from './pace';
import {
	bothOf,
	freshCheck,
	type CheckKind,
	type Growth,
	type Place,
	type Progress,
} from './progress';
import { PAGE_SIZE, type PageReader, type PageView } from './reader';
import type { SeenSet } from '../seen';
import { keepsNoOrder, step } from './walk';

export interface ReadingInput {
	seen: SeenSet;
	progress: Progress;
	rules: ListRules;
	reader: PageReader;
	pace: CheckPace;
	now: number;
	/** Deliver what the first scan meets. */
	emitExisting: boolean;
	maxItems: number;
}

/** What a user should hear about a list. */
export type ListNotice = 'noOrder' | 'believesBlanks' | 'nearlyFull';

/** An answer that hides records, perhaps, is asked for again in so many polls. */
export const POLLS_OF_DOUBT = 5;
/** Empty pages that one poll reads on over, once they are believed: at the head, and elsewhere. */
const BLANKS_AT_HEAD = 1;
const BLANKS_PASSED = 3;

export class Session {
	readonly notes: Notes;
	readonly progress: Progress;
	readonly notices = new Set<ListNotice>();
	/** A page that may hide records was met, and not believed. */
	private doubted = false;
	private blanksPassed = 0;
	private blanksAtHead = 0;
	private readonly endBefore: number;
	/** So many polls were in doubt that the service is taken at its word. */
	private readonly patienceIsOver: boolean;

	constructor(readonly input: ReadingInput) {
		const { seen, progress, rules, emitExisting } = input;
		this.progress = structuredClone(progress);
		this.endBefore = progress.baseline === undefined ? progress.end : 0;
		this.patienceIsOver = (progress.doubts ?? 0) >= POLLS_OF_DOUBT;
		const quiet = progress.baseline !== undefined && !emitExisting;
		this.notes = new Notes(seen, rules, { quiet });
	}

	/** Undefined if the reading has to stop here, for this poll: out of budget, or in doubt. */
	async step(
		place: Place,
		source: Source,
		{ size, atHead = false }: { size?: number; atHead?: boolean } = {},
	): Promise<PageView | undefined> {
		const before = structuredClone(place);
		const done = await step(place, {
			reader: this.input.reader,
			see: (view) => this.note(view, source),
			judgeBlank: (view) => this.judgeBlank(view, atHead),
			size,
		});
		switch (done.kind) {
			case 'spent':
				return undefined;
			case 'blank':
				this.doubted = true;
				return undefined;
			case 'endOfBlanks':
				return { ...done.view, more: false };
			case 'page':
				break;
		}
		const { view } = done;
		if (place.restarts > before.restarts && keepsNoOrder(place)) this.notices.add('noOrder');
		if (this.endsTooEarly(view)) {
			this.doubted = true;
			Object.assign(place, before);
			return undefined;
		}
		this.learnFrom(view);
		return view;
	}

	/** The head is blank further down than one poll reads: the service says that nothing is there. */
	get isHeadBlank(): boolean {
		return this.blanksAtHead > BLANKS_AT_HEAD;
	}

	/** Every record of every page that was read is judged, whatever it was read for. */
	note(view: PageView, source: Source): void {
		this.notes.take(view, source);
		if (view.offset === 0 && view.entries[0]) this.progress.first = view.entries[0].hash;
	}

	/** An empty last page only says that the end lies before it: a bound to look back from. */
	learnFrom(view: PageView): void {
		const { progress } = this;
		if (view.asked === PAGE_SIZE) progress.limit = view.limit;
		if (view.more) return;
		if (this.endsTooEarly(view)) {
			this.doubted = true;
			return;
		}
		progress.end = view.offset + view.entries.length;
		const last = view.entries.at(-1);
		if (last === undefined) delete progress.last;
		else progress.last = last.hash;
	}

	/** Where news were met: what is looked at from now on. */
	showed(growth: Growth): void {
		const { progress } = this;
		progress.grows = bothOf(progress.grows, growth);
		progress.grewLately = bothOf(progress.grewLately, growth);
	}

	/** Something new is in the list, and neither end shows it. */
	search(): void {
		this.progress.searching = this.input.now;
	}

	beginCheck(kind: CheckKind, place?: Place): void {
		const { progress, input } = this;
		const marks = input.seen.marked && place === undefined ? { marks: true as const } : {};
		progress.check = { ...freshCheck(input.now), ...place, kind, ...marks };
	}

	/** What this poll could not believe is asked for again by the next. */
	finish(): void {
		const { progress } = this;
		if (this.doubted) progress.doubts = Math.min(POLLS_OF_DOUBT, (progress.doubts ?? 0) + 1);
		else delete progress.doubts;
	}

	/** Answered to somebody who knows that the list reaches further by more than a page. */
	private endsTooEarly(view: PageView): boolean {
		if (view.more || this.patienceIsOver) return false;
		return view.offset + view.entries.length + this.progress.limit < this.endBefore;
	}

	private judgeBlank(view: PageView, atHead: boolean): 'skip' | 'end' | 'doubt' {
		const { progress } = this;
		if (progress.believes !== true) {
			if (!this.patienceIsOver) return 'doubt';
			progress.believes = true;
			this.notices.add('believesBlanks');
		}
		progress.check.doubtful = true;
		if (progress.baseline === undefined && view.offset >= progress.end) return 'end';
		if (atHead) return this.blanksAtHead++ < BLANKS_AT_HEAD ? 'skip' : 'doubt';
		return this.blanksPassed++ < BLANKS_PASSED ? 'skip' : 'doubt';
	}
}
