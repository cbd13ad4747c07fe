/**
 * A row of the judge's table. It looks at all facts and returns findings. Each kind of finding has
 * a result and words. Pure.
 */
import type { Evidence } from './evidence';

export const RESULTS = ['needs_you', 'unusual', 'ok', 'not_checked'] as const;
export type Result = (typeof RESULTS)[number];

/** The reader of a row: someone who wants to work, who relies on the data, or who maintains the package. */
export const BLOCKS = ['work', 'data', 'document'] as const;
export type Block = (typeof BLOCKS)[number];

/** What a kind of finding means. `{about}` is replaced by what the findings are about. */
export interface Verdict {
	readonly result: Result;
	readonly means: string;
	readonly next: string;
	/** If this is found, the other rows are meaningless. */
	readonly isFatal?: boolean;
}

export const ok = (means: string): Verdict => ({ result: 'ok', means, next: '' });
export const needsYou = (means: string, next: string): Verdict => ({
	result: 'needs_you',
	means,
	next,
});
export const fatal = (means: string, next: string): Verdict => ({
	result: 'needs_you',
	means,
	next,
	isFatal: true,
});
export const unusual = (means: string, next = ''): Verdict => ({ result: 'unusual', means, next });
export const notChecked = (means: string, next = ''): Verdict => ({
	result: 'not_checked',
	means,
	next,
});

export interface CheckFinding<Kind extends string = string> {
	readonly kind: Kind;
	/** Counts, types, and names of fields and orders: never a key, an address, a name or a text. */
	readonly seen: string;
	/** What it is about, such as the lists. Findings of one kind become one item. */
	readonly about?: string;
	/** The clients that it is about. Shown in the items, left out of the report. */
	readonly clientIds?: readonly string[];
	/** What was made and may still exist. Shown in the items, left out of the report. */
	readonly left?: readonly string[];
	/** The service's own message. Shown in the items, left out of the report. */
	readonly says?: string;
}

export interface Row {
	readonly check: string;
	readonly block: Block;
	readonly find: (evidence: Evidence) => readonly CheckFinding[];
	readonly words: Readonly<Record<string, Verdict>>;
	/** The sentence for a row that had nothing to check. */
	readonly unseen: string;
}

interface Table<Kind extends string> {
	readonly block: Block;
	readonly find: (evidence: Evidence) => ReadonlyArray<CheckFinding<Kind>>;
	readonly words: Readonly<Record<Kind, Verdict>>;
	readonly unseen?: string;
}

const UNSEEN = 'There was nothing to check.';

export const row = <Kind extends string>(check: string, table: Table<Kind>): Row => ({
	check,
	block: table.block,
	find: table.find,
	words: table.words,
	unseen: table.unseen ?? UNSEEN,
});

export const REPORT_IT =
	'Please report this: set "Output" to Report and paste the text into a bug report.';
/** Advice for a failure that may be gone the next time. */
export const REPORT_IF_IT_STAYS =
	'Run this again. If nothing changes, set "Output" to Report and paste the text into a bug report.';
/** The alternative to a key in the notes. */
export const OWN_TABLE =
	'Leave "Unique Key" empty. Keep your own table of the posts that your workflows create.';
