/**
 * What is remembered of one list. Everything that a poll has learned in addition to the records is here, and
 * each part of it is unlearned when the list stops behaving that way.
 */
import { MAX_PAGE } from '../../api/pages';
import { atStart, beginReading, type Reading } from './reading';
import type { ChangingField } from './changingFields';
import { Seen } from './seen';

/** What a poll reads of a list. */
export type Part = 'head' | 'gaps' | 'tail' | 'scan';

/** How far a reading of the whole list has come, and when it began. */
export interface WholeReading extends Reading {
	readonly since: number;
}

/**
 * Which unknown records are held back as older than the trigger: for a day at least, and until two
 * complete checks have ended. `after` is the time up to which the list was known completely. Records
 * that were created later are new.
 */
export type ExistingRecords =
	| { readonly kind: 'none' }
	| {
			readonly kind: 'firstDay';
			readonly after: number;
			readonly since: number;
			readonly checks: number;
			/** How far the list has been read. Records further down may have existed before. */
			readonly readTo: number | 'end';
			/**
			 * The first reading found nothing, or one full page without more. Then many unknown records at
			 * once may be those that it should have found.
			 */
			readonly isDoubtful: boolean;
	  };

/**
 * Which records are delivered that were never delivered, as the user has asked for: none, all, or
 * those created after a time.
 */
export type Emits = 'nothing' | 'all' | number;

/** Records that were held back after the first reading, and not yet reported. */
export interface Withheld {
	readonly count: number;
	/** The latest time at which one of them was created; 0 if they do not show it. */
	readonly latest: number;
	readonly since: number;
}

export type Scan =
	/**
	 * The first reading: the records that it reads existed before, unless they were created `after` a
	 * time.
	 */
	| {
			readonly kind: 'first';
			readonly reading: WholeReading;
			/** 'unset' until the service has shown its time. */
			readonly after: number | 'unset';
			readonly emits: Emits;
			/**
			 * When the list was first read, if this is not the first time. Then what this reading finds is
			 * reported as held back.
			 */
			readonly firstReadAt: number | undefined;
			/** How many readings have reached the end of the list but may have missed records. */
			readonly tries: number;
			/** A later page failed in the last poll, and the reading found nothing further. */
			readonly isStopped: boolean;
	  }
	/** Complete checks, one after the other. */
	| {
			readonly kind: 'check';
			readonly reading: WholeReading;
			/** Fast: records are known to be somewhere in the list. */
			readonly pace: 'usual' | 'fast';
			readonly existing: ExistingRecords;
			readonly emits: Emits;
	  };

/** Why the list cannot be read completely. */
export type ListProblem =
	| { readonly kind: 'none' }
	| {
			/**
			 * - `blank`: an empty page that announces more.
			 * - `repeating`: the pages show the same records at every offset.
			 * - `misplaced`: the first page says that it is another page.
			 * - `emptied`: the list had records, and now it has none.
			 */
			readonly kind: DoubtfulKind;
			readonly at: number;
			readonly polls: number;
			/** When the reading began that saw it last. */
			readonly readingSince: number;
	  }
	/** So many empty pages announce more at the end of the list that they count as its end. */
	| { readonly kind: 'endless'; readonly at: number }
	/** The service rejects this offset and all higher ones. */
	| { readonly kind: 'refused'; readonly at: number };

export type DoubtfulKind = 'blank' | 'repeating' | 'misplaced' | 'emptied';

export interface ListState {
	readonly seen: Seen;
	/** How many records the list has, as far as is known, and how many a page holds. */
	readonly end: number;
	readonly size: number;
	/** Polls since the tail was last read whether or not it had news. */
	readonly polls: number;
	/** When new records last appeared at the end of the list; 0 if never. */
	readonly tailNewsAt: number;
	/** How many unknown records begin the list, because they did not fit into the last batch. */
	readonly newAtTop: number;
	/** Places at which the list still holds unknown records. */
	readonly gaps: readonly number[];
	readonly scan: Scan;
	/** What the next poll reads first, because the last one had no time for it. */
	readonly first: Part;
	/** The number of the current day, which is stored with each record that is seen, and its start. */
	readonly day: { readonly number: number; readonly since: number };
	readonly problem: ListProblem;
	readonly withheld: Withheld;
	/**
	 * In how many polls in a row a page of the complete check was asked for and answered, and the check
	 * did not advance.
	 */
	readonly stalls: number;
	readonly changingFields: readonly ChangingField[];
}

/** So many polls in a row must see the same problem before it counts as lasting. */
export const LASTING_POLLS = 5;

export const isLasting = (
	problem: ListProblem,
): problem is Exclude<ListProblem, { kind: 'none' }> =>
	problem.kind === 'refused' ||
	problem.kind === 'endless' ||
	(problem.kind !== 'none' && problem.polls >= LASTING_POLLS);

/** Whether a page that is not full is the last one, whatever it announces. */
export const saysMoreAlways = (problem: ListProblem): boolean =>
	problem.kind !== 'blank' && isLasting(problem);

/**
 * Whether the service rejects this offset.
 *
 * @doubt offsetDepth
 */
export const isBeyondReach = ({ problem }: Pick<ListState, 'problem'>, at: number): boolean =>
	problem.kind === 'refused' && at >= problem.at;

export const beginWholeReading = (now: number): WholeReading => ({
	...beginReading(atStart),
	since: now,
});

export interface Beginning {
	readonly after: number | 'unset';
	readonly emits: Emits;
}

export const NOTHING_WITHHELD: Withheld = { count: 0, latest: 0, since: 0 };

/** The list is read for the first time, or again as if for the first time. */
export const firstScan = (now: number, beginning: Beginning, firstReadAt?: number): Scan => ({
	kind: 'first',
	reading: beginWholeReading(now),
	...beginning,
	firstReadAt,
	tries: 0,
	isStopped: false,
});

export const freshList = (
	{ width, now }: { width: number; now: number },
	beginning: Beginning,
): ListState => ({
	seen: new Seen('', width),
	end: 0,
	size: MAX_PAGE,
	polls: 0,
	tailNewsAt: 0,
	newAtTop: 0,
	gaps: [],
	scan: firstScan(now, beginning),
	first: 'head',
	day: { number: 0, since: now },
	problem: { kind: 'none' },
	withheld: NOTHING_WITHHELD,
	stalls: 0,
	changingFields: [],
});

/** The user asks for records that were never delivered, or no longer does. */
export function emitting(list: ListState, emits: Emits, now: number): ListState {
	const { scan } = list;
	if (emits === 'nothing') return { ...list, scan: { ...scan, emits } };
	const reading = beginWholeReading(now);
	if (scan.kind === 'first') return { ...list, scan: { ...scan, reading, emits } };
	return { ...list, scan: { ...scan, reading, pace: 'fast', emits } };
}

/**
 * The filters have changed. What was delivered stays delivered, and everything else is judged again:
 * `after` is the time up to which the list was known completely. If the service shows another list
 * now, it is read as if for the first time.
 */
export function refiltered(
	list: ListState,
	{
		seen,
		after,
		now,
		isOtherQuery,
	}: { seen: Seen; after: number | 'unset'; now: number; isOtherQuery: boolean },
): ListState {
	const { scan } = list;
	const known = { ...list, seen };
	if (isOtherQuery) {
		const { emits } = scan;
		const first = firstScan(now, { after, emits });
		return { ...known, end: 0, gaps: [], newAtTop: 0, problem: { kind: 'none' }, scan: first };
	}
	if (scan.kind === 'first' || after === 'unset') return known;
	const existing: ExistingRecords = {
		kind: 'firstDay',
		after,
		since: now,
		checks: 0,
		readTo: 'end',
		isDoubtful: false,
	};
	return { ...known, scan: { ...scan, existing } };
}
