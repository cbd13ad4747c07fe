/**
 * Plans what one poll reads of one list. Promise: records that have appeared at the end where the
 * list grows are met in this poll, for one request if there are none; all others within one
 * complete check. If reading is cut short, its place is remembered, and the next poll continues
 * there.
 */
import { continueCheck, endCheck } from './check';
import { CHECKS } from './checkStates';
import type { Findings } from './diff';
import { continueFirstScan } from './firstScan';
import { readHead, SHORT_PAGE, type HeadReading } from './head';
import { isOnePage, pagesDue } from './pace';
import { PAGE_SIZE, type Check, type Growth, type Progress } from '../store/progress';
import { FetchError, type PageEntry } from './reader';
import { ListSession, type CompletedCheck, type ListReadingInput } from './listSession';
import { endsAsBefore, readTail, tailPlace } from './tail';
import type { ListNotice } from './notices';
import { nextStep } from './walk';

export interface ListReading {
	readonly findings: Findings;
	/** Before this poll; `settleList` goes back to it where records are left over. */
	readonly before: Readonly<Progress>;
	/** What reading has learned, up to a failure if there was one. */
	readonly after: Readonly<Progress>;
	readonly end: ReadingEnd;
	readonly completedCheck: CompletedCheck | undefined;
	/** What was known before it ended. */
	readonly beforeVerdict?: Readonly<Progress>;
	readonly notices: ReadonlySet<ListNotice>;
}

export type ReadingEnd =
	/** As planned, or at an answer that is requested again by the next poll. */
	| { readonly kind: 'complete' }
	/** By the budget of requests and time. */
	| { readonly kind: 'cutShort' }
	/** By an error of the service. */
	| { readonly kind: 'failed'; readonly error: unknown };

/**
 * What every poll reads. `head`: the size of its first page there, 0 for none. `change`: only whether
 * the list still ends as before; if not, both ends.
 */
interface PollPlan {
	head: number;
	tail: boolean;
	change?: true;
}

type GrowthOrUnknown = Growth | 'unknown';

/** For lists in which known records can become relevant: more of them are read in each poll. */
const PLANS_WHEN_COMPARING: Record<GrowthOrUnknown, PollPlan> = {
	unknown: { head: PAGE_SIZE, tail: true },
	head: { head: PAGE_SIZE, tail: false },
	tail: { head: 0, tail: true },
	both: { head: PAGE_SIZE, tail: true },
};
const PLANS_FOR_NEW_RECORDS: Record<GrowthOrUnknown, PollPlan> = {
	unknown: { head: 0, tail: false, change: true },
	head: { head: SHORT_PAGE, tail: false },
	tail: { head: 0, tail: true },
	both: { head: SHORT_PAGE, tail: true },
};
const BOTH_ENDS: PollPlan = { head: PAGE_SIZE, tail: true };

export async function readPages(input: ListReadingInput): Promise<ListReading> {
	const session = new ListSession(input);
	const end = await readSession(session);
	const { findings, progress: after, completedCheck, beforeVerdict, notices } = session;
	return { findings, before: input.progress, after, end, completedCheck, beforeVerdict, notices };
}

async function readSession(session: ListSession): Promise<ReadingEnd> {
	const { progress, input } = session;
	const read = async (): Promise<ReadingEnd> => {
		const finished = progress.baseline
			? await continueFirstScan(session, progress.baseline)
			: await readKnownList(session);
		session.finish();
		return { kind: finished || !input.reader.isBudgetSpent ? 'complete' : 'cutShort' };
	};
	return await read().catch((error: unknown): ReadingEnd => {
		if (!(error instanceof FetchError)) throw error;
		session.finishEarly();
		return { kind: 'failed', error: error.cause };
	});
}

function planFor(session: ListSession): PollPlan {
	const { progress, input } = session;
	const where = progress.grows ?? 'unknown';
	const compares = input.rules.width > 0;
	// Its head is the whole of it, unless it no longer fits on one page.
	if (isOnePage(progress) && (compares || where === 'unknown' || where === 'both'))
		return BOTH_ENDS;
	return (compares ? PLANS_WHEN_COMPARING : PLANS_FOR_NEW_RECORDS)[where];
}

async function readKnownList(session: ListSession): Promise<boolean> {
	const { progress, input } = session;
	const due = pagesDue(progress, input.pace, input.now);
	const checkBegins = due > 0 && progress.check.next === 0;
	let plan = planFor(session);
	if (plan.change && !(await endsAsBefore(session))) plan = BOTH_ENDS;
	const endBefore = progress.end;
	let shift = 0;
	let left = due;
	if (plan.head !== 0 || checkBegins) {
		const head = await readHead(session, 'head', checkBegins ? PAGE_SIZE : plan.head);
		if (head === undefined) return false;
		if (head.whole) {
			finishWholeList(session, head);
			return true;
		}
		shift = headShift(session, head);
		if (checkBegins) {
			startCheckAt(progress.check, head);
			left -= head.pages;
		}
		if (head.unknown > 0) session.recordGrowth('head');
	}
	const { tail } = plan;
	const finished = await readRest(session, { tail, pages: left });
	const atTail = session.findings.unknownByPhase.tail;
	if (atTail > 0) session.recordGrowth('tail');
	// The list has grown by more than its ends have shown.
	if (finished && tail && progress.end > endBefore + shift + atTail) session.searchEverywhere();
	return finished;
}

/** New records at the head have shifted all others. */
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

/** Reads the tail, and this poll's share of the check. */
async function readRest(
	session: ListSession,
	{ tail, pages }: { tail: boolean; pages: number },
): Promise<boolean> {
	const { check } = session.progress;
	const atTail = async (): Promise<boolean> => !tail || (await readTail(session));
	const readCheck = async (): Promise<boolean> => await continueCheck(session, pages);
	// Known gaps first: on a tight budget the tail must not keep them open.
	if (CHECKS[check.kind].isUrgent) return (await readCheck()) && (await atTail());
	if (tail && pages > 0) {
		// The two do not depend on each other: requested together, they save an idle poll one round
		// trip.
		await session.input.reader.prefetch([
			nextStep(tailPlace(session)).offset,
			nextStep(check).offset,
		]);
	}
	return (await atTail()) && (await readCheck());
}

/**
 * The head reading reached the end of the list, so it counts as a complete check and replaces the
 * one in progress.
 */
function finishWholeList(session: ListSession, head: HeadReading): void {
	const { findings, progress, input } = session;
	const isNews = (entry: PageEntry | undefined): boolean =>
		entry !== undefined && findings.isNews(entry.hash);
	const { firstPage, lastPage } = head;
	findings.grewAtEnd = isNews(lastPage?.entries.at(-1)) && !isNews(firstPage?.entries[0]);
	session.recordGrowth(growthOf(session, head));
	const { marks, doubtful } = progress.check;
	session.beginCheck('paced');
	Object.assign(progress.check, { since: input.now, marks, doubtful });
	endCheck(session);
}

/** At which end the unknown records are, in a list that was read whole. */
function growthOf(
	{ findings }: ListSession,
	{ unknown, firstPage, lastPage }: HeadReading,
): Growth | undefined {
	if (unknown === 0) return undefined;
	const isNew = ({ hash }: { hash: number }): boolean => findings.isUnknown(hash);
	const onTop = (firstPage?.entries ?? []).findIndex((entry) => !isNew(entry));
	const fromEnd = (lastPage?.entries.toReversed() ?? []).findIndex((entry) => !isNew(entry));
	// All records are unknown, which says nothing about the end.
	if (onTop < 0 && fromEnd < 0) return undefined;
	if (onTop === unknown || onTop < 0) return 'head';
	return fromEnd === unknown || fromEnd < 0 ? 'tail' : 'both';
}
