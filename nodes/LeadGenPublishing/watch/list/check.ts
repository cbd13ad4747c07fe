/**
 * The complete check: walks the whole list, a few pages per poll. Promise: it meets every record
 * that stays in the list while the check runs. If it finds a record that neither the head nor the
 * tail has shown, it notes where new records can appear.
 */
import { endsWithKnown } from './head';
import { pagesOf } from './pace';
import { CHECK_KINDS, type Progress } from '../store/progress';
import type { PageView } from './reader';
import type { ListSession } from './listSession';
import { assumeNoOrder, hasNoOrder } from './walk';

const AGREEING_CHECKS = 3;
/** A check that has read more than this many times the list is not making progress. */
const MAX_TIMES_THE_LIST = 3;
const EXTRA_PAGES = 20;

export interface CompletedCheck {
	/** When the completed check began (ms). */
	since: number;
	/**
	 * Records that it did not meet are not in the list, if the previous check did not meet them
	 * either.
	 */
	sawEverything: boolean;
}

/** Reads this poll's share of the check. False if it was cut short. */
export async function continueCheck(
	session: ListSession,
	pages: number,
	onComplete: (checked: CompletedCheck) => void,
): Promise<boolean> {
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
	if (grows !== 'both' || grewLately === 'both') return;
	const checks = agreed?.end === grewLately ? agreed.checks + 1 : 1;
	if (checks < AGREEING_CHECKS) progress.agreed = { end: grewLately, checks };
	else progress.grows = grewLately;
}

/** Undefined unless the check covered the whole list. */
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
