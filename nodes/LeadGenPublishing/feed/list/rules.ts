/**
 * The rules that one list follows for its event: how a record is compared with what is remembered.
 */
import type { JsonRecord } from '../../api/schemas';

/**
 * How a record compares with what is remembered of it:
 * - `unknown`: it was never seen. `counts` says whether it is news if it appeared just now.
 * - `unjudged`: it is known, but was not compared with the filters that apply now.
 * - `news`: it is known, and it has changed or matches the filters for the first time.
 * - `noted`: it is known, and its value has changed in a way that does not count.
 * - `leftOut`: the same, and no other field has changed than those that are left out.
 * - `same`: nothing has changed, or the response is older than what is remembered.
 */
export type Meaning =
	| { readonly kind: 'unknown'; readonly counts: boolean }
	| { readonly kind: 'unjudged'; readonly counts: boolean }
	| { readonly kind: 'news' }
	| { readonly kind: 'noted' }
	| { readonly kind: 'leftOut' }
	| { readonly kind: 'same' };

export interface Comparison {
	/** To be remembered: `width` characters of the 64 in `hash.ts`. */
	readonly value: string;
	readonly meaning: Meaning;
	/** The fields that have changed, as far as their changes count. */
	readonly changed?: readonly string[];
}

export interface ListRules {
	/** What is delivered: records that are new, or known records that have changed. */
	readonly kind: 'new' | 'change';
	/** Characters remembered for each record in addition to its hash. 0 if nothing is compared. */
	readonly width: number;
	matches(record: JsonRecord): boolean;
	/** Whether the record is news if it is seen for the first time. */
	counts(record: JsonRecord): boolean;
	/**
	 * Whether records enter the list long after they were created, because the service filters it. Then
	 * their creation time does not show whether they are new.
	 */
	readonly entersLate: boolean;
	/** Changes of the fields in `leftOut` do not count. */
	compare(record: JsonRecord, known: string | undefined, leftOut?: readonly string[]): Comparison;
	/** The value of a record that cannot be compared. */
	readonly unreadable: string;
	/** The value of a known record after the filters have changed. */
	revalued(value: string): string;
}
