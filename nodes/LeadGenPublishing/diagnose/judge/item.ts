/**
 * The output of a diagnosis. Every item has the same fields in the same order. n8n shows columns in
 * the order in which fields first appear, so the most important field comes first.
 */
import type { Block, Result } from './row';

export interface Item {
	readonly check: string;
	readonly result: Result;
	/** What was found, and what follows from it. */
	readonly means: string;
	/** Empty if there is nothing to do. */
	readonly do_next: string;
	/** What was seen, as counts, types and field names. */
	readonly seen: string;
	/** The service's own message. Empty if there is none. */
	readonly service_says: string;
	/** The clients that the finding is about. */
	readonly client_ids: readonly string[];
	/** What was made to try writes, and may still exist. */
	readonly left: readonly string[];
	readonly block: Block;
}
