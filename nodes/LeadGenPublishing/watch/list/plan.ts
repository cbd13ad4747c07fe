/**
 * Promise: what appeared since the last poll at the end where the list grows is met in this one,
 * for one request while nothing is new; everything else within one complete check. When a reading
 * is cut short, the place where it stopped is remembered, and the next poll goes on there.
 */
import { finishCheck, continueCheck, type CompletedCheck } from './check';
import type { Findings } from './diff';
import { continueFirstScan } from './firstScan';
import { readHead, type HeadReading } from './head';
import { isOnePage, pagesDue } from './pace';
import { CHECK_KINDS, type Check, type Growth, type Progress, type Scan } from './progress';
import { FetchError } from './reader';
import { ListSession, type ListNotice, type ListReadingInput } from './listSession';
import { endsAsBefore, readTail, tailPlace } from './tail';
import { nextOffset } from './walk';

export interface ListReading {
	findings: Findings;
	/** Changed in place while reading: what was learned before a failure stays learned. */
	progress: Progress;
	/** The check as it stood before: leftovers that it met must be met again. */
	before: Check;
	scanBefore: Scan | undefined;
	/** What the service did wrong. */
	failure?: unknown;
	/** Everything was read that was to be read, or the budget was not the reason that it was not. */
	complete: boolean;
	/** Complete checks that came to their end. */
	checked?: CompletedCheck;
	notices: ReadonlySet<ListNotice>;
}

/**
 * What is looked at in every poll. `short`: a short page, unless the head has changed. `change`:
 * only whether the list ends as it did, and both ends if it does not.
 */
interface PollPlan {
	head: 'none' | 'short' | 'page';
	tail: boolean;
	change?: true;
}

type GrowthOrUnknown = Growth | 'unknown';

/** Records that may start to count later: the more of them are seen, the sooner. */
const PLANS_WHEN_COMPARING: Record<GrowthOrUnknown, PollPlan> = {
	unknown: { head: 'page', tail: true },
	head: { head: 'page', tail: false },
	tail: { head: 'none', tail: true },
	both: { head: 'page', tail: true },
};
const PLANS_FOR_NEW_RECORDS: Record<GrowthOrUnknown, PollPlan> = {
	unknown: { head: 'none', tail: false, change: true },
	head: { head: 'short', tail: false },
	tail: { head: 'none', tail: true },
	both: { head: 'short', tail: true },
};
const WHOLE_PAGE: PollPlan = { head: 'page', tail: false };
const BOTH_ENDS: PollPlan = { head: 'page', tail: true };

export async function readPages(input: ListReadingInput): Promise<ListReading> {
	const session = new ListSession(input);
	const { findings, progress, notices } = session;
	const reading: ListReading = {
		findings,
		progress,
		before: input.progress.check,
		scanBefore: input.progress.baseline,
		complete: false,
		notices,
	};
	const read = async (): Promise<boolean> =>
		progress.baseline
			? await continueFirstScan(session, progress.baseline)
			: await readKnownList(session, (checked) => (reading.checked = checked));
	const finished = await read().catch((error: unknown) => {
		if (!(error instanceof FetchError)) throw error;
		reading.failure = error.cause;
	});
	if (finished === undefined) return reading;
	session.finish();
	reading.complete = finished || !input.reader.isBudgetSpent;
	return reading;
}

function planFor(session: ListSession): PollPlan {
	const { progress, input } = session;
	const where = progress.grows ?? 'unknown';
	const compares = input.rules.width > 0;
	if (isOnePage(progress) && (compares || where === 'unknown' || where === 'both'))
		return WHOLE_PAGE;
	return (compares ? PLANS_WHEN_COMPARING : PLANS_FOR_NEW_RECORDS)[where];
}

async function readKnownList(
	session: ListSession,
	onComplete: (checked: CompletedCheck) => void,
): Promise<boolean> {
	const { progress, input } = session;
	const due = pagesDue(progress, input.pace, input.now);
	const checkBegins = due > 0 && progress.check.next === 0;
	let plan = planFor(session);
	if (plan.change) {
		const same = await endsAsBefore(session);
		if (same === undefined) return false;
		if (!same) plan = BOTH_ENDS;
	}
	const endBefore = progress.end;
	let shift = 0;
	let left = due;
	if (plan.head !== 'none' || checkBegins) {
		const until = plan.head === 'page' || checkBegins ? 'margin' : 'unchanged';
		const head = await readHead(session, 'head', until);
		if (head === undefined) return false;
		if (head.whole) {
			finishWholeList(session, head, onComplete);
			return true;
		}
		shift = headShift(session, head);
		if (checkBegins) {
			startCheckAt(progress.check, head);
			left -= head.pages;
		}
		if (head.unknown > 0) session.recordGrowth('head');
	}
	// A page that was to be the whole list and is not: it has grown, at its end perhaps.
	const tail = plan.tail || plan === WHOLE_PAGE;
	const finished = await readRest(session, { tail, pages: left, onComplete });
	const atTail = session.findings.unknownByPhase.tail;
	if (atTail > 0) session.recordGrowth('tail');
	// More has come than the ends have shown.
	if (finished && tail && progress.end > endBefore + shift + atTail) session.searchEverywhere();
	return finished;
}

/** What has come in at the head has moved everything else. */
function headShift({ progress }: ListSession, head: HeadReading): number {
	const shift = Math.max(0, head.unknown - (progress.waiting ?? 0));
	progress.end += shift;
	if (progress.check.next > 0) progress.check.next += shift;
	return shift;
}

function startCheckAt(check: Check, head: HeadReading): void {
	const { next, anchors, restarts } = head.place;
	Object.assign(check, { next, anchors, restarts, pages: head.pages });
}

/** The end, and the check's share. */
async function readRest(
	session: ListSession,
	{
		tail,
		pages,
		onComplete,
	}: { tail: boolean; pages: number; onComplete: (checked: CompletedCheck) => void },
): Promise<boolean> {
	const { check } = session.progress;
	const atTail = async (): Promise<boolean> => !tail || (await readTail(session));
	const readCheck = async (): Promise<boolean> => await continueCheck(session, pages, onComplete);
	// Known gaps first: on a tight budget the tail must not keep them open.
	if (CHECK_KINDS[check.kind].isUrgent) return (await readCheck()) && (await atTail());
	if (tail && pages > 0) {
		// Neither needs to know what the other finds: an idle poll waits for two answers, not for three.
		await session.input.reader.prefetch([nextOffset(tailPlace(session)), nextOffset(check)]);
	}
	return (await atTail()) && (await readCheck());
}

/** From the head to the end at once: whatever check was under way is done with. */
function finishWholeList(
	session: ListSession,
	head: HeadReading,
	onComplete: (checked: CompletedCheck) => void,
): void {
	const { findings, progress, input } = session;
	const first = head.pagesRead[0]?.entries[0]?.hash ?? 0;
	const last = head.pagesRead.at(-1)?.entries.at(-1)?.hash ?? 0;
	findings.grewAtEnd = findings.isNews(last) && !findings.isNews(first);
	const growth = growthOf(session, head);
	if (growth !== undefined) session.recordGrowth(growth);
	const { marks, doubtful } = progress.check;
	session.beginCheck('paced');
	Object.assign(progress.check, { since: input.now, marks, doubtful });
	const checked = finishCheck(session);
	if (checked !== undefined) onComplete(checked);
}

/** Where the unknown records of a list stand that was read as a whole. */
function growthOf(
	{ findings }: ListSession,
	{ unknown, pagesRead }: HeadReading,
): Growth | undefined {
	if (unknown === 0) return undefined;
	const isNew = ({ hash }: { hash: number }): boolean => findings.isUnknown(hash);
	const onTop = (pagesRead[0]?.entries ?? []).findIndex((entry) => !isNew(entry));
	const fromEnd = [...(pagesRead.at(-1)?.entries ?? [])]
		.reverse()
		.findIndex((entry) => !isNew(entry));
	// All of it is new: it tells nothing.
	if (onTop < 0 && fromEnd < 0) return undefined;
	if (onTop === unknown || onTop < 0) return 'head';
	return fromEnd === unknown || fromEnd < 0 ? 'tail' : 'both';
}
