/**
 * Promise: the complete check meets, page by page and poll by poll, every record that stays in the
 * list while it walks through. What it finds was shown by neither end: that is remembered, too.
 */
import { endsInKnown } from './head';
import { pagesOf } from './pace';
import { CHECK_KINDS, type Progress } from './progress';
import type { PageView } from './reader';
import type { Session } from './session';
import { giveUpOrder, keepsNoOrder } from './walk';

const AGREEING_CHECKS = 3;
/** A walk that reads more than so many times the list gets nowhere. */
const TIMES_THE_LIST = 3;
const MOST_PAGES = 20;

export interface Checked {
	/** A whole check came to its end; it had begun at this time. */
	since: number;
	/** What it did not meet is not in the list, if the one before did not meet it either. */
	sawAll: boolean;
}

/** This poll's share of it. False if it was cut short. */
export async function readOn(
	session: Session,
	pages: number,
	ended: (checked: Checked) => void,
): Promise<boolean> {
	for (let left = pages; left > 0; left--) {
		const { progress, notes } = session;
		const { check } = progress;
		const unknown = notes.unknown;
		// A search that the budget cuts short counts as well: it may be cut short for ever.
		check.pages++;
		if (check.pages > MOST_PAGES + TIMES_THE_LIST * pagesOf(progress)) giveUpOrder(check);
		const view = await session.step(check, 'check');
		if (view === undefined) return false;
		const found = notes.unknown - unknown;
		if (found > 0 && check.kind === 'paced') place(session, view, found);
		if (!view.more) {
			const checked = endCheck(session);
			if (checked !== undefined) ended(checked);
			return true;
		}
		if (check.kind === 'gap' && endsInKnown(session, view, view.limit)) {
			session.beginCheck('paced');
			return true;
		}
	}
	return true;
}

/** At the very end: the tail grows. Anywhere else: no end shows it. */
function place(session: Session, view: PageView, found: number): void {
	const last = view.entries.slice(-found);
	if (!view.more && last.every(({ hash }) => session.notes.isUnknown(hash))) {
		session.showed('tail');
		return;
	}
	session.progress.check.foundElsewhere = true;
	session.showed('both');
	session.search();
}

/** A list that grew at both ends is believed to grow at one only after several checks. */
function agree(progress: Progress): void {
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
export function endCheck(session: Session): Checked | undefined {
	const { progress, notices } = session;
	const { check } = progress;
	session.beginCheck('paced');
	if (!CHECK_KINDS[check.kind].complete) return undefined;
	const orderless = keepsNoOrder(check);
	if (orderless) notices.add('noOrder');
	if (check.foundElsewhere !== true && check.since >= (progress.searching ?? 0) && !orderless) {
		delete progress.searching;
	}
	if (orderless) session.search();
	if (check.doubtful !== true) delete progress.believes;
	agree(progress);
	const sawAll = check.marks === true && check.doubtful !== true && !orderless;
	return { since: check.since, sawAll };
}
