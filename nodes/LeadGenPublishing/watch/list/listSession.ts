/**
 * What all phases of reading one list in one poll share. Every page passes through here: its
 * records are compared, it may update where the list begins and ends, and it is not accepted at
 * once if it may hide records.
 */
import { Findings, type ReadPhase } from './diff';
import type { ListRules } from './events';
import { CHECKS, type DecisiveEvent } from './checkStates';
import type { ListNotice } from './notices';
import type { CheckPace } from './pace';
import {
	combineGrowth,
	freshCheck,
	PAGE_SIZE,
	type CheckKind,
	type Growth,
	type Place,
	type Progress,
} from '../store/progress';
import type { PageReader, PageView } from './reader';
import { isEndless, RepeatedPages } from './repeats';
import type { SeenSet } from '../store/seen';
import { hasNoOrder, readNext, type BlankVerdict } from './walk';

export interface ListReadingInput {
	seen: SeenSet;
	progress: Progress;
	rules: ListRules;
	reader: PageReader;
	pace: CheckPace;
	now: number;
	/** Whether the first scan delivers what it meets. */
	emitExisting: boolean;
	maxItems: number;
}

/** An answer that may hide records is requested again in so many polls before it is accepted. */
export const MAX_DOUBTFUL_POLLS = 5;
/** Blank pages that one poll skips once they are accepted: at the head, and elsewhere. */
const MAX_BLANKS_AT_HEAD = 1;
const MAX_BLANKS = 3;

export interface CompletedCheck {
	/** When the completed check began (ms). */
	since: number;
	/**
	 * Records that it did not meet are not in the list, if the previous check did not meet them
	 * either.
	 */
	sawEverything: boolean;
}

export class ListSession {
	readonly findings: Findings;
	/** A copy, which reading changes: the state itself is made from it when the poll is settled. */
	readonly progress: Progress;
	/** The complete check that ended in this poll. */
	completedCheck?: CompletedCheck;
	/** What was known before it ended. */
	beforeVerdict?: Readonly<Progress>;
	readonly notices = new Set<ListNotice>();
	/** This poll met a page that may hide records, and did not accept it. */
	private hasDoubtfulAnswer = false;
	/** This poll went on where the one before had to stop. */
	private hasGoneOn = false;
	private skippedBlanks = 0;
	private blanksAtHead = 0;
	private readonly repeated = new RepeatedPages();
	/** So many polls met doubtful answers that they are accepted now. */
	private readonly doubtLimitReached: boolean;

	constructor(readonly input: ListReadingInput) {
		const { seen, progress, rules, emitExisting } = input;
		this.progress = structuredClone(progress);
		const { baseline, doubts } = progress;
		this.doubtLimitReached = doubts !== undefined && doubts >= MAX_DOUBTFUL_POLLS;
		const rememberOnly = baseline !== undefined && !emitExisting;
		this.findings = new Findings(seen, rules, { rememberOnly });
	}

	/**
	 * Undefined if this poll must stop reading here: the budget is used up, or the answer is
	 * doubtful.
	 */
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
		if (done.kind === 'spent') return undefined;
		if (done.kind === 'blank') {
			this.hasDoubtfulAnswer = true;
			return undefined;
		}
		if (done.kind === 'endOfBlanks') return { ...done.view, more: false };
		const { view } = done;
		this.hasGoneOn ||= place === this.progress.baseline || place === this.progress.check;
		if (place.restarts > before.restarts && hasNoOrder(place)) this.notices.add('noOrder');
		if (this.liesElsewhere(view) || this.endsTooEarly(view)) {
			this.hasDoubtfulAnswer = true;
			Object.assign(place, before);
			return undefined;
		}
		if (this.repeats(place, before, view)) return { ...view, more: false };
		this.learnFrom(view);
		return view;
	}

	/** Whether the list would not end by itself. */
	private repeats(place: Place, before: Place, view: PageView): boolean {
		const { progress, findings, input } = this;
		const known = input.seen.size + findings.unknown;
		if (!this.repeated.countPage(place, { before, view, progress, known })) return false;
		if (!progress.repeats) this.notices.add('repeats');
		progress.repeats = true;
		return isEndless(place);
	}

	/** More blank pages at the head than one poll reads: they are taken as an empty head. */
	get isHeadBlank(): boolean {
		return this.blanksAtHead > MAX_BLANKS_AT_HEAD;
	}

	/** Compares every record of the page, whatever the page was read for. */
	addPage(view: PageView, phase: ReadPhase): void {
		this.findings.addPage(view, phase);
		const isKnown = this.input.progress.baseline === undefined;
		if (view.misplaced && (isKnown || this.doubtLimitReached)) this.progress.elsewhere = true;
		// The head has the same place however places are counted.
		else if (isKnown && view.offset > 0) delete this.progress.elsewhere;
		const [top] = view.entries;
		if (view.offset === 0 && top !== undefined) this.progress.first = top.hash;
	}

	/** Updates the list's end. An empty last page only gives an upper bound for it. */
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

	/** Records the end at which new records were met: later polls look there. */
	recordGrowth(growth: Growth | undefined): void {
		const { progress } = this;
		progress.grows = combineGrowth(progress.grows, growth);
		progress.grewLately = combineGrowth(progress.grewLately, growth);
	}

	/** Makes the checks faster: a new record is somewhere in the list, and neither end shows it. */
	searchEverywhere(): void {
		this.progress.searching = this.input.now;
	}

	/** Begins the check that takes the place of the present one after this. */
	replaceCheck(event: DecisiveEvent, place?: Place): void {
		this.beginCheck(CHECKS[this.progress.check.kind].then[event], place);
	}

	beginCheck(kind: CheckKind, place?: Place): void {
		const { progress, input } = this;
		const marks = input.seen.marked && place === undefined ? { marks: true as const } : {};
		progress.check = { ...freshCheck(input.now), ...place, kind, ...marks };
	}

	/** Counts the polls in a row that met doubtful answers. */
	finish(): void {
		const { progress } = this;
		if (this.hasDoubtfulAnswer)
			progress.doubts = Math.min(MAX_DOUBTFUL_POLLS, (progress.doubts ?? 0) + 1);
		else delete progress.doubts;
	}

	/** After a failure: a page that was given is no longer in doubt, whatever has failed after it. */
	finishEarly(): void {
		if (this.hasGoneOn && !this.hasDoubtfulAnswer) delete this.progress.doubts;
	}

	/** In a first scan, the records of another place must not count as all that there is. */
	private liesElsewhere({ misplaced }: PageView): boolean {
		return misplaced === true && this.progress.elsewhere !== true;
	}

	/** The answer ends the list more than a page before the end that earlier polls have found. */
	private endsTooEarly(view: PageView): boolean {
		const { baseline, end } = this.input.progress;
		const mayBeWrong = baseline === undefined && !view.more && !this.doubtLimitReached;
		return mayBeWrong && view.offset + view.entries.length + this.progress.limit < end;
	}

	private decideOnBlank(view: PageView, atHead: boolean): BlankVerdict {
		const { progress } = this;
		if (progress.believes !== true) {
			if (!this.doubtLimitReached) return 'doubt';
			progress.believes = true;
			this.notices.add('believesBlanks');
		}
		progress.check.doubtful = true;
		if (progress.baseline === undefined && view.offset >= progress.end) return 'end';
		if (atHead) return this.blanksAtHead++ < MAX_BLANKS_AT_HEAD ? undefined : 'doubt';
		return this.skippedBlanks++ < MAX_BLANKS ? undefined : 'doubt';
	}
}
