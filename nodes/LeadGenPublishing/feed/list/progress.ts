/** The reading of one list in one poll, between two of its pages. */
import type { JsonRecord } from '../../api/schemas';
import type { PageRequest } from '../../api/pages';
import type { Reading } from './reading';
import type { ChangedTogether } from './changingFields';
import type { ListRules } from './rules';
import type { DoubtfulKind, ListState, Part } from './state';

export interface ReadSettings {
	readonly rules: ListRules;
	/** A list stops reading when it has found so many items. */
	readonly maxItems: number;
	readonly now: number;
	/** The user's time for a complete check (ms). With 0, each poll reads a page. */
	readonly checkEvery: number | undefined;
	/** The time since the previous poll of this process (ms). */
	readonly sinceLast: number;
	/** Whether only the head is read, because later pages have failed. */
	readonly isHeadOnly: boolean;
}

/** What is being read. */
export type Task =
	/** From the first record down to known ones. */
	| {
			readonly kind: 'head';
			readonly reading: Reading;
			/** How many unknown records begin the list, as far as it was read. */
			readonly newAtTop: number;
			/** Whether only unknown records were read so far. */
			readonly isOnlyNew: boolean;
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
			/** Whether the end was seen in this poll. Then the pages before it are read one by one. */
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
			readonly kind: 'findEnd';
			readonly filled: number;
			readonly empty: number | 'unknown';
			readonly jump: number;
			readonly requests: number;
	  }
	/** The pages of the first reading or of a complete check that are due. */
	| {
			readonly kind: 'scan';
			readonly read: number;
			readonly wanted: number;
	  }
	| { readonly kind: 'done' };

/** A record that this poll has read. */
export interface SeenRecord {
	readonly hash: number;
	/** To be remembered. */
	readonly value: string;
	/** What was remembered. Undefined if the record was not known. */
	readonly known: string | undefined;
	readonly part: Part;
	readonly position: number;
	/** Whether it is unknown, but looks like a record that existed before the trigger. */
	readonly isExisting: boolean;
	/** When it was created, if it says so (ms). */
	readonly createdAt: number | undefined;
	/** The fields that have changed since, as far as their changes count. */
	readonly changed: readonly string[];
	/** Whether no other field has changed than those that are left out. */
	readonly isLeftOut: boolean;
	/** The record itself, if it is to be delivered. */
	readonly wanted?: JsonRecord | undefined;
}

/** A record that is to be delivered. */
export interface WantedRecord extends SeenRecord {
	readonly wanted: JsonRecord;
}

/** How far this poll has read the head. */
export type HeadRead =
	| { readonly kind: 'not' }
	/** Down to known records. The reading could continue there. */
	| { readonly kind: 'known'; readonly reading: Reading }
	/** To the end of the list. */
	| { readonly kind: 'whole' };

/** A page that may hide records is requested a second time before it counts. */
export type SecondLook =
	| { readonly kind: 'none' }
	| { readonly kind: 'due'; readonly doubt: DoubtfulKind; readonly at: number };

export interface Progress {
	readonly settings: ReadSettings;
	readonly list: ListState;
	readonly task: Task;
	/** What is still to be read, in this order. */
	readonly later: readonly Part[];
	/** Places of unknown records that are still to be read. */
	readonly gapsLeft: readonly number[];
	readonly secondLook: SecondLook;
	/** Whether the reading ended because a page could not be read. */
	readonly hasFailed: boolean;
	/** Whether this poll has already counted the list's problem. */
	readonly hasCountedProblem: boolean;
	readonly headRead: HeadRead;
	/** When the service sent the first page of this poll. */
	readonly servedAt: number | undefined;
	/** When the reading began that has ended in this poll, at the end of the list or at a dead end. */
	readonly checkedSince: number | undefined;
	/** How many of the records read so far are to be delivered. */
	readonly wanted: number;
	/** Whether any record looks as if it existed before the trigger. */
	readonly hasExisting: boolean;
	/** How many pages this poll has read of the list. */
	readonly pages: number;
	/** How many empty pages it has skipped. */
	readonly skipped: number;
	/** Whether a page of the complete check was asked for and answered. */
	readonly hasAskedScan: boolean;
	readonly withoutId: number;
	readonly unreadable: number;
	/** Records, read for the first time in this poll, that do not say when they were created. */
	readonly undated: number;
	readonly together: ChangedTogether;
}

export interface Step {
	readonly progress: Progress;
	/** The records that no earlier page of this poll has shown. */
	readonly found: readonly SeenRecord[];
	/** The next page to request. Undefined if there is nothing more to read. */
	readonly ask: PageRequest | undefined;
}

export const over = (progress: Progress): Progress => ({ ...progress, task: { kind: 'done' } });

/** The part of the list that a task reads. */
export function partOf({ kind }: Task): Part {
	switch (kind) {
		case 'head':
			return 'head';
		case 'gap':
			return 'gaps';
		case 'locate':
		case 'forward':
		case 'findEnd':
			return 'tail';
		case 'scan':
		case 'done':
			return 'scan';
	}
}
