/**
 * Promise: the complete check meets, page by page and poll by poll, every record that stays in the
 * list while it walks through. What it finds was shown by neither end: that is remembered, too.
 */
import { endsWithKnown } from './head';
import { pagesOf } from './pace';
import { CHECK_KINDS, type Progress } from './progress';
import type { PageView } from './reader';
import type { ListSession } from './listSession';
import { assumeNoOrder, hasNoOrder } from './walk';

const AGREEING_CHECKS = 3;
/** A walk that reads more than so many times the list gets nowhere. */
const MAX_TIMES_THE_LIST = 3;
const EXTRA_PAGES = 20;

export interface CompletedCheck {
	/** A whole check came to its end; it had begun at this time. */
	since: number;
	/** What it did not meet is not in the list, if the one before did not meet it either. */
	sawEverything: boolean;
}

/** This poll's share of it. False if it was cut short. */
export async function continueCheck(
	session: ListSession,
	pages: number,
	onComplete: (checked: CompletedCheck) => void,
): Promise<boolean> {
	for (let left = pages; left > 0; left--) {
		const { progress, findings } = session;
		const { check } = progress;
		const unknown = findings.unknown;
		// A search that the budget cuts short counts as well: it may be cut short for ever.
		check.pages++;
		if (check.pages > EXTRA_PAGES + MAX_TIMES_THE_LIST * pagesOf(progress)) assumeNoOrder(check);
		const view = await session.readNext(check, 'check');
		if (view === undefined) return false;
		const found = findings.unknown - unknown;
		if (found > 0 && check.kind === 'paced') noteWhereFound(session, view, found);
		if (!view.more) {
			const checked = finishCheck(session);
			if (checked !== undefined) onComplete(checked);
			return true;
		}
		if (check.kind === 'gap' && endsWithKnown(session, view, view.limit)) {
			session.beginCheck('paced');
			return true;
		}
	}
	return true;
}

/** At the very end: the tail grows. Anywhere else: no end shows it. */
function noteWhereFound(session: ListSession, view: PageView, found: number): void {
	const last = view.entries.slice(-found);
	if (!view.more && last.every(({ hash }) => session.findings.isUnknown(hash))) {
		session.recordGrowth('tail');
		return;
	}
	session.progress.check.foundElsewhere = true;
	session.recordGrowth('both');
	session.searchEverywhere();
}

/** A list that grew at both ends is believed to grow at one only after several checks. */
function updateGrowth(progress: Progress): void {
	const { grows, grewLately, agreed } = progress;
	delete progress.grewLately;
	if (grewLately === undefined) return;
	delete progress.agreed;
	if (grows !== 'both' || grewLately === 'both') return;
	const checks = agreed?.end === grewLately ? agreed.checks + 1 : 1;
	if (checks < AGREEING_CHECKS) progress.agreed = { end: grewLately, checks };
	else progress.grows = grewLately;
}

/** Undefined if it was not one of the whole list. */
export function finishCheck(session: ListSession): CompletedCheck | undefined {
	const { progress, notices } = session;
	const { check } = progress;
	session.beginCheck('paced');
	if (!CHECK_KINDS[check.kind].complete) return undefined;
	const orderless = hasNoOrder(check);
	if (orderless) notices.add('noOrder');
	if (check.foundElsewhere !== true && check.since >= (progress.searching ?? 0) && !orderless) {
		delete progress.searching;
	}
	if (orderless) session.searchEverywhere();
	if (check.doubtful !== true) delete progress.believes;
	updateGrowth(progress);
	const sawEverything = check.marks === true && check.doubtful !== true && !orderless;
	return { since: check.since, sawEverything };
}
