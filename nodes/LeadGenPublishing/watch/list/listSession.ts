/**
 * What all ways of reading one list in one poll share: every page goes through here, is noted,
 * teaches where the list begins and ends, and is doubted if it may hide records.
 */
import { Findings, type ReadPhase } from './diff';
import type { ListRules } from '../events';
import type { CheckPace } from './pace';
import {
	combineGrowth,
	freshCheck,
	type CheckKind,
	type Growth,
	type Place,
	type Progress,
} from './progress';
import { PAGE_SIZE, type PageReader, type PageView } from './reader';
import type { SeenSet } from '../seen';
import { hasNoOrder, readNext } from './walk';

export interface ListReadingInput {
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
export const MAX_DOUBTFUL_POLLS = 5;
/** Empty pages that one poll reads on over, once they are believed: at the head, and elsewhere. */
const MAX_BLANKS_AT_HEAD = 1;
const MAX_BLANKS = 3;

export class ListSession {
	readonly findings: Findings;
	readonly progress: Progress;
	readonly notices = new Set<ListNotice>();
	/** A page that may hide records was met, and not believed. */
	private hasDoubtfulAnswer = false;
	private blanks = 0;
	private blanksAtHead = 0;
	private readonly endBefore: number;
	/** So many polls were in doubt that the service is taken at its word. */
	private readonly doubtLimitReached: boolean;

	constructor(readonly input: ListReadingInput) {
		const { seen, progress, rules, emitExisting } = input;
		this.progress = structuredClone(progress);
		this.endBefore = progress.baseline === undefined ? progress.end : 0;
		this.doubtLimitReached = (progress.doubts ?? 0) >= MAX_DOUBTFUL_POLLS;
		const rememberOnly = progress.baseline !== undefined && !emitExisting;
		this.findings = new Findings(seen, rules, { rememberOnly });
	}

	/** Undefined if the reading has to stop here, for this poll: out of budget, or in doubt. */
	async readNext(
		place: Place,
		phase: ReadPhase,
		{ size, atHead = false }: { size?: number; atHead?: boolean } = {},
	): Promise<PageView | undefined> {
		const before = structuredClone(place);
		const done = await readNext(place, {
			reader: this.input.reader,
			onPage: (view) => this.addPage(view, phase),
			decideOnBlank: (view) => this.decideOnBlank(view, atHead),
			size,
		});
		switch (done.kind) {
			case 'spent':
				return undefined;
			case 'blank':
				this.hasDoubtfulAnswer = true;
				return undefined;
			case 'endOfBlanks':
				return { ...done.view, more: false };
			case 'page':
				break;
		}
		const { view } = done;
		if (place.restarts > before.restarts && hasNoOrder(place)) this.notices.add('noOrder');
		if (this.endsTooEarly(view)) {
			this.hasDoubtfulAnswer = true;
			Object.assign(place, before);
			return undefined;
		}
		this.learnFrom(view);
		return view;
	}

	/** The head is blank further down than one poll reads: the service says that nothing is there. */
	get isHeadBlank(): boolean {
		return this.blanksAtHead > MAX_BLANKS_AT_HEAD;
	}

	/** Every record of every page that was read is judged, whatever it was read for. */
	addPage(view: PageView, phase: ReadPhase): void {
		this.findings.addPage(view, phase);
		if (view.offset === 0 && view.entries[0]) this.progress.first = view.entries[0].hash;
	}

	/** An empty last page only says that the end lies before it: a bound to look back from. */
	learnFrom(view: PageView): void {
		const { progress } = this;
		if (view.asked === PAGE_SIZE) progress.limit = view.limit;
		if (view.more) return;
		if (this.endsTooEarly(view)) {
			this.hasDoubtfulAnswer = true;
			return;
		}
		progress.end = view.offset + view.entries.length;
		const last = view.entries.at(-1);
		if (last === undefined) delete progress.last;
		else progress.last = last.hash;
	}

	/** Where news were met: what is looked at from now on. */
	recordGrowth(growth: Growth): void {
		const { progress } = this;
		progress.grows = combineGrowth(progress.grows, growth);
		progress.grewLately = combineGrowth(progress.grewLately, growth);
	}

	/** Something new is in the list, and neither end shows it. */
	searchEverywhere(): void {
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
		if (this.hasDoubtfulAnswer)
			progress.doubts = Math.min(MAX_DOUBTFUL_POLLS, (progress.doubts ?? 0) + 1);
		else delete progress.doubts;
	}

	/** Answered to somebody who knows that the list reaches further by more than a page. */
	private endsTooEarly(view: PageView): boolean {
		if (view.more || this.doubtLimitReached) return false;
		return view.offset + view.entries.length + this.progress.limit < this.endBefore;
	}

	private decideOnBlank(view: PageView, atHead: boolean): 'skip' | 'end' | 'doubt' {
		const { progress } = this;
		if (progress.believes !== true) {
			if (!this.doubtLimitReached) return 'doubt';
			progress.believes = true;
			this.notices.add('believesBlanks');
		}
		progress.check.doubtful = true;
		if (progress.baseline === undefined && view.offset >= progress.end) return 'end';
		if (atHead) return this.blanksAtHead++ < MAX_BLANKS_AT_HEAD ? 'skip' : 'doubt';
		return this.blanks++ < MAX_BLANKS ? 'skip' : 'doubt';
	}
}
