/**
 * The complete check: walks the whole list, a few pages per poll. Promise: it meets every record
 * that stays in the list while the check runs. If it finds a record that neither the head nor the
 * tail has shown, it notes where new records can appear.
 */
import { endsWithKnown } from './head';
import { pagesOf } from './pace';
import { combineGrowth, type Progress } from '../store/progress';
import { CHECKS, verdictOf } from './checkStates';
import type { PageView } from './reader';
import type { ListSession } from './listSession';
import { assumeNoOrder, hasNoOrder } from './walk';

const AGREEING_CHECKS = 3;
/** A check that has read more than this many times the list is not making progress. */
const MAX_TIMES_THE_LIST = 3;
const EXTRA_PAGES = 20;

/** Reads this poll's share of the check. False if it was cut short. */
export async function continueCheck(session: ListSession, pages: number): Promise<boolean> {
	for (let left = pages; left > 0; left--) {
		const { progress, findings } = session;
		const { check } = progress;
		const unknown = findings.unknown;
		// Counted before reading: a search that the budget cuts short could otherwise repeat for
		// ever.
		check.pages++;
		if (check.pages > EXTRA_PAGES + MAX_TIMES_THE_LIST * pagesOf(progress)) assumeNoOrder(check);
		const view = await session.readNext(check, 'check');
		if (view === undefined) return false;
		const found = findings.unknown - unknown;
		if (found > 0 && check.kind === 'paced') noteWhereFound(session, view, found);
		if (!view.more) {
			endCheck(session);
			return true;
		}
		const next = CHECKS[check.kind].then.metKnown;
		if (next !== undefined && endsWithKnown(session, view, view.limit)) {
			session.beginCheck(next);
			return true;
		}
	}
	return true;
}

/** New records at the very end mean that the tail grows; anywhere else, neither end shows them. */
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

/** After growth at both ends, several checks must agree before only one end is watched. */
function updateGrowth(progress: Progress): void {
	const { grows, grewLately, agreed } = progress;
	delete progress.grewLately;
	if (grewLately === undefined) return;
	delete progress.agreed;
	if (grows !== 'both') return;
	const checks = agreed?.end === grewLately ? agreed.checks + 1 : 1;
	if (checks < AGREEING_CHECKS) progress.agreed = { end: grewLately, checks };
	else progress.grows = grewLately;
}

/** The check is put back, to end once more: nothing follows from its end but what was found. */
export function withoutVerdict(
	after: Readonly<Progress>,
	before: Readonly<Progress> = after,
): Readonly<Progress> {
	return {
		...before,
		...after,
		agreed: before.agreed,
		grows: combineGrowth(before.grows, after.grows),
		grewLately: combineGrowth(before.grewLately, after.grewLately),
	};
}

/** The check has reached the end of the list: what follows from it, if it covered the list. */
export function endCheck(session: ListSession): void {
	const { progress, notices } = session;
	const { check } = progress;
	session.replaceCheck('reachedEnd');
	const verdict = verdictOf(check);
	if (verdict === undefined) return;
	session.beforeVerdict = { ...progress };
	if (hasNoOrder(check)) notices.add('noOrder');
	const { searching } = progress;
	if (verdict.endsSearch && searching !== undefined && check.since >= searching)
		delete progress.searching;
	if (verdict.startsSearch) session.searchEverywhere();
	if (verdict.doubtsBlanks) delete progress.believes;
	if (!check.inPages) delete progress.repeats;
	updateGrowth(progress);
	const sawEverything = check.marks === true && verdict.showsAbsence;
	session.completedCheck = { since: check.since, sawEverything };
}
