/**
 * What is remembered of one list. Everything that a poll has learned in addition to the records is here, and
 * each part of it is unlearned when the list stops behaving that way.
 */
import { MAX_PAGE } from '../api/pages';
import { atStart, beginReading, type Reading } from './reading';
import { Seen } from './seen';

/** What a poll reads of a list. */
export type Part = 'head' | 'gaps' | 'tail' | 'scan';

/** How far a reading of the whole list has come, and when it began. */
export interface Pass extends Reading {
	readonly since: number;
}

/**
 * Which unknown records are held back as older than the trigger. `after` is the time up to which
 * the list was known completely. Records that were created later are new.
 */
export type HeldBack =
	| { readonly kind: 'none' }
	| {
			readonly kind: 'untilChecked';
			readonly after: number;
			readonly checks: number;
			/** How far the list has been read. Records further down may have existed before. */
			readonly readTo: number | 'end';
	  };

export type Scan =
	/**
	 * The first reading: the records that it meets existed before, unless they were created `after` a
	 * time.
	 */
	| {
			readonly kind: 'first';
			readonly pass: Pass;
			/** 'unset' until the service has shown its time. */
			readonly after: number | 'unset';
			/** *Emit Existing* applies: everything is delivered. */
			readonly emits: boolean;
			/** How many passes have reached the end of the list but may have missed records. */
			readonly tries: number;
	  }
	/** Complete checks, one after the other. */
	| {
			readonly kind: 'check';
			readonly pass: Pass;
			/** Fast: records are known to be somewhere in the list. */
			readonly pace: 'usual' | 'fast';
			readonly heldBack: HeldBack;
	  };

/** Why the list cannot be read completely. */
export type Trouble =
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
	  }
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
	readonly lead: number;
	/** Places at which the list still holds unknown records. */
	readonly gaps: readonly number[];
	readonly scan: Scan;
	/** What the next poll reads first, because the last one had no time for it. */
	readonly first: Part;
	/** The number is stored with each record that is seen, and grows once a day. */
	readonly generation: { readonly number: number; readonly since: number };
	readonly trouble: Trouble;
}

/** So many polls in a row must meet the same trouble before it counts as lasting. */
export const LASTING_POLLS = 5;

export const isLasting = (trouble: Trouble): trouble is Exclude<Trouble, { kind: 'none' }> =>
	trouble.kind === 'refused' || (trouble.kind !== 'none' && trouble.polls >= LASTING_POLLS);

/**
 * Whether the service rejects this offset.
 *
 * @doubt offsetDepth
 */
export const isBeyondReach = ({ trouble }: Pick<ListState, 'trouble'>, at: number): boolean =>
	trouble.kind === 'refused' && at >= trouble.at;

export const beginPass = (now: number): Pass => ({ ...beginReading(atStart), since: now });

export interface Beginning {
	readonly after: number | 'unset';
	readonly emits: boolean;
}

export const freshList = (
	{ width, now }: { width: number; now: number },
	{ after, emits }: Beginning,
): ListState => ({
	seen: new Seen('', width),
	end: 0,
	size: MAX_PAGE,
	polls: 0,
	tailNewsAt: 0,
	lead: 0,
	gaps: [],
	scan: { kind: 'first', pass: beginPass(now), after, emits, tries: 0 },
	first: 'head',
	generation: { number: 0, since: now },
	trouble: { kind: 'none' },
});
