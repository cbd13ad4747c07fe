/**
 * Promise: what appeared since the last poll at the end where the list grows is met in this one,
 * for one request while nothing is new; everything else within one complete check. When a reading
 * is cut short, the place where it stopped is remembered, and the next poll goes on there.
 */
import { endCheck, readOn, type Checked } from './check';
import type { Notes } from './diff';
import { scan } from './firstScan';
import { lookAtHead, type Head } from './head';
import { isOnePage, pagesDue } from './pace';
import { CHECK_KINDS, type Check, type Growth, type Progress, type Scan } from './progress';
import { FetchError } from './reader';
import { Session, type ListNotice, type ReadingInput } from './session';
import { endsAsBefore, lookAtTail, tailPlace } from './tail';
import { nextOffset } from './walk';

export interface Reading {
	notes: Notes;
	/** Changed in place while reading: what was learned before a failure stays learned. */
	progress: Progress;
	/** The check as it stood before: leftovers that it met must be met again. */
	before: Check;
	baselineBefore: Scan | undefined;
	/** What the service did wrong. */
	failure?: unknown;
	/** Everything was read that was to be read, or the budget was not the reason that it was not. */
	complete: boolean;
	/** Complete checks that came to their end. */
	checked?: Checked;
	notices: ReadonlySet<ListNotice>;
}

/**
 * What is looked at in every poll. `short`: a short page, unless the head has changed. `change`:
 * only whether the list ends as it did, and both ends if it does not.
 */
interface Looks {
	head: 'none' | 'short' | 'page';
	tail: boolean;
	change?: true;
}

type Where = Growth | 'unknown';

/** Records that may start to count later: the more of them are seen, the sooner. */
const LOOKS_WIDE: Record<Where, Looks> = {
	unknown: { head: 'page', tail: true },
	head: { head: 'page', tail: false },
	tail: { head: 'none', tail: true },
	both: { head: 'page', tail: true },
};
const LOOKS_NARROW: Record<Where, Looks> = {
	unknown: { head: 'none', tail: false, change: true },
	head: { head: 'short', tail: false },
	tail: { head: 'none', tail: true },
	both: { head: 'short', tail: true },
};
const WHOLE_PAGE: Looks = { head: 'page', tail: false };
const BOTH_ENDS: Looks = { head: 'page', tail: true };

export async function readPages(input: ReadingInput): Promise<Reading> {
	const session = new Session(input);
	const { notes, progress, notices } = session;
	const reading: Reading = {
		notes,
		progress,
		before: input.progress.check,
		baselineBefore: input.progress.baseline,
		complete: false,
		notices,
	};
	const read = async (): Promise<boolean> =>
		progress.baseline
			? await scan(session, progress.baseline)
			: await look(session, (checked) => (reading.checked = checked));
	const finished = await read().catch((error: unknown) => {
		if (!(error instanceof FetchError)) throw error;
		reading.failure = error.cause;
	});
	if (finished === undefined) return reading;
	session.finish();
	reading.complete = finished || !input.reader.spent;
	return reading;
}

function looksFor(session: Session): Looks {
	const { progress, input } = session;
	const where = progress.grows ?? 'unknown';
	const wide = input.rules.width > 0;
	if (isOnePage(progress) && (wide || where === 'unknown' || where === 'both')) return WHOLE_PAGE;
	return (wide ? LOOKS_WIDE : LOOKS_NARROW)[where];
}

async function look(session: Session, ended: (checked: Checked) => void): Promise<boolean> {
	const { progress, input } = session;
	const due = pagesDue(progress, input.pace, input.now);
	const begins = due > 0 && progress.check.next === 0;
	let looks = looksFor(session);
	if (looks.change) {
		const same = await endsAsBefore(session);
		if (same === undefined) return false;
		if (!same) looks = BOTH_ENDS;
	}
	const endBefore = progress.end;
	let shift = 0;
	let left = due;
	if (looks.head !== 'none' || begins) {
		const until = looks.head === 'page' || begins ? 'margin' : 'unchanged';
		const head = await lookAtHead(session, 'head', until);
		if (head === undefined) return false;
		if (head.whole) {
			readWhole(session, head, ended);
			return true;
		}
		shift = headShift(session, head);
		if (begins) {
			beginAt(progress.check, head);
			left -= head.pages;
		}
		if (head.unknown > 0) session.showed('head');
	}
	// A page that was to be the whole list and is not: it has grown, at its end perhaps.
	const tail = looks.tail || looks === WHOLE_PAGE;
	const finished = await readRest(session, { tail, pages: left, ended });
	const atTail = session.notes.unknownFrom.tail;
	if (atTail > 0) session.showed('tail');
	// More has come than the ends have shown.
	if (finished && tail && progress.end > endBefore + shift + atTail) session.search();
	return finished;
}

/** What has come in at the head has moved everything else. */
function headShift({ progress }: Session, head: Head): number {
	const shift = Math.max(0, head.unknown - (progress.waiting ?? 0));
	progress.end += shift;
	if (progress.check.next > 0) progress.check.next += shift;
	return shift;
}

function beginAt(check: Check, head: Head): void {
	const { next, anchors, restarts } = head.place;
	Object.assign(check, { next, anchors, restarts, pages: head.pages });
}

/** The end, and the check's share. */
async function readRest(
	session: Session,
	{ tail, pages, ended }: { tail: boolean; pages: number; ended: (checked: Checked) => void },
): Promise<boolean> {
	const { check } = session.progress;
	const atTail = async (): Promise<boolean> => !tail || (await lookAtTail(session));
	const onward = async (): Promise<boolean> => await readOn(session, pages, ended);
	// Known gaps first: on a tight budget the tail must not keep them open.
	if (CHECK_KINDS[check.kind].atOnce) return (await onward()) && (await atTail());
	if (tail && pages > 0) {
		// Neither needs to know what the other finds: an idle poll waits for two answers, not for three.
		await session.input.reader.readAhead([nextOffset(tailPlace(session)), nextOffset(check)]);
	}
	return (await atTail()) && (await onward());
}

/** From the head to the end at once: whatever check was under way is done with. */
function readWhole(session: Session, head: Head, ended: (checked: Checked) => void): void {
	const { notes, progress, input } = session;
	const first = head.pagesRead[0]?.entries[0]?.hash ?? 0;
	const last = head.pagesRead.at(-1)?.entries.at(-1)?.hash ?? 0;
	notes.grewAtEnd = notes.isFresh(last) && !notes.isFresh(first);
	const growth = growthOf(session, head);
	if (growth !== undefined) session.showed(growth);
	const { marks, doubtful } = progress.check;
	session.beginCheck('paced');
	Object.assign(progress.check, { since: input.now, marks, doubtful });
	const checked = endCheck(session);
	if (checked !== undefined) ended(checked);
}

/** Where the unknown records of a list stand that was read as a whole. */
function growthOf({ notes }: Session, { unknown, pagesRead }: Head): Growth | undefined {
	if (unknown === 0) return undefined;
	const isNew = ({ hash }: { hash: number }): boolean => notes.isUnknown(hash);
	const onTop = (pagesRead[0]?.entries ?? []).findIndex((entry) => !isNew(entry));
	const fromEnd = [...(pagesRead.at(-1)?.entries ?? [])]
		.reverse()
		.findIndex((entry) => !isNew(entry));
	// All of it is new: it tells nothing.
	if (onTop < 0 && fromEnd < 0) return undefined;
	if (onTop === unknown || onTop < 0) return 'head';
	return fromEnd === unknown || fromEnd < 0 ? 'tail' : 'both';
}
