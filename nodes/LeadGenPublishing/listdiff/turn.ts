/** The reading of one list in one poll, between two of its pages. */
import type { JsonRecord } from '../api/schemas';
import type { PageRequest } from '../api/pages';
import type { Reading } from './reading';
import type { ListRules } from './rules';
import type { DoubtfulKind, ListState, Part } from './state';

export interface TurnSettings {
	readonly rules: ListRules;
	/** No list reads on for more items than this. */
	readonly maxItems: number;
	readonly now: number;
	/** The user's time for a complete check (ms); 0: a page in each poll. */
	readonly checkEvery: number | undefined;
	/** How long ago this process polled before (ms). */
	readonly sinceLast: number;
	/** Later pages have failed and are left alone for now. */
	readonly isHeadOnly: boolean;
}

/** What is being read. */
export type Task =
	/** From the first record down to known ones. */
	| {
			readonly kind: 'head';
			readonly reading: Reading;
			/** How many unknown records begin the list, as far as it was read. */
			readonly lead: number;
			/** Only unknown records were met so far. */
			readonly isLeading: boolean;
			readonly wanted: number;
	  }
	/** From a place where unknown records were left over. */
	| {
			readonly kind: 'gap';
			readonly place: number;
			readonly reading: Reading;
			readonly wanted: number;
	  }
	/** The end of the list: `locate` looks for known records before it. */
	| {
			readonly kind: 'locate';
			readonly reading: Reading;
			readonly wanted: number;
			/** The end was seen in this poll, so what precedes it is read page by page. */
			readonly isEndSeen: boolean;
	  }
	/** The records that follow the known ones. */
	| {
			readonly kind: 'forward';
			readonly reading: Reading;
			readonly wanted: number;
			readonly isEndSeen: boolean;
	  }
	/** The list is longer than was known: its end lies between two places. */
	| {
			readonly kind: 'gallop';
			readonly filled: number;
			readonly empty: number | 'unknown';
			readonly jump: number;
			readonly requests: number;
	  }
	/** The pages of the first reading or of a complete check that are due. */
	| {
			readonly kind: 'scan';
			readonly read: number;
			readonly blanks: number;
			readonly wanted: number;
	  }
	| { readonly kind: 'done' };

/** A record that this poll has met. */
export interface Met {
	readonly hash: number;
	/** To be remembered. */
	readonly value: string;
	/** What was remembered; undefined if the record was not known. */
	readonly known: string | undefined;
	readonly part: Part;
	readonly position: number;
	/** It is not known, and looks like a record that was there before the trigger. */
	readonly isHeldBack: boolean;
	/** Only of a record that is to be delivered. */
	readonly due?: JsonRecord;
}

/** How far this poll has read the head. */
export type HeadRead =
	| { readonly kind: 'not' }
	/** Down to known records; the reading would go on there. */
	| { readonly kind: 'known'; readonly reading: Reading }
	/** It was the whole list. */
	| { readonly kind: 'whole' };

/** A page that may hide records is requested a second time before it counts. */
export type SecondLook =
	| { readonly kind: 'none' }
	| { readonly kind: 'due'; readonly doubt: DoubtfulKind; readonly at: number };

export interface Turn {
	readonly settings: TurnSettings;
	readonly list: ListState;
	readonly task: Task;
	/** What is still to be read, in this order. */
	readonly later: readonly Part[];
	/** Places of unknown records that are still to be read. */
	readonly gapsLeft: readonly number[];
	readonly secondLook: SecondLook;
	/** A page could not be read, which ended the reading. */
	readonly hasFailed: boolean;
	/** The list had this trouble in this poll. */
	readonly isTroubled: boolean;
	readonly headRead: HeadRead;
	/** When the service sent the first page. */
	readonly servedAt: number | undefined;
	/** When the pass began that has ended in this poll, at the end of the list or at a dead end. */
	readonly checkedSince: number | undefined;
	/** How many records are to be delivered, as far as was read. */
	readonly wanted: number;
	/** Some look like records that were there before the trigger. */
	readonly hasHeldBack: boolean;
	/** How many pages this poll has read of the list. */
	readonly pages: number;
	readonly withoutId: number;
	readonly unreadable: number;
	/** Records that were met first and do not say when they were created. */
	readonly undated: number;
}

export interface Step {
	readonly turn: Turn;
	/** The records that this page has shown first in this poll. */
	readonly found: readonly Met[];
	/** The next page to ask for; undefined if there is nothing more to read. */
	readonly ask: PageRequest | undefined;
}

export const over = (turn: Turn): Turn => ({ ...turn, task: { kind: 'done' } });

/** For which part of the list a task reads. */
export function partOf({ kind }: Task): Part {
	switch (kind) {
		case 'head':
			return 'head';
		case 'gap':
			return 'gaps';
		case 'locate':
		case 'forward':
		case 'gallop':
			return 'tail';
		case 'scan':
		case 'done':
			return 'scan';
	}
}
