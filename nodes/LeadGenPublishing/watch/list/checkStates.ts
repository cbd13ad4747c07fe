/**
 * The states of the complete check, and what follows from each: tables, no code. A check is of one
 * kind; how much of it a poll reads depends on its pace; how it ends depends on what it has met.
 */
import type { Check, CheckKind, Progress } from '../store/progress';
import { hasNoOrder } from './walk';

/** What always has another check begin. */
export type DecisiveEvent =
	/** A reading of the head stopped before it came to known records. */
	| 'headCutShort'
	/** A reading of the tail stopped between new records and known ones. */
	| 'tailCutShort'
	| 'reachedEnd';

/** What happens to a check. */
export type CheckEvent =
	| DecisiveEvent
	/** A page of the check ends with known records. */
	| 'metKnown';

interface KindOfCheck {
	/** Read before anything else, as far as the budget allows. */
	readonly isUrgent: boolean;
	/** It walks the whole list, from the head to the end. */
	readonly isComplete: boolean;
	/** The check that takes its place; none: it goes on. */
	readonly then: Readonly<Record<DecisiveEvent, CheckKind> & { metKnown?: CheckKind }>;
}

export const CHECKS: Readonly<Record<CheckKind, KindOfCheck>> = {
	paced: {
		isUrgent: false,
		isComplete: true,
		then: { headCutShort: 'gap', tailCutShort: 'everything', reachedEnd: 'paced' },
	},
	gap: {
		isUrgent: true,
		isComplete: false,
		then: {
			headCutShort: 'rest',
			tailCutShort: 'everything',
			metKnown: 'paced',
			reachedEnd: 'paced',
		},
	},
	rest: {
		isUrgent: true,
		isComplete: false,
		then: { headCutShort: 'rest', tailCutShort: 'everything', reachedEnd: 'paced' },
	},
	everything: {
		isUrgent: true,
		isComplete: true,
		then: { headCutShort: 'rest', tailCutShort: 'everything', reachedEnd: 'paced' },
	},
};

/** How fast the check goes on, the first that applies: */
export type CheckPaceState =
	/** Records are known to be there: everything at once. */
	| 'urgent'
	/** A record was found that neither end shows, or the memory needs room. */
	| 'searching'
	/** Its last answer was doubtful, or brought nothing new: the next page by the very next poll. */
	| 'retrying'
	| 'scheduled';

export function paceStateOf(progress: Progress): CheckPaceState {
	const { check, searching, fullToldAt, doubts } = progress;
	if (CHECKS[check.kind].isUrgent) return 'urgent';
	if (searching !== undefined || fullToldAt !== undefined) return 'searching';
	const retries = (doubts ?? check.idle) !== undefined && check.next > 0;
	return retries ? 'retrying' : 'scheduled';
}

/** What a complete check may have met, which qualifies what it says about the list. */
export type CheckRemark = 'foundElsewhere' | 'doubtful' | 'noOrder' | 'repeats';

/** What a complete check that has ended says. */
interface CheckVerdict {
	/** The search is over, if it began before the check. */
	readonly endsSearch: boolean;
	/** The next check is fast. */
	readonly startsSearch: boolean;
	/** Blank pages are doubted again. */
	readonly doubtsBlanks: boolean;
	/** What the check did not meet is not in the list. */
	readonly showsAbsence: boolean;
}

const NOTHING_MET: CheckVerdict = {
	endsSearch: true,
	startsSearch: false,
	doubtsBlanks: true,
	showsAbsence: true,
};

/** How each changes the verdict. */
const REMARKS: Readonly<Record<CheckRemark, Partial<CheckVerdict>>> = {
	foundElsewhere: { endsSearch: false },
	doubtful: { doubtsBlanks: false, showsAbsence: false },
	noOrder: { endsSearch: false, startsSearch: true, showsAbsence: false },
	repeats: { showsAbsence: false },
};

export function remarksOn(check: Check): CheckRemark[] {
	const applies: Record<CheckRemark, boolean> = {
		foundElsewhere: check.foundElsewhere === true,
		doubtful: check.doubtful === true,
		noOrder: hasNoOrder(check),
		repeats: check.inPages === true,
	};
	return (Object.keys(applies) as CheckRemark[]).filter((remark) => applies[remark]);
}

/** Undefined if it has not covered the list, which says nothing. */
export function verdictOf(check: Check): CheckVerdict | undefined {
	if (!CHECKS[check.kind].isComplete) return undefined;
	return remarksOn(check).reduce((verdict, remark) => ({ ...verdict, ...REMARKS[remark] }), {
		...NOTHING_MET,
	});
}
